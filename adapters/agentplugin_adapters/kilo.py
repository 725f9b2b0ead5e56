"""Kilo Code for VS Code 7: it shares the backend and the files of Kilo CLI (2026)."""

from __future__ import annotations

from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import Detect, Host, hookimpl

HOST = Host(
    id="kilo",
    name="Kilo Code",
    content=CONTENT["kilo"],
    evidence=documented(),
    detect=Detect(),
    through="kilo-cli",
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kilo Code for VS Code."""
    return [HOST]
