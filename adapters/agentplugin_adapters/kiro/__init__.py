"""Kiro, the IDE and the command line from version 3 on."""

from __future__ import annotations

from agentplugin_adapters.dialects import kiro
from agentplugin_adapters.dialects.folders import in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Run,
    hookimpl,
)

OWN = "hooks/{plugin}.json"

HOST = Host(
    id="kiro",
    name="Kiro",
    evidence=documented("2026-11-12", "copy of the vendor's hooks page"),
    detect=Detect(binaries=("kiro", "kiro-cli"), dirs=(kiro.USER,)),
    delivery=Entries(
        files={"user": (File(kiro.USER, OWN),), "project": (File(kiro.PROJECT, OWN),)},
        at=("hooks",),
        entry={
            "name": "$id",
            "trigger": "$event",
            "matcher": "$matcher",
            "action": {"type": "command", "command": "$command"},
            "timeout": "$timeout",
            "enabled": True,
        },
        document={"version": "v1"},
        own=True,
    ),
    matcher=Matcher(style="regex"),
    run=Run(guard=True, default=60),  # any status but 0 is a refusal
    wire=kiro.WIRE,
    tools={
        "shell": ("shell", "execute_bash"),
        "file.read": ("read", "fs_read"),
        "file.write": ("write", "fs_write", "fsWrite"),
        "mcp": ("@*",),
    },
    events={
        "session-start": Native("SessionStart", can=kiro.can("context")),
        "turn-start": Native("UserPromptSubmit", can=kiro.can("deny", "context")),
        "pre-tool-use": Native("PreToolUse", matcher=True, can=kiro.can("deny", "context")),
        "post-tool-use": Native("PostToolUse", matcher=True, can=kiro.can("context")),
        "turn-end": Native("Stop"),
        "file-change": Native("PostFileSave", near="only files saved in the editor"),
        "task-complete": Native("PostTaskExec", near="only tasks of a specification"),
    },
    native_only=("PostFileCreate", "PostFileDelete", "PreTaskExec", "Manual"),
    content=Content(
        mcp=kiro.SERVERS,
        skills=in_both(kiro.USER, kiro.PROJECT, "skills"),
        rules=in_both(kiro.USER, kiro.PROJECT, "steering/{plugin}.md"),
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kiro."""
    return [HOST]
