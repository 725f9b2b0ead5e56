"""Crush: it has one event."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers
from agentplugin_adapters.dialects.folders import ROOT, in_both
from agentplugin_adapters.evidence import program
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Mcp,
    Native,
    Run,
    hookimpl,
)

USER = Dir("~/.config/crush", env="CRUSH_GLOBAL_CONFIG", windows="%LOCALAPPDATA%/crush")
READ = program("2026-08-21", "vendor's repository")

HOST = Host(
    id="crush",
    name="Crush",
    evidence=READ,
    detect=Detect(binaries=("crush",), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "crush.json"),),
            "project": (File(ROOT, ".crush.json"), File(ROOT, "crush.json")),
        },
        at=("hooks", "$event"),
        entry={"matcher": "$matcher", "command": "$command", "timeout": "$timeout"},
    ),
    matcher=Matcher(style="regex"),
    run=Run(default=30, windows_shell="bash"),
    wire=claude.WIRE,
    tools={
        "shell": ("bash",),
        "file.read": ("view",),
        "file.write": ("edit", "write", "multiedit"),
        "mcp": ("mcp_*",),
        "agent": ("agent",),
    },
    events={
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can={
                "allow": {"decision": "allow"},
                "deny": {"decision": "deny", "reason": "$reason"},
                "context": {"context": "$text"},
                "modify-input": {"updated_input": "$input"},
                "halt": {"halt": True, "reason": "$reason"},
            },
            near="not for the calls of subagents",
        ),
    },
    content=Content(
        mcp=Mcp(
            files={
                "user": (File(USER, "crush.json"),),
                "project": (File(ROOT, ".crush.json"), File(ROOT, "crush.json")),
            },
            at=("mcp", "$name"),
            stdio=servers.TYPED,
            http=servers.HTTP,
            sse=servers.SSE,
            evidence=READ,
        ),
        skills=in_both(USER, Dir(".crush"), "skills"),
        evidence=READ,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Crush."""
    return [HOST]
