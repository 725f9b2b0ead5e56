"""Kilo CLI: OpenCode's dialect; Kilo Code for VS Code has the same backend."""

from __future__ import annotations

from agentplugin_adapters.dialects import opencode, servers
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, witnessed
from hatch_agentplugin.adapter import Content, Detect, Dir, Host, hookimpl

USER = Dir("~/.config/kilo", env="XDG_CONFIG_HOME", inside="kilo")
PROJECT = Dir(".kilo")
SERVERS = servers.opencode(USER, "kilo", evidence=BY_OTHER_TOOLS)

HOST = Host(
    id="kilo-cli",
    name="Kilo CLI",
    evidence=witnessed("7.7.7"),
    detect=Detect(binaries=("kilo", "kilocode"), dirs=(USER,)),
    delivery=opencode.module(USER, PROJECT, "@kilocode/plugin"),
    wire=opencode.WIRE,
    tools={**opencode.TOOLS, "shell": ("bash", "background_process")},
    events=opencode.EVENTS,
    note=opencode.NOTE,
    content=Content(
        mcp=SERVERS,
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kilo CLI."""
    return [HOST]
