"""iFlow CLI, by one third-party list of 2026-04."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters import _settings as settings
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import claimed
from hatch_agentplugin.adapter import Detect, Dir, Host, Matcher, Native, hookimpl

USER = Dir("~/.iflow")

HOST = Host(
    id="iflow",
    name="iFlow CLI",
    content=CONTENT["iflow"],
    evidence=claimed("2026-04", "one third-party list of agent configurations"),
    detect=Detect(binaries=("iflow",), dirs=(USER,)),
    delivery=settings.entries(USER, Dir(".iflow")),
    matcher=Matcher(style="regex"),
    wire=claude.WIRE,
    # How to answer is not known, so nothing is promised.
    events={
        "pre-tool-use": Native("PreToolUse", matcher=True),
        "post-tool-use": Native("PostToolUse", matcher=True),
    },
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """iFlow CLI."""
    return [HOST]
