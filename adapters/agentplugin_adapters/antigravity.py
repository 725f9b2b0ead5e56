"""Antigravity IDE, by public tools of 2026 that disagree on its files."""

from __future__ import annotations

from agentplugin_adapters import _antigravity as family
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import claimed
from hatch_agentplugin.adapter import Detect, Dir, Entries, File, Host, Run, hookimpl

CONFIG = Dir("~/.gemini/config")
OLDER = Dir("~/.gemini/antigravity")

HOST = Host(
    id="antigravity",
    name="Antigravity IDE",
    content=CONTENT["antigravity"],
    evidence=claimed("2026-09", "public tools that write its files"),
    detect=Detect(dirs=(OLDER,)),
    delivery=Entries(
        files={
            "user": (File(CONFIG, "hooks.json"), File(OLDER, "hooks.json")),
            "project": (File(Dir(".agents"), "hooks.json"),),
        },
        at=("$plugin", "$event"),
        entry=family.ENTRY,
    ),
    matcher=family.MATCHER,
    run=Run(default=30),
    wire=family.WIRE,
    tools=family.TOOLS,
    events=family.EVENTS,
    native_only=("PostInvocation",),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Antigravity IDE."""
    return [HOST]
