"""Amazon Q Developer CLI: hooks are in the files of its agents."""

from __future__ import annotations

from agentplugin_adapters.dialects import kiro, servers
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program
from hatch_agentplugin.adapter import Content, Detect, Dir, Entries, File, Host, hookimpl

USER = Dir("~/.aws/amazonq")
PROJECT = Dir(".amazonq")
READ = program("2026-04-23", "vendor's repository")
AGENT = "cli-agents/q_cli_default.json"

HOST = Host(
    id="amazon-q",
    name="Amazon Q Developer CLI",
    evidence=READ,
    detect=Detect(binaries=("q",), dirs=(USER,)),
    delivery=Entries(
        files={"user": (File(USER, AGENT),), "project": (File(PROJECT, AGENT),)},
        at=("hooks", "$event"),
        entry=kiro.AGENT_ENTRY,
        document=kiro.AGENT,
    ),
    matcher=kiro.AGENT_MATCHER,
    run=kiro.AGENT_RUN,
    wire=kiro.WIRE,
    tools=kiro.AGENT_TOOLS,
    events=kiro.AGENT_EVENTS,
    after=("The hooks run only while the agent q_cli_default is active.",),
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp.json"),
            File(PROJECT, "mcp.json"),
            remote={"type": "http", **servers.URL},
            evidence=READ,
        ),
        rules={"project": File(PROJECT, "rules/{plugin}.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Amazon Q Developer CLI."""
    return [HOST]
