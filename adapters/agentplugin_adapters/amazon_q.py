"""Amazon Q Developer CLI, read in its last public repository of 2026-04-23."""

from __future__ import annotations

from agentplugin_adapters import _kiro as kiro
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program
from hatch_agentplugin.adapter import Detect, Dir, Entries, File, Host, hookimpl

USER = Dir("~/.aws/amazonq")
AGENT = "cli-agents/q_cli_default.json"

HOST = Host(
    id="amazon-q",
    name="Amazon Q Developer CLI",
    content=CONTENT["amazon-q"],
    evidence=program("2026-04-23", "vendor's repository"),
    detect=Detect(binaries=("q",), dirs=(USER,)),
    delivery=Entries(
        files={"user": (File(USER, AGENT),), "project": (File(Dir(".amazonq"), AGENT),)},
        at=("hooks", "$event"),
        entry=kiro.AGENT_ENTRY,
        document=kiro.AGENT,
    ),
    matcher=kiro.AGENT_MATCHER,
    run=kiro.AGENT_RUN,
    wire=kiro.WIRE,
    tools=kiro.AGENT_TOOLS,
    events=kiro.AGENT_EVENTS,
    after=("The hooks act while q_cli_default is the active agent.",),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Amazon Q Developer CLI."""
    return [HOST]
