"""GitHub Copilot in JetBrains IDEs, by one public tool of 2026-06."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters import _copilot as copilot
from agentplugin_adapters._claude import can
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import claimed
from hatch_agentplugin.adapter import Detect, Dir, Entries, File, Host, Native, Run, hookimpl

HOST = Host(
    id="jetbrains-copilot",
    name="GitHub Copilot in JetBrains IDEs",
    content=CONTENT["jetbrains-copilot"],
    evidence=claimed("2026-06", "one public tool that writes its files"),
    detect=Detect(),
    delivery=Entries(
        files={"project": (File(Dir(".github"), "hooks/{plugin}-jetbrains.json"),)},
        at=("hooks", "$event"),
        entry={"type": "command", "command": "$command", "timeout": "$timeout"},
        document=copilot.DOCUMENT,
        own=True,
    ),
    run=Run(windows_shell="powershell"),
    wire=claude.WIRE,
    events={
        "session-start": Native("SessionStart", can=can("context")),
        "pre-tool-use": Native("PreToolUse", can=can("deny", "ask", "context")),
        "post-tool-use": Native("PostToolUse", can=can("context")),
        "pre-compact": Native("PreCompact"),
    },
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """GitHub Copilot in JetBrains IDEs."""
    return [HOST]
