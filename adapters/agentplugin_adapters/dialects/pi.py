"""The dialect of Pi: one code module, which its fork Oh My Pi loads too."""

from __future__ import annotations

from hatch_agentplugin.adapter import BRIDGE_WIRE, Dir, File, Module, Native, bridge

WIRE = BRIDGE_WIRE

#: Events of both hosts.
EVENTS: dict[str, Native] = {
    "session-start": Native("session_start", can=bridge("context", "message")),
    "turn-start": Native("input", can=bridge("deny", "context", "message")),
    "pre-tool-use": Native(
        "tool_call", can=bridge("deny", "ask", "context", "modify-input", "message")
    ),
    "post-tool-use": Native("tool_result", can=bridge("context", "modify-output", "message")),
    "post-tool-use-failure": Native("tool_result", can=bridge("context", "message")),
    "post-compact": Native("session_compact"),
    "session-end": Native("session_shutdown"),
}


def module(user: Dir, project: Dir, types: str, in_project: str = "{plugin}.js") -> Module:
    """The module in ``extensions/``; ``types`` is the host's package of types."""
    return Module(
        files={
            "user": (File(user, "extensions/{plugin}.js"),),
            "project": (File(project, f"extensions/{in_project}"),),
        },
        package=__package__ or "",
        templates=("pi.js.j2",),
        params={"types": types},
    )
