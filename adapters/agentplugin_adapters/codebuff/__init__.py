"""Codebuff: it has no hooks."""

from __future__ import annotations

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.dialects.folders import AGENTS, HOME_AGENTS, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program
from hatch_agentplugin.adapter import Content, Detect, File, Host, hookimpl

HOST = Host(
    id="codebuff",
    name="Codebuff",
    evidence=program("1.0.685", "installed package, no word of hooks in it"),
    detect=Detect(binaries=("codebuff",)),
    content=Content(
        mcp=servers.typed(
            File(HOME_AGENTS, "mcp.json"),
            File(AGENTS, "mcp.json"),
            http=None,
            variable="$NAME",
            evidence=BY_OTHER_TOOLS,
        ),
        skills=in_both(HOME_AGENTS, AGENTS, "skills"),
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Codebuff."""
    return [HOST]
