"""Deep Agents CLI, read in the vendor's repository of 2026-08-21."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters import _settings as settings
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program
from hatch_agentplugin.adapter import Detect, Dir, Host, Matcher, Run, hookimpl

USER = Dir("~/.deepagents")

HOST = Host(
    id="deepagents",
    name="Deep Agents CLI",
    content=CONTENT["deepagents"],
    evidence=program("2026-08-21", "vendor's repository"),
    detect=Detect(binaries=("deepagents", "dcode"), dirs=(USER,)),
    delivery=settings.entries(USER, Dir(".deepagents"), "hooks.json"),
    matcher=Matcher(style="exact-list"),
    run=Run(default=600),
    wire=claude.WIRE,
    # The host translates its own names of these tools; a subagent's call keeps its own.
    tools={
        "shell": ("Bash",),
        "file.read": ("Read",),
        "file.write": ("Write", "Edit"),
        "mcp": ("mcp__*",),
    },
    events=claude.EVENTS,
    after_project=("Trust the project's hooks when Deep Agents asks; none runs before.",),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Deep Agents CLI."""
    return [HOST]
