"""Kiro CLI 2, by what several public tools of 2026 write for it."""

from __future__ import annotations

from agentplugin_adapters import _kiro as kiro
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import claimed
from hatch_agentplugin.adapter import Detect, Dir, Entries, File, Host, hookimpl

USER = Dir("~/.kiro", env="KIRO_HOME")

HOST = Host(
    id="kiro-cli-legacy",
    name="Kiro CLI 2",
    content=CONTENT["kiro-cli-legacy"],
    evidence=claimed("2026-08", "public tools that write its files"),
    detect=Detect(dirs=(Dir("~/.kiro/agents"),)),
    delivery=Entries(
        files={
            "user": (File(USER, "agents/kiro_default.json"),),
            "project": (File(Dir(".kiro"), "agents/default.json"),),
        },
        at=("hooks", "$event"),
        entry=kiro.AGENT_ENTRY,
        document=kiro.AGENT,
    ),
    matcher=kiro.AGENT_MATCHER,
    run=kiro.AGENT_RUN,
    wire=kiro.WIRE,
    tools=kiro.AGENT_TOOLS,
    events=kiro.AGENT_EVENTS,
    after=("The hooks act while the default agent is the active one.",),
    note="A public test of 2.19.2 found that a refusal had no effect.",
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kiro CLI 2 with hooks in agent files."""
    return [HOST]
