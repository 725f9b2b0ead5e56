"""GitHub Copilot in JetBrains IDEs."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, copilot
from agentplugin_adapters.evidence import claimed
from hatch_agentplugin.adapter import Detect, Entries, File, Host, Native, Run, hookimpl

HOST = Host(
    id="jetbrains-copilot",
    name="GitHub Copilot in JetBrains IDEs",
    evidence=claimed("2026-06", "one public tool that writes its files"),
    detect=Detect(),
    delivery=Entries(
        files={"project": (File(copilot.PROJECT, "hooks/{plugin}-jetbrains.json"),)},
        at=("hooks", "$event"),
        entry={"type": "command", "command": "$command", "timeout": "$timeout"},
        document=copilot.DOCUMENT,
        own=True,
    ),
    run=Run(windows_shell="powershell"),
    wire=claude.WIRE,
    events={
        "session-start": Native("SessionStart", can=claude.can("context")),
        "pre-tool-use": Native("PreToolUse", can=claude.can("deny", "ask", "context")),
        "post-tool-use": Native("PostToolUse", can=claude.can("context")),
        "pre-compact": Native("PreCompact"),
    },
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """GitHub Copilot in JetBrains IDEs."""
    return [HOST]
