"""Content of the hosts whose servers stand in a map and say their type."""

from __future__ import annotations

from agentplugin_adapters._servers import (
    AGENTS,
    AGENTS_MD,
    CLAUDE,
    CODE,
    COPILOT,
    COPILOT_HTTP,
    COPILOT_LOCAL,
    CRUSH,
    FACTORY,
    HOME_AGENTS,
    HTTP,
    QODER,
    ROOT,
    SSE,
    TYPED,
    URL,
    both,
    in_folder,
    plain,
    typed,
)
from hatch_agentplugin.adapter import Dir, File
from hatch_agentplugin.hosts.content import Content, Mcp

#: A plain map with a type in each entry.
TYPED_MAPS: dict[str, Content] = {
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
