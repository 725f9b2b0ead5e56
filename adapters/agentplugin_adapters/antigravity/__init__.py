"""Antigravity IDE: public tools disagree about its files."""

from __future__ import annotations

from agentplugin_adapters.dialects import antigravity
from agentplugin_adapters.dialects.folders import AGENTS
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, claimed
from hatch_agentplugin.adapter import Content, Detect, Dir, Entries, File, Host, Run, hookimpl

OLDER = Dir("~/.gemini/antigravity")

HOST = Host(
    id="antigravity",
    name="Antigravity IDE",
    evidence=claimed("2026-09", "public tools that write its files"),
    detect=Detect(dirs=(OLDER,)),
    delivery=Entries(
        files={
            "user": (File(antigravity.CONFIG, "hooks.json"), File(OLDER, "hooks.json")),
            "project": (File(AGENTS, "hooks.json"),),
        },
        at=("$plugin", "$event"),
        entry=antigravity.ENTRY,
    ),
    matcher=antigravity.MATCHER,
    run=Run(default=30),
    wire=antigravity.WIRE,
    tools=antigravity.TOOLS,
    events=antigravity.EVENTS,
    native_only=("PostInvocation",),
    content=Content(
        mcp=antigravity.SERVERS,
        skills={"user": File(OLDER, "skills"), "project": File(AGENTS, "skills")},
        commands={"project": File(AGENTS, "workflows")},
        rules={"project": File(AGENTS, "rules/{plugin}.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Antigravity IDE."""
    return [HOST]
