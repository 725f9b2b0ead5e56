"""Replit Agent: it has no hooks."""

from __future__ import annotations

from agentplugin_adapters.dialects.folders import AGENTS, ROOT
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, claimed
from hatch_agentplugin.adapter import Content, Detect, File, Host, hookimpl

HOST = Host(
    id="replit",
    name="Replit Agent",
    evidence=claimed("2026-08", "a public tool that lists its features"),
    detect=Detect(),
    content=Content(
        skills={"project": File(AGENTS, "skills")},
        rules={"project": File(ROOT, "replit.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Replit Agent."""
    return [HOST]
