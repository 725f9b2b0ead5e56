"""Where each host has MCP servers, skills, commands and rules, grouped by how it writes a server.

Paths are from the hosts' own packages, the vendors' pages and two public tools that write them.
"""

from __future__ import annotations

from agentplugin_adapters._content_facts import with_evidence
from agentplugin_adapters._content_plain import PLAIN
from agentplugin_adapters._servers import (
    AGENTS,
    AGENTS_MD,
    CLAUDE,
    CODE,
    CODEX,
    COPILOT,
    COPILOT_HTTP,
    COPILOT_LOCAL,
    CRUSH,
    FACTORY,
    GROK,
    HERMES,
    HOME_AGENTS,
    HTTP,
    KILO,
    LOCAL,
    MIMO,
    OPENCLAW,
    OPENCODE,
    QODER,
    REMOTE,
    ROOT,
    SSE,
    TYPED,
    URL,
    VIBE,
    Files,
    both,
    in_folder,
    opencode,
    plain,
    spots,
    tables,
    typed,
)
from hatch_agentplugin.adapter import Dir, File
from hatch_agentplugin.content import Content, Mcp

KILO_MCP = opencode(KILO, "kilo")
OPENCLAW_MCP = Mcp(
    files={"user": (File(OPENCLAW, "openclaw.json"),)},
    at=("mcp", "servers", "$name"),
    stdio={**LOCAL, "cwd": "$cwd"},
    http={**REMOTE, "transport": "streamable-http"},
    sse={**REMOTE, "transport": "sse"},
    format="jsonc",
    variable="${NAME}",
)
OPENCLAW_SKILLS: Files = {"user": File(OPENCLAW, "skills")}

#: A plain map with a type in each entry.
_TYPES: dict[str, Content] = {
    "claude-code": Content(
        mcp=typed(
            File(Dir("~", env="CLAUDE_CONFIG_DIR"), ".claude.json"), File(ROOT, ".mcp.json"),
            sse=SSE, variable="${NAME}",
        ),
        skills=in_folder(CLAUDE, Dir(".claude"), "skills"),
        commands=in_folder(CLAUDE, Dir(".claude"), "commands"),
        rules=both(File(CLAUDE, "CLAUDE.md"), File(ROOT, "CLAUDE.md")),
    ),
    "qoder": Content(  # the project's file is Claude Code's too, so the entry is the same
        mcp=typed(
            File(QODER, "settings.json"), File(ROOT, ".mcp.json"), sse=SSE, variable="${NAME}"
        ),
        skills=in_folder(QODER, Dir(".qoder"), "skills"),
        commands=in_folder(QODER, Dir(".qoder"), "commands"),
        rules=AGENTS_MD,
    ),
    "copilot-cli": Content(
        mcp=typed(
            File(COPILOT, "mcp-config.json"), File(Dir(".github"), "mcp.json"),
            stdio=COPILOT_LOCAL, http=COPILOT_HTTP, sse={**COPILOT_HTTP, "type": "sse"},
        ),
        skills=both(File(COPILOT, "skills"), File(Dir(".github"), "skills")),
        rules={"project": File(Dir(".github"), "copilot-instructions.md")},
    ),
    "vscode-copilot": Content(
        mcp=typed(
            File(CODE, "mcp.json"), File(Dir(".vscode"), "mcp.json"), sse=SSE,
            at=("servers", "$name"), format="jsonc", variable="${env:NAME}",
        ),
        skills=both(File(Dir("~/.copilot"), "skills"), File(Dir(".github"), "skills")),
        commands={"project": File(Dir(".github"), "prompts")},
        command_suffix=".prompt.md",
        rules={"project": File(Dir(".github"), "copilot-instructions.md")},
    ),
    "droid": Content(
        mcp=typed(File(FACTORY, "mcp.json"), File(Dir(".factory"), "mcp.json")),
        skills=in_folder(FACTORY, Dir(".factory"), "skills"),
        commands=in_folder(FACTORY, Dir(".factory"), "commands"),
        rules=AGENTS_MD,
    ),
    "crush": Content(
        mcp=Mcp(
            files={
                "user": (File(CRUSH, "crush.json"),),
                "project": (File(ROOT, ".crush.json"), File(ROOT, "crush.json")),
            },
            at=("mcp", "$name"),
            stdio=TYPED,
            http=HTTP,
            sse=SSE,
        ),
        skills=in_folder(CRUSH, Dir(".crush"), "skills"),
    ),
    "amazon-q": Content(
        mcp=plain(
            File(Dir("~/.aws/amazonq"), "mcp.json"), File(Dir(".amazonq"), "mcp.json"),
            remote={"type": "http", **URL},
        ),
        rules={"project": File(Dir(".amazonq"), "rules/{plugin}.md")},
    ),
    "codebuff": Content(
        mcp=typed(
            File(HOME_AGENTS, "mcp.json"), File(AGENTS, "mcp.json"), http=None, variable="$NAME"
        ),
        skills=in_folder(HOME_AGENTS, AGENTS, "skills"),
    ),
}  # fmt: skip

#: Program and arguments in one list.
_OPENCODES: dict[str, Content] = {
    "opencode": Content(
        mcp=opencode(OPENCODE, "opencode"),
        skills=in_folder(OPENCODE, Dir(".opencode"), "skills"),
        commands=in_folder(OPENCODE, Dir(".opencode"), "commands"),
        rules=both(File(OPENCODE, "AGENTS.md"), File(ROOT, "AGENTS.md")),
    ),
    "kilo-cli": Content(
        mcp=KILO_MCP,
        skills=in_folder(KILO, Dir(".kilo"), "skills"),
        commands=in_folder(KILO, Dir(".kilo"), "commands"),
        rules=AGENTS_MD,
    ),
    "kilo": Content(
        mcp=KILO_MCP,
        skills=in_folder(Dir("~/.kilo"), Dir(".kilo"), "skills"),
        commands={"project": File(Dir(".kilo"), "commands")},
        rules=AGENTS_MD,
    ),
    "mimo-code": Content(
        mcp=opencode(MIMO, "mimocode", headers=False),
        skills=in_folder(MIMO, Dir(".mimocode"), "skills"),
        commands=in_folder(MIMO, Dir(".mimocode"), "commands"),
        rules=AGENTS_MD,
    ),
}

#: TOML tables.
_TABLES: dict[str, Content] = {
    "codex": Content(
        mcp=tables(
            File(CODEX, "config.toml"),
            File(Dir(".codex"), "config.toml"),
            {**LOCAL, "cwd": "$cwd"},
            {**URL, "http_headers": "$headers"},
        ),
        skills=in_folder(HOME_AGENTS, AGENTS, "skills"),
        rules=both(File(CODEX, "AGENTS.md"), File(ROOT, "AGENTS.md")),
    ),
    "grok": Content(
        mcp=tables(
            File(GROK, "config.toml"), File(Dir(".grok"), "config.toml"), LOCAL, REMOTE, "${NAME}"
        ),
        skills=in_folder(GROK, Dir(".grok"), "skills"),
        commands=in_folder(GROK, Dir(".grok"), "commands"),
        rules=AGENTS_MD,
        mcp_from=("claude-code", "cursor"),
    ),
    "reasonix": Content(  # the name of the table of servers is not known
        skills=in_folder(Dir("~/.reasonix"), Dir(".reasonix"), "skills"),
        commands=in_folder(Dir("~/.reasonix"), Dir(".reasonix"), "commands"),
        rules={"project": File(ROOT, "REASONIX.md")},
    ),
}

#: What one host alone does.
_OTHERS: dict[str, Content] = {
    "goose": Content(
        mcp=Mcp(
            files={
                "user": (
                    File(
                        Dir("~/.config/goose", windows="%APPDATA%/Block/goose/config"),
                        "config.yaml",
                    ),
                )
            },
            at=("extensions", "$name"),
            stdio={
                "name": "$name",
                "type": "stdio",
                "cmd": "$program",
                "args": "$args",
                "envs": "$env",
                "enabled": True,
                "timeout": 300,
            },
            http={
                "name": "$name",
                "type": "streamable_http",
                "uri": "$url",
                "headers": "$headers",
                "enabled": True,
            },
            format="yaml",
        ),
    ),
    "hermes": Content(
        mcp=Mcp(
            files={"user": (File(HERMES, "config.yaml"),)},
            at=("mcp_servers", "$name"),
            stdio=LOCAL,
            http=REMOTE,
            format="yaml",
        ),
        skills={"user": File(HERMES, "skills")},
        rules={"project": File(ROOT, ".hermes.md")},
    ),
    "zed": Content(
        mcp=typed(
            File(Dir("~/.config/zed", windows="%APPDATA%/Zed"), "settings.json"),
            File(Dir(".zed"), "settings.json"),
            stdio={"source": "custom", **LOCAL},
            http=None,
            at=("context_servers", "$name"),
            format="jsonc",
        ),
        skills=in_folder(HOME_AGENTS, AGENTS, "skills"),
        rules=AGENTS_MD,
    ),
    "amp": Content(
        mcp=Mcp(
            files={
                "user": (
                    File(Dir("~/.config/amp"), "settings.json"),
                    File(Dir("~/.config/amp"), "settings.jsonc"),
                ),
                "project": (
                    File(Dir(".amp"), "settings.json"),
                    File(Dir(".amp"), "settings.jsonc"),
                ),
            },
            at=("amp.mcpServers", "$name"),
            stdio=LOCAL,
            http=REMOTE,
            format="jsonc",
            variable="${NAME}",
        ),
        skills=both(File(Dir("~/.config/agents"), "skills"), File(AGENTS, "skills")),
        rules=AGENTS_MD,
    ),
    "openclaw": Content(mcp=OPENCLAW_MCP, skills=OPENCLAW_SKILLS),
    "nemoclaw": Content(mcp=OPENCLAW_MCP, skills=OPENCLAW_SKILLS),
    "mux": Content(
        mcp=Mcp(
            files=spots(File(Dir("~/.mux"), "mcp.jsonc"), File(Dir(".mux"), "mcp.jsonc")),
            at=("servers", "$name"),
            stdio="$line",
            format="jsonc",
        )
    ),
    "mistral-vibe": Content(
        mcp=Mcp(
            files=spots(File(VIBE, "config.toml"), File(Dir(".vibe"), "config.toml")),
            at=("mcp_servers",),
            stdio={"name": "$name", "transport": "stdio", **LOCAL},
            format="toml",
            as_list=True,
        ),
        skills=in_folder(VIBE, Dir(".vibe"), "skills"),
        rules=AGENTS_MD,
    ),
    "replit": Content(
        skills={"project": File(AGENTS, "skills")},
        rules={"project": File(ROOT, "replit.md")},
    ),
}

#: Hosts of which no place for any of this is known.
_NONE = ("codebuddy", "copilot-cloud-agent", "jetbrains-copilot", "tabnine")

#: Host id -> where its content goes.
CONTENT: dict[str, Content] = {
    host: with_evidence(host, content)
    for host, content in {
        **PLAIN,
        **_TYPES,
        **_OPENCODES,
        **_TABLES,
        **_OTHERS,
        **dict.fromkeys(_NONE, Content()),
    }.items()
}
