"""Roo Code: no hooks, by vendor's documentation (2026)."""

from __future__ import annotations

from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import Detect, Dir, Host, hookimpl

HOST = Host(
    id="roo-code",
    name="Roo Code",
    content=CONTENT["roo-code"],
    evidence=documented("2026", "vendor's documentation"),
    detect=Detect(dirs=(Dir("~/.roo"),)),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Roo Code."""
    return [HOST]
