"""Trae: it has no hooks."""

from __future__ import annotations

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, claimed
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, hookimpl

USER = Dir("~/.trae")
PROJECT = Dir(".trae")

HOST = Host(
    id="trae",
    name="Trae",
    evidence=claimed("2026-06", "two public tools"),
    detect=Detect(dirs=(USER,)),
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp.json"),
            File(PROJECT, "mcp.json"),
            remote=None,
            evidence=BY_OTHER_TOOLS,
        ),
        rules={"project": File(PROJECT, "project_rules.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Trae."""
    return [HOST]
