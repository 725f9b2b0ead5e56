"""MiMoCode: OpenCode's dialect."""

from __future__ import annotations

from agentplugin_adapters.dialects import opencode, servers
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program
from hatch_agentplugin.adapter import Content, Detect, Dir, Host, Native, bridge, hookimpl

USER = Dir("~/.config/mimocode", env="XDG_CONFIG_HOME", inside="mimocode")
PROJECT = Dir(".mimocode")

HOST = Host(
    id="mimo-code",
    name="MiMoCode",
    evidence=program("2026", "public source"),
    detect=Detect(binaries=("mimo",), dirs=(USER,)),
    delivery=opencode.module(USER, PROJECT, ""),
    wire=opencode.WIRE,
    tools=opencode.TOOLS,
    events={
        **opencode.EVENTS,
        "session-end": Native("session.deleted", near="only when a session is deleted"),
        "subagent-stop": Native(
            "actor.preStop", can=bridge("keep-going"), near="not for built-in agents"
        ),
    },
    content=Content(
        mcp=servers.opencode(
            USER,
            "mimocode",
            headers=False,
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
    """MiMoCode."""
    return [HOST]
