"""MiMoCode, by its public source of 2026; it was not run."""

from __future__ import annotations

from agentplugin_adapters import _opencode as family
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program
from hatch_agentplugin.adapter import Detect, Dir, Host, Native, bridge, hookimpl

USER = Dir("~/.config/mimocode", env="XDG_CONFIG_HOME", inside="mimocode")

HOST = Host(
    id="mimo-code",
    name="MiMoCode",
    content=CONTENT["mimo-code"],
    evidence=program("2026", "public source"),
    detect=Detect(binaries=("mimo",), dirs=(USER,)),
    delivery=family.module(USER, Dir(".mimocode"), ""),
    wire=family.WIRE,
    tools=family.TOOLS,
    events={
        **family.EVENTS,
        "session-end": Native("session.deleted", near="only when a session is deleted"),
        "subagent-stop": Native(
            "actor.preStop", can=bridge("keep-going"), near="not for built-in agents"
        ),
    },
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """MiMoCode."""
    return [HOST]
