"""Zed: no hooks, by request for hooks still open (2026-08)."""

from __future__ import annotations

from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import Detect, Dir, Host, hookimpl

HOST = Host(
    id="zed",
    name="Zed",
    content=CONTENT["zed"],
    evidence=documented("2026-08", "request for hooks still open"),
    detect=Detect(dirs=(Dir("~/.config/zed"),)),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Zed."""
    return [HOST]
