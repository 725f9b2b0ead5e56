"""Content of the hosts with TOML tables, and of those that write servers like no other."""

from __future__ import annotations

from agentplugin_adapters._servers import (
    AGENTS,
    AGENTS_MD,
    CODEX,
    GROK,
    HERMES,
    HOME_AGENTS,
    LOCAL,
    OPENCLAW,
    REMOTE,
    ROOT,
    URL,
    VIBE,
    Files,
    both,
    in_folder,
    spots,
    tables,
    typed,
)
from hatch_agentplugin.adapter import Dir, File
from hatch_agentplugin.hosts.content import Content, Mcp

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

#: TOML tables.
TABLES: dict[str, Content] = {
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
OTHERS: dict[str, Content] = {
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
