"""OpenCode, seen running at 1.18.33 (and how modules load at 1.0 to 1.2)."""

from __future__ import annotations

from agentplugin_adapters import _opencode as family
from agentplugin_adapters._bundles import BUNDLES
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import witnessed
from hatch_agentplugin.adapter import Detect, Dir, Host, hookimpl

USER = Dir("~/.config/opencode", env="XDG_CONFIG_HOME", inside="opencode")

HOST = Host(
    id="opencode",
    name="OpenCode",
    content=CONTENT["opencode"],
    bundle=BUNDLES["opencode"],
    evidence=witnessed("1.18.33"),
    detect=Detect(binaries=("opencode",), dirs=(USER,)),
    delivery=family.module(USER, Dir(".opencode"), "@opencode-ai/plugin"),
    events=family.EVENTS,
    tools=family.TOOLS,
    wire=family.WIRE,
    note=family.NOTE,
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """OpenCode."""
    return [HOST]
