"""Warp: no hooks, by request for hooks still open (2026)."""

from __future__ import annotations

from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import Detect, Dir, Host, hookimpl

HOST = Host(
    id="warp",
    name="Warp",
    content=CONTENT["warp"],
    evidence=documented("2026", "request for hooks still open"),
    detect=Detect(dirs=(Dir("~/.warp"),)),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Warp."""
    return [HOST]
