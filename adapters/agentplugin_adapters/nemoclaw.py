"""NemoClaw, by one public tool of 2026-06: it runs OpenClaw, which has the hooks."""

from __future__ import annotations

from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import claimed
from hatch_agentplugin.adapter import Detect, Dir, Host, hookimpl

HOST = Host(
    id="nemoclaw",
    name="NVIDIA NemoClaw",
    content=CONTENT["nemoclaw"],
    evidence=claimed("2026-06", "one public tool that writes its files"),
    detect=Detect(dirs=(Dir("~/.nemoclaw"),)),
    through="openclaw",
    note="Where it runs in a sandbox, OpenClaw there may not see the files of this user.",
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """NVIDIA NemoClaw."""
    return [HOST]
