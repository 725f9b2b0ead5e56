"""Amp: hooks are a plugin, a code module; it fires events only with its service."""

from __future__ import annotations

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.dialects.folders import AGENTS, AGENTS_MD
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program
from hatch_agentplugin.adapter import (
    BRIDGE_WIRE,
    Content,
    Detect,
    Dir,
    File,
    Host,
    Mcp,
    Module,
    Native,
    bridge,
    hookimpl,
)

USER = Dir("~/.config/amp")
PROJECT = Dir(".amp")
PATH = "plugins/{plugin}.ts"

HOST = Host(
    id="amp",
    name="Amp",
    evidence=program("2026-09-23", "types that the program prints; modules were seen to load"),
    detect=Detect(binaries=("amp",), dirs=(USER,)),
    delivery=Module(
        files={"user": (File(USER, PATH),), "project": (File(PROJECT, PATH),)},
        package=__name__,
        templates=("amp.ts.j2",),
    ),
    wire=BRIDGE_WIRE,
    tools={
        "shell": ("Bash", "shell_command"),
        "file.read": ("Read",),
        "file.write": ("create_file", "edit_file", "apply_patch"),
        "mcp": ("mcp__*",),
        "agent": ("Task",),
        "web": ("read_web_page", "web_search"),
    },
    events={
        "session-start": Native("session.start", can=bridge("context", "message")),
        "turn-start": Native(
            "agent.start",
            can=bridge("deny", "context", "message"),
            near="execute mode may skip it",
        ),
        "pre-tool-use": Native(
            "tool.call", can=bridge("deny", "ask", "context", "modify-input", "message")
        ),
        "post-tool-use": Native("tool.result", can=bridge("context", "modify-output", "message")),
        "post-tool-use-failure": Native("tool.result", can=bridge("message")),
        "turn-end": Native(
            "agent.end",
            can=bridge("keep-going", "message"),
            near="execute mode may skip it",
        ),
    },
    content=Content(
        mcp=Mcp(
            files={
                "user": (
                    File(USER, "settings.json"),
                    File(USER, "settings.jsonc"),
                ),
                "project": (
                    File(PROJECT, "settings.json"),
                    File(PROJECT, "settings.jsonc"),
                ),
            },
            at=("amp.mcpServers", "$name"),
            stdio=servers.LOCAL,
            http=servers.REMOTE,
            format="jsonc",
            variable="${NAME}",
            evidence=BY_OTHER_TOOLS,
        ),
        skills={"user": File(Dir("~/.config/agents"), "skills"), "project": File(AGENTS, "skills")},
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Amp."""
    return [HOST]
