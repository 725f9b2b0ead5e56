"""NVIDIA NemoClaw: it runs OpenClaw, which has the hooks."""

from __future__ import annotations

from dataclasses import replace

from agentplugin_adapters import openclaw
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, claimed
from hatch_agentplugin.adapter import Content, Detect, Host, hookimpl

HOST = Host(
    id="nemoclaw",
    name="NVIDIA NemoClaw",
    evidence=claimed("2026-06", "one public tool that writes its files"),
    detect=Detect(dirs=(openclaw.NEMOCLAW,)),
    through="openclaw",
    note="If it runs in a sandbox, OpenClaw may not see this user's files.",
    content=Content(
        mcp=replace(openclaw.SERVERS, evidence=BY_OTHER_TOOLS),
        skills=openclaw.SKILLS,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """NVIDIA NemoClaw."""
    return [HOST]
