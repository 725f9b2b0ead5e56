"""iFlow CLI: known only from a third-party list."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers, settings
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, claimed
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, Matcher, Native, hookimpl

USER = Dir("~/.iflow")
PROJECT = Dir(".iflow")

HOST = Host(
    id="iflow",
    name="iFlow CLI",
    evidence=claimed("2026-04", "one third-party list of agent configurations"),
    detect=Detect(binaries=("iflow",), dirs=(USER,)),
    delivery=settings.entries(USER, PROJECT),
    matcher=Matcher(style="regex"),
    wire=claude.WIRE,
    # The reply format is unknown, so no outcome is listed.
    events={
        "pre-tool-use": Native("PreToolUse", matcher=True),
        "post-tool-use": Native("PostToolUse", matcher=True),
    },
    content=Content(  # remote entries were not checked
        mcp=servers.plain(
            File(USER, "settings.json"),
            File(PROJECT, "settings.json"),
            remote=None,
            evidence=BY_OTHER_TOOLS,
        ),
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """iFlow CLI."""
    return [HOST]
