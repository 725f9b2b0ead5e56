"""Oh My Pi, seen running at 18.2.3; the event for subagents was read in 18.3.4."""

from __future__ import annotations

from dataclasses import replace

from agentplugin_adapters import _pi as family
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program, witnessed
from hatch_agentplugin.adapter import Detect, Dir, Host, Native, bridge, hookimpl

USER = Dir("~/.omp/agent", env="PI_CODING_AGENT_DIR")
READ = program("18.3.4", "package source")

HOST = Host(
    id="omp",
    name="Oh My Pi",
    content=CONTENT["omp"],
    evidence=witnessed("18.2.3"),
    detect=Detect(binaries=("omp",), dirs=(Dir("~/.omp/agent"),)),
    # Of two modules with one name it loads only the project's, which leaves the work to the user's.
    delivery=family.module(
        USER, Dir(".omp"), "@earendil-works/pi-coding-agent", in_project="{plugin}.project.js"
    ),
    wire=family.WIRE,
    tools={
        "shell": ("bash",),
        "file.read": ("read",),
        "file.write": ("edit", "write", "ast_edit"),
        "mcp": ("mcp__*",),
        "agent": ("task",),
        "web": ("web_search",),
    },
    events={
        **family.EVENTS,
        "turn-start": replace(
            family.EVENTS["turn-start"], near="a prompt can be refused only in the terminal"
        ),
        "turn-end": Native("session_stop", can=bridge("keep-going", "message")),
        "session-end": Native("session_shutdown", timeout_max=2),
        "pre-compact": Native("session_before_compact", can=bridge("deny", "context", "message")),
        "permission-request": Native("tool_approval_requested", evidence=READ),
        "subagent-start": Native(
            "before_subagent_spawn", can=bridge("deny", "message"), evidence=READ
        ),
    },
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Oh My Pi."""
    return [HOST]
