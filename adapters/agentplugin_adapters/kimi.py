"""Kimi Code CLI, driven at 2.1.0; what did not fire there was read in the vendor's repository."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters import _kimi as kimi
from agentplugin_adapters._bundles import BUNDLES
from agentplugin_adapters._claude import can
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program, witnessed
from hatch_agentplugin.adapter import Detect, Dir, Host, Matcher, Native, hookimpl

USER = Dir("~/.kimi-code", env="KIMI_CODE_HOME")
READ = program("2026-08-22", "vendor's repository")

HOST = Host(
    id="kimi",
    name="Kimi Code CLI",
    content=CONTENT["kimi"],
    bundle=BUNDLES["kimi"],
    evidence=witnessed("2.1.0"),
    detect=Detect(dirs=(USER,)),  # the program's name is that of its predecessor, too
    bom=True,
    delivery=kimi.rules(USER),
    matcher=Matcher(style="regex"),
    run=kimi.RUN,
    wire=kimi.WIRE,
    tools={
        "shell": ("Bash",),
        "file.read": ("Read",),
        "file.write": ("Write", "Edit"),
        "mcp": ("mcp__*",),
        "agent": ("Agent", "AgentSwarm"),
        "web": ("FetchURL", "WebSearch"),
    },
    events={
        "session-start": Native("SessionStart"),
        "turn-start": Native(
            "UserPromptSubmit",
            can={"deny": claude.EXIT_2, "context": claude.PLAIN_TEXT},
            fields={"prompt": ("prompt.0.text", "prompt")},
        ),
        "pre-tool-use": Native("PreToolUse", matcher=True, can=can("deny")),
        # Not waited for, and ended with the turn.
        "post-tool-use": Native("PostToolUse", matcher=True, detached=True),
        "turn-end": Native("Stop", can={"keep-going": claude.EXIT_2}),
        "session-end": Native("SessionEnd", near="not in headless runs", evidence=READ),
        "pre-compact": Native("PreCompact", evidence=READ),
        "post-compact": Native("PostCompact", evidence=READ),
        "notification": Native("Notification", evidence=READ),
        "permission-request": Native("PermissionRequest", matcher=True, evidence=READ),
        "post-tool-use-failure": Native("PostToolUseFailure", matcher=True),
        "subagent-start": Native("SubagentStart", evidence=READ),
        "subagent-stop": Native("SubagentStop", evidence=READ),
        "stop-failure": Native("StopFailure", evidence=READ),
    },
    native_only=(
        "PermissionResult",
        "Interrupt",
        "TurnStarted",
        "UserPromptQueued",
        "TaskStarted",
        "SessionHeartbeat",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kimi Code CLI."""
    return [HOST]
