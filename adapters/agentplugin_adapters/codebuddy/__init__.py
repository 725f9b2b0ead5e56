"""CodeBuddy Code: known only from a third-party list, which calls it similar to Claude Code."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, settings
from agentplugin_adapters.evidence import claimed
from hatch_agentplugin.adapter import Detect, Dir, Host, Matcher, Native, hookimpl

USER = Dir("~/.codebuddy")
PROJECT = Dir(".codebuddy")

HOST = Host(
    id="codebuddy",
    name="CodeBuddy Code",
    evidence=claimed("2026-04", "one third-party list of agent configurations"),
    detect=Detect(binaries=("codebuddy",), dirs=(USER,)),
    delivery=settings.entries(USER, PROJECT, local="settings.local.json"),
    matcher=Matcher(style="regex"),
    wire=claude.WIRE,
    # The reply format is unknown, so no outcome is listed.
    events={
        "session-start": Native("SessionStart"),
        "turn-start": Native("UserPromptSubmit"),
        "pre-tool-use": Native("PreToolUse", matcher=True),
        "post-tool-use": Native("PostToolUse", matcher=True),
        "turn-end": Native("Stop"),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native("PreCompact"),
        "notification": Native("Notification"),
        "subagent-stop": Native("SubagentStop"),
    },
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """CodeBuddy Code."""
    return [HOST]
