"""Crush, read in the vendor's repository of 2026-08-21."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program
from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Run,
    hookimpl,
)

USER = Dir("~/.config/crush", env="CRUSH_GLOBAL_CONFIG", windows="%LOCALAPPDATA%/crush")
ROOT = Dir(".")

HOST = Host(
    id="crush",
    name="Crush",
    content=CONTENT["crush"],
    evidence=program("2026-08-21", "vendor's repository"),
    detect=Detect(binaries=("crush",), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "crush.json"),),
            "project": (File(ROOT, ".crush.json"), File(ROOT, "crush.json")),
        },
        at=("hooks", "$event"),
        entry={"matcher": "$matcher", "command": "$command", "timeout": "$timeout"},
    ),
    matcher=Matcher(style="regex"),
    run=Run(default=30, windows_shell="bash"),
    wire=claude.WIRE,
    tools={
        "shell": ("bash",),
        "file.read": ("view",),
        "file.write": ("edit", "write", "multiedit"),
        "mcp": ("mcp_*",),
        "agent": ("agent",),
    },
    events={
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can={
                "allow": {"decision": "allow"},
                "deny": {"decision": "deny", "reason": "$reason"},
                "context": {"context": "$text"},
                "modify-input": {"updated_input": "$input"},
                "halt": {"halt": True, "reason": "$reason"},
            },
            near="not for the calls of subagents",
        ),
    },
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Crush."""
    return [HOST]
