"""Kilo Code for VS Code: it shares the backend and the files of Kilo CLI."""

from __future__ import annotations

from agentplugin_adapters import kilo_cli
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, hookimpl

HOST = Host(
    id="kilo",
    name="Kilo Code",
    evidence=documented(),
    detect=Detect(),
    through="kilo-cli",
    content=Content(
        mcp=kilo_cli.SERVERS,
        skills=in_both(Dir("~/.kilo"), kilo_cli.PROJECT, "skills"),
        commands={"project": File(kilo_cli.PROJECT, "commands")},
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kilo Code for VS Code."""
    return [HOST]
