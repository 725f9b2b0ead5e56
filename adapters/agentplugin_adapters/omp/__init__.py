"""Oh My Pi: a fork of Pi."""

from __future__ import annotations

from dataclasses import replace

from agentplugin_adapters.dialects import pi, servers
from agentplugin_adapters.dialects.folders import in_both
from agentplugin_adapters.evidence import program, witnessed
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, Native, bridge, hookimpl

USER = Dir("~/.omp/agent", env="PI_CODING_AGENT_DIR")
PROJECT = Dir(".omp")
READ = program("18.3.4", "package source")
OLDER = program("2026")

HOST = Host(
    id="omp",
    name="Oh My Pi",
    evidence=witnessed("18.2.3"),
    # Pi reads the same variable, so the folder that it names may be Pi's.
    detect=Detect(binaries=("omp",), dirs=(replace(USER, env=None),)),
    # Of two modules with the same name it loads only the project's; ours lets the user's do the work.
    delivery=pi.module(
        USER, PROJECT, "@earendil-works/pi-coding-agent", in_project="{plugin}.project.js"
    ),
    wire=pi.WIRE,
    tools={
        "shell": ("bash",),
        "file.read": ("read",),
        "file.write": ("edit", "write", "ast_edit"),
        "mcp": ("mcp__*",),
        "agent": ("task",),
        "web": ("web_search",),
    },
    events={
        **pi.EVENTS,
        "turn-start": replace(
            pi.EVENTS["turn-start"], near="a prompt can be refused only in the terminal"
        ),
        "turn-end": Native("session_stop", can=bridge("keep-going", "message")),
        "session-end": Native("session_shutdown", timeout_max=2),
        "pre-compact": Native("session_before_compact", can=bridge("deny", "context", "message")),
        "permission-request": Native("tool_approval_requested", evidence=READ),
        "subagent-start": Native(
            "before_subagent_spawn", can=bridge("deny", "message"), evidence=READ
        ),
    },
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp.json"),
            File(PROJECT, "mcp.json"),
            remote=servers.URL,
            variable="${NAME}",
            evidence=OLDER,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules={"user": File(USER, "AGENTS.md"), "project": File(PROJECT, "RULES.md")},
        mcp_from=(
            "claude-code",
            "codex",
            "cursor",
            "gemini-cli",
            "opencode",
            "vscode-copilot",
            "windsurf",
        ),
        evidence=OLDER,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Oh My Pi."""
    return [HOST]
