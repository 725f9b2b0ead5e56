"""Qoder CLI, read in the installed package 1.1.52; it runs nothing without an account."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters._claude import can
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program
from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Run,
    hookimpl,
)

USER = Dir("~/.qoder", env="QODER_CONFIG_DIR")
PROJECT = Dir(".qoder")

HOST = Host(
    id="qoder",
    name="Qoder CLI",
    content=CONTENT["qoder"],
    evidence=program("1.1.52"),
    detect=Detect(binaries=("qodercli", "qoder"), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "settings.json"),),
            "project": (File(PROJECT, "settings.json"),),
            "local": (File(PROJECT, "settings.local.json"),),
        },
        at=("hooks", "$event"),
        entry=claude.GROUP,
    ),
    matcher=Matcher(style="exact-list"),
    run=Run(windows_shell="bash"),
    wire=claude.WIRE,
    tools={
        "shell": ("Bash",),
        "file.read": ("Read",),
        "file.write": ("Write", "Edit"),
        "mcp": ("mcp__*",),
        "agent": ("Agent", "Task"),
        "web": ("WebFetch", "WebSearch"),
    },
    events={
        "session-start": Native("SessionStart", can=can("context")),
        "turn-start": Native("UserPromptSubmit", can=can("context", "halt", deny=claude.BLOCK)),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=can(
                *("allow", "deny", "ask", "context", "modify-input"), halt=claude.DENY_AND_HALT
            ),
        ),
        "post-tool-use": Native("PostToolUse", matcher=True, can=can("context", "halt")),
        "turn-end": Native("Stop", can=can("keep-going", "halt")),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native("PreCompact"),
        "post-compact": Native("PostCompact"),
        "notification": Native("Notification"),
        "permission-request": Native("PermissionRequest", matcher=True, can=claude.APPROVAL),
        "post-tool-use-failure": Native("PostToolUseFailure", matcher=True, can=can("context")),
        "subagent-start": Native("SubagentStart", can=can("context")),
        "subagent-stop": Native("SubagentStop", can=can("keep-going", "halt")),
        "permission-denied": Native("PermissionDenied"),
        "stop-failure": Native("StopFailure"),
        "file-change": Native("FileChanged"),
        "config-change": Native("ConfigChange"),
        "task-create": Native("TaskCreated"),
        "task-complete": Native("TaskCompleted"),
        "agent-idle": Native("TeammateIdle"),
    },
    native_only=(
        "InstructionsLoaded",
        "CwdChanged",
        "WorktreeCreate",
        "WorktreeRemove",
        "Elicitation",
        "ElicitationResult",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Qoder CLI."""
    return [HOST]
