"""Kiro CLI 2: hooks are in the files of its agents."""

from __future__ import annotations

from dataclasses import replace

from agentplugin_adapters.dialects import kiro
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, claimed
from hatch_agentplugin.adapter import Content, Detect, Entries, File, Host, hookimpl

HOST = Host(
    id="kiro-cli-legacy",
    name="Kiro CLI 2",
    evidence=claimed("2026-08", "public tools that write its files"),
    detect=Detect(dirs=(kiro.AGENTS,)),
    delivery=Entries(
        files={
            "user": (File(kiro.USER, "agents/kiro_default.json"),),
            "project": (File(kiro.PROJECT, "agents/default.json"),),
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
    after=("The hooks run only while the default agent is active.",),
    note="A public test of 2.19.2 found that a refusal had no effect.",
    content=Content(
        mcp=replace(kiro.SERVERS, evidence=BY_OTHER_TOOLS),
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kiro CLI 2 with hooks in agent files."""
    return [HOST]
