"""Codebuff: no hooks, by installed package, no word of hooks in it (1.0.685)."""

from __future__ import annotations

from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program
from hatch_agentplugin.adapter import Detect, Host, hookimpl

HOST = Host(
    id="codebuff",
    name="Codebuff",
    content=CONTENT["codebuff"],
    evidence=program("1.0.685", "installed package, no word of hooks in it"),
    detect=Detect(binaries=("codebuff",)),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Codebuff."""
    return [HOST]
