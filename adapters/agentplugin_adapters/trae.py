"""Trae: no hooks, by two public tools (2026-06)."""

from __future__ import annotations

from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import claimed
from hatch_agentplugin.adapter import Detect, Dir, Host, hookimpl

HOST = Host(
    id="trae",
    name="Trae",
    content=CONTENT["trae"],
    evidence=claimed("2026-06", "two public tools"),
    detect=Detect(dirs=(Dir("~/.trae"),)),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Trae."""
    return [HOST]
