"""What our knowledge of the places for content rests on: the package, the vendor's page, or others' word."""

from __future__ import annotations

from dataclasses import replace

from agentplugin_adapters._facts import claimed, documented, program
from hatch_agentplugin.hosts.content import Content

_WRITTEN_BY_OTHERS = claimed("2026-08", "public tools that write these files")
#: Host id -> version in whose package or repository the place of servers was read.
_SERVERS_READ = {
    "amazon-q": "2026-04-23", "claude-code": "2.1.332", "cline": "3.0.65", "codex": "0.171.0",
    "crush": "2026-08-21", "deepagents": "2026-08-21", "droid": "0.225.1", "gemini-cli": "0.61.0",
    "grok": "1.0.41", "hermes": "0.19.0", "kimi": "2026-08-22", "kimi-cli-legacy": "1.52.0",
    "mistral-vibe": "3.0.2", "omp": "2026", "openclaw": "2026.9.6", "opencode": "1.18.33",
    "pi": "0.99.0", "qwen-code": "0.24.4",
}  # fmt: skip
#: The same for skills, commands and rules.
_REST_READ = {
    name: version
    for name, version in {**_SERVERS_READ, "auggie": "0.36.0"}.items()
    if name
    in (
        "auggie", "claude-code", "crush", "gemini-cli", "mistral-vibe", "omp", "openclaw",
        "opencode", "pi", "qwen-code",
    )
}  # fmt: skip
#: Where the vendor's pages say it.
_SERVERS_DOCUMENTED = (
    "copilot-cli", "cursor", "devin", "goose", "junie", "kiro", "vscode-copilot", "windsurf", "zed",
)  # fmt: skip


def with_evidence(host: str, content: Content) -> Content:
    """What the facts about one host rest on."""
    rest = program(_REST_READ[host]) if host in _REST_READ else _WRITTEN_BY_OTHERS
    servers = _WRITTEN_BY_OTHERS
    if host in _SERVERS_READ:
        servers = program(_SERVERS_READ[host])
    elif host in _SERVERS_DOCUMENTED:
        servers = documented()
    mcp = content.mcp and replace(content.mcp, evidence=servers)
    return replace(content, mcp=mcp, evidence=rest)
