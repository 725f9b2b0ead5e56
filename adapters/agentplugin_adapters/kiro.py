"""Kiro IDE 1 and CLI 3, by copies of the vendor's hooks page of 2026-11-12."""

from __future__ import annotations

from agentplugin_adapters import _kiro as kiro
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from agentplugin_adapters._kiro import can
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

USER = Dir("~/.kiro", env="KIRO_HOME")
OWN = "hooks/{plugin}.json"

HOST = Host(
    id="kiro",
    name="Kiro",
    content=CONTENT["kiro"],
    evidence=documented("2026-11-12", "copy of the vendor's hooks page"),
    detect=Detect(binaries=("kiro", "kiro-cli"), dirs=(USER,)),
    delivery=Entries(
        files={"user": (File(USER, OWN),), "project": (File(Dir(".kiro"), OWN),)},
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
    run=Run(guard=True, default=60),  # any status but 0 refuses
    wire=kiro.WIRE,
    tools={
        "shell": ("shell", "execute_bash"),
        "file.read": ("read", "fs_read"),
        "file.write": ("write", "fs_write", "fsWrite"),
        "mcp": ("@*",),
    },
    events={
        "session-start": Native("SessionStart", can=can("context")),
        "turn-start": Native("UserPromptSubmit", can=can("deny", "context")),
        "pre-tool-use": Native("PreToolUse", matcher=True, can=can("deny", "context")),
        "post-tool-use": Native("PostToolUse", matcher=True, can=can("context")),
        "turn-end": Native("Stop"),
        "file-change": Native("PostFileSave", near="only files saved in the editor"),
        "task-complete": Native("PostTaskExec", near="only tasks of a specification"),
    },
    native_only=("PostFileCreate", "PostFileDelete", "PreTaskExec", "Manual"),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kiro."""
    return [HOST]
