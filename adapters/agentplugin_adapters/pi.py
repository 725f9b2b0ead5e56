"""Pi, seen running at 1.6.0; events marked otherwise at 0.73.1 or in the types of the package."""

from __future__ import annotations

from agentplugin_adapters import _pi as family
from agentplugin_adapters._bundles import BUNDLES
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program, witnessed
from hatch_agentplugin.adapter import Detect, Dir, Host, Native, bridge, hookimpl

USER = Dir("~/.pi/agent", env="PI_CODING_AGENT_DIR")
TYPES = program("1.6.0", "types of the package")
OLDER = witnessed("0.73.1")

HOST = Host(
    id="pi",
    name="Pi",
    content=CONTENT["pi"],
    bundle=BUNDLES["pi"],
    evidence=witnessed("1.6.0"),
    detect=Detect(binaries=("pi",), dirs=(USER,)),
    delivery=family.module(USER, Dir(".pi"), "@earendil-works/pi-coding-agent"),
    wire=family.WIRE,
    tools={
        "shell": ("bash", "powershell"),
        "file.read": ("read",),
        "file.write": ("edit", "write"),
        "mcp": ("mcp__*",),
    },
    events={
        **family.EVENTS,
        "turn-end": Native("agent_before_settle", can=bridge("keep-going", "message")),
        "pre-compact": Native(
            "session_before_compact", can=bridge("deny", "message"), evidence=OLDER
        ),
        "post-compact": Native("session_compact", evidence=OLDER),
        "notification": Native(
            "ui_prompt_start", near="only dialogs of extensions", evidence=TYPES
        ),
        "model-switch-after": Native("model_select", evidence=TYPES),
    },
    after_project=(
        "Trust the project in Pi; in print mode its extensions are left out without a word.",
    ),
    note="The end of a turn needs 0.80.4, keeping it going 0.87.",
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Pi."""
    return [HOST]
