"""Qoder CLI: Claude Code's whole protocol; it runs nothing without an account."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers, settings
from agentplugin_adapters.dialects.folders import AGENTS_MD, ROOT, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    File,
    Host,
    Matcher,
    Native,
    Run,
    hookimpl,
)

USER = Dir("~/.qoder", env="QODER_CONFIG_DIR")
PROJECT = Dir(".qoder")
#: Events that no other host has.
NATIVE_ONLY = (
    "InstructionsLoaded", "CwdChanged", "WorktreeCreate", "WorktreeRemove", "Elicitation",
    "ElicitationResult",
)  # fmt: skip

HOST = Host(
    id="qoder",
    name="Qoder CLI",
    evidence=program("1.1.52"),
    detect=Detect(binaries=("qodercli", "qoder"), dirs=(USER,)),
    delivery=settings.entries(USER, PROJECT, local="settings.local.json"),
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
        **claude.EVENTS,
        "post-compact": Native("PostCompact"),
        "permission-denied": Native("PermissionDenied"),
        "stop-failure": Native("StopFailure"),
        "file-change": Native("FileChanged"),
        "config-change": Native("ConfigChange"),
        "task-create": Native("TaskCreated"),
        "task-complete": Native("TaskCompleted"),
        "agent-idle": Native("TeammateIdle"),
    },
    native_only=NATIVE_ONLY,
    content=Content(  # Claude Code reads the same project file
        mcp=servers.typed(
            File(USER, "settings.json"),
            File(ROOT, ".mcp.json"),
            sse=servers.SSE,
            variable="${NAME}",
            evidence=BY_OTHER_TOOLS,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Qoder CLI."""
    return [HOST]
