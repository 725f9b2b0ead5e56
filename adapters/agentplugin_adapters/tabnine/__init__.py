"""Tabnine CLI: a descendant of Gemini CLI, with its dialect."""

from __future__ import annotations

from agentplugin_adapters.dialects import gemini, settings
from agentplugin_adapters.evidence import documented
from hatch_agentplugin.adapter import Detect, Dir, File, Host, Matcher, Native, Run, hookimpl

USER = Dir("~/.tabnine")
PROJECT = Dir(".tabnine")
FILE = "agent/settings.json"

HOST = Host(
    id="tabnine",
    name="Tabnine CLI",
    evidence=documented(),
    detect=Detect(binaries=("tabnine",), dirs=(USER,)),
    delivery=settings.entries(USER, PROJECT, FILE, entry=gemini.GROUP),
    matcher=Matcher(style="regex"),
    run=Run(guard=True, unit="ms", windows_shell="powershell"),
    wire=gemini.WIRE,
    tools={  # inherited names, not confirmed
        "shell": ("run_shell_command",),
        "file.read": ("read_file",),
        "file.write": ("write_file", "replace"),
    },
    events={
        "session-start": Native("SessionStart", can=gemini.can("context")),
        "turn-start": Native("BeforeAgent", can=gemini.can("deny", "context")),
        "pre-tool-use": Native("BeforeTool", matcher=True, can=gemini.can("deny")),
        "post-tool-use": Native("AfterTool", matcher=True, can=gemini.can("context")),
        "turn-end": Native("AfterAgent", can=gemini.can("keep-going")),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native(
            "PreCompress", near="Gemini CLI, its ancestor, fires it before every model call"
        ),
        "notification": Native("Notification"),
    },
    native_only=gemini.NATIVE_ONLY,
    switches=(settings.off(File(USER, FILE), File(PROJECT, FILE), key=gemini.OFF, is_=False),),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Tabnine CLI."""
    return [HOST]
