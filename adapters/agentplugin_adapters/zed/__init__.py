"""Zed: it has no hooks; the request for them is still open."""

from __future__ import annotations

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.dialects.folders import AGENTS, AGENTS_MD, HOME_AGENTS, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, hookimpl

USER = Dir("~/.config/zed", windows="%APPDATA%/Zed")
PROJECT = Dir(".zed")

HOST = Host(
    id="zed",
    name="Zed",
    evidence=documented("2026-08", "request for hooks still open"),
    detect=Detect(dirs=(USER,)),
    content=Content(
        mcp=servers.typed(
            File(USER, "settings.json"),
            File(PROJECT, "settings.json"),
            stdio={"source": "custom", **servers.LOCAL},
            http=None,
            at=("context_servers", "$name"),
            format="jsonc",
            evidence=documented(),
        ),
        skills=in_both(HOME_AGENTS, AGENTS, "skills"),
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Zed."""
    return [HOST]
