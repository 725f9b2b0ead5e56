"""Devin CLI, by the vendor's hooks page of 2026."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters._claude import can
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Mark,
    Matcher,
    Native,
    Wire,
    hookimpl,
)

USER = Dir("~/.config/devin", windows="%APPDATA%/devin")
PROJECT = Dir(".devin")
APPROVE = {"decision": "approve"}

HOST = Host(
    id="devin",
    name="Devin CLI",
    content=CONTENT["devin"],
    evidence=documented(),
    detect=Detect(binaries=("devin",), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "config.json"),),
            "project": (File(PROJECT, "hooks.v1.json"), File(PROJECT, "config.json")),
        },
        at=("$event",),
        second_at={"config.json": ("hooks", "$event")},
        entry=claude.GROUP,
    ),
    matcher=Matcher(style="regex"),
    wire=Wire(fields={**claude.FIELDS, "output": ("tool_response", "tool_output")}),
    tools={
        "shell": ("exec",),
        "file.write": ("edit", "write", "apply_patch"),
        "mcp": ("mcp__*",),
    },
    events={
        "session-start": Native("SessionStart", can=can("context")),
        "turn-start": Native("UserPromptSubmit", can=can("context", deny=claude.BLOCK)),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=can("modify-input", allow=APPROVE, deny=claude.BLOCK),
        ),
        "post-tool-use": Native("PostToolUse", matcher=True, can=can("context")),
        "turn-end": Native("Stop", can=can("keep-going")),
        "session-end": Native("SessionEnd"),
        "post-compact": Native("PostCompaction"),
        "permission-request": Native(
            "PermissionRequest", matcher=True, can=can(allow=APPROVE, deny=claude.BLOCK)
        ),
    },
    also_reads={"claude-code": ("user", "project", "local")},
    marks=(Mark(env="DEVIN_PROJECT_DIR"),),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Devin CLI."""
    return [HOST]
