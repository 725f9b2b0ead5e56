"""JetBrains AI Assistant: it has no hooks."""

from __future__ import annotations

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.dialects.folders import AGENTS
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, claimed
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, hookimpl

USER = Dir("~/.ai")
PROJECT = Dir(".ai")

HOST = Host(
    id="jetbrains-ai-assistant",
    name="JetBrains AI Assistant",
    evidence=claimed("2026-08", "a public tool that lists its features"),
    detect=Detect(),
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp/mcp.json"),
            File(PROJECT, "mcp/mcp.json"),
            remote=None,
            evidence=BY_OTHER_TOOLS,
        ),
        skills={"project": File(AGENTS, "skills")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """JetBrains AI Assistant."""
    return [HOST]
