"""Deep Agents CLI: Claude Code's whole protocol."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers, settings
from agentplugin_adapters.dialects.folders import AGENTS_MD
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, Matcher, Run, hookimpl

USER = Dir("~/.deepagents")
PROJECT = Dir(".deepagents")
READ = program("2026-08-21", "vendor's repository")

HOST = Host(
    id="deepagents",
    name="Deep Agents CLI",
    evidence=READ,
    detect=Detect(binaries=("deepagents", "dcode"), dirs=(USER,)),
    delivery=settings.entries(USER, PROJECT, "hooks.json"),
    matcher=Matcher(style="exact-list"),
    run=Run(default=600),
    wire=claude.WIRE,
    # The host translates the names of its tools to these, but not in a subagent's calls.
    tools={
        "shell": ("Bash",),
        "file.read": ("Read",),
        "file.write": ("Write", "Edit"),
        "mcp": ("mcp__*",),
    },
    events=claude.EVENTS,
    after_project=("Trust the project's hooks when Deep Agents asks; until then they do not run.",),
    content=Content(
        mcp=servers.plain(
            File(USER, ".mcp.json"),
            File(PROJECT, ".mcp.json"),
            remote={"type": "http", **servers.URL},
            sse={"type": "sse", **servers.URL},
            evidence=READ,
        ),
        skills={"user": File(USER, "deepagents/skills"), "project": File(PROJECT, "skills")},
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Deep Agents CLI."""
    return [HOST]
