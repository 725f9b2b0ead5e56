"""JetBrains AI Assistant: no hooks, by a public tool that lists its features (2026-08)."""

from __future__ import annotations

from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import claimed
from hatch_agentplugin.adapter import Detect, Host, hookimpl

HOST = Host(
    id="jetbrains-ai-assistant",
    name="JetBrains AI Assistant",
    content=CONTENT["jetbrains-ai-assistant"],
    evidence=claimed("2026-08", "a public tool that lists its features"),
    detect=Detect(),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """JetBrains AI Assistant."""
    return [HOST]
