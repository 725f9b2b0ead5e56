"""Kilo CLI, seen running at 7.7.7, and Kilo Code for VS Code on the same backend."""

from __future__ import annotations

from agentplugin_adapters import _opencode as family
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import witnessed
from hatch_agentplugin.adapter import Detect, Dir, Host, hookimpl

USER = Dir("~/.config/kilo", env="XDG_CONFIG_HOME", inside="kilo")

HOST = Host(
    id="kilo-cli",
    name="Kilo CLI",
    content=CONTENT["kilo-cli"],
    evidence=witnessed("7.7.7"),
    detect=Detect(binaries=("kilo", "kilocode"), dirs=(USER,)),
    delivery=family.module(USER, Dir(".kilo"), "@kilocode/plugin"),
    wire=family.WIRE,
    tools={**family.TOOLS, "shell": ("bash", "background_process")},
    events=family.EVENTS,
    note=family.NOTE,
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kilo CLI."""
    return [HOST]
