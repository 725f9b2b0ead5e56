"""Roo Code: it has no hooks."""

from __future__ import annotations

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.dialects.folders import VSCODE
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, hookimpl

USER = Dir("~/.roo")
PROJECT = Dir(".roo")

HOST = Host(
    id="roo-code",
    name="Roo Code",
    evidence=documented("2026", "vendor's documentation"),
    detect=Detect(dirs=(USER,)),
    content=Content(
        mcp=servers.plain(
            File(VSCODE, "globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
            File(PROJECT, "mcp.json"),
            remote=servers.URL,
            evidence=BY_OTHER_TOOLS,
        ),
        skills={"project": File(PROJECT, "skills")},
        commands={"project": File(PROJECT, "commands")},
        rules={"project": File(PROJECT, "rules/{plugin}.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Roo Code."""
    return [HOST]
