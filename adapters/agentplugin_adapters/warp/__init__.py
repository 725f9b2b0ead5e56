"""Warp: it has no hooks; the request for them is still open."""

from __future__ import annotations

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.dialects.folders import AGENTS, AGENTS_MD
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, hookimpl

USER = Dir("~/.warp")
PROJECT = Dir(".warp")

HOST = Host(
    id="warp",
    name="Warp",
    evidence=documented("2026", "request for hooks still open"),
    detect=Detect(dirs=(USER,)),
    content=Content(
        mcp=servers.plain(
            File(USER, ".mcp.json"),
            File(PROJECT, ".mcp.json"),
            cwd="working_directory",
            evidence=BY_OTHER_TOOLS,
        ),
        skills={"project": File(AGENTS, "skills")},
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Warp."""
    return [HOST]
