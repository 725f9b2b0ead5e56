"""The dialect of OpenCode: one code module, in a folder that all hosts and releases scan."""

from __future__ import annotations

from agentplugin_adapters.evidence import program
from hatch_agentplugin.adapter import BRIDGE_WIRE, Dir, File, Module, Native, bridge

WIRE = BRIDGE_WIRE
TYPES = program("1.18.33", "types of the host's plugin package")

#: The cost of a plugin on these hosts.
NOTE = (
    "As soon as a plugin exists the host fetches its types package into the folder; without a"
    " network that takes a minute, unless npm's fetch-retries is 0."
)

EVENTS: dict[str, Native] = {
    "session-start": Native("session.created", can=bridge("context", "message")),
    "turn-start": Native("chat.message", can=bridge("deny", "context", "message")),
    "pre-tool-use": Native(
        "tool.execute.before", can=bridge("deny", "context", "modify-input", "message")
    ),
    "post-tool-use": Native(
        "tool.execute.after", can=bridge("context", "modify-output", "message")
    ),
    "turn-end": Native(
        "session.idle",
        can=bridge("keep-going", "message"),
        near="a run without a terminal may end before it continues",
    ),
    "session-end": Native("dispose"),
    "pre-compact": Native("experimental.session.compacting", can=bridge("context")),
    "post-compact": Native("session.compacted"),
    "notification": Native(
        "tui.toast.show", near="only what the terminal shows as a toast", evidence=TYPES
    ),
    "permission-request": Native(
        "permission.asked",
        can=bridge("allow", "deny"),
        near="the tool is the kind of permission, and the user may answer first",
    ),
    "post-tool-use-failure": Native("message.part.updated"),
    "subagent-start": Native("session.created"),
    "subagent-stop": Native("session.idle"),
    "permission-denied": Native("permission.replied"),
    "stop-failure": Native("session.error"),
    "file-change": Native("file.edited", near="only edits by the agent", evidence=TYPES),
}

TOOLS = {
    "shell": ("bash",),
    "file.read": ("read",),
    "file.write": ("edit", "write", "apply_patch", "patch"),
    "agent": ("task",),
    "web": ("webfetch", "websearch"),
    "mcp": ("*_*",),
}


def module(user: Dir, project: Dir, types: str) -> Module:
    """The module in ``plugin/`` of the two folders; ``types`` is the host's package of types."""
    path = "plugin/{plugin}.js"
    return Module(
        files={"user": (File(user, path),), "project": (File(project, path),)},
        package=__package__ or "",
        templates=("opencode.js.j2",),
        params={"types": types},
    )
