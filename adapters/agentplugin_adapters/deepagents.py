"""Deep Agents CLI, read in the vendor's repository of 2026-08-21."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters._claude import can
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

USER = Dir("~/.deepagents")

HOST = Host(
    id="deepagents",
    name="Deep Agents CLI",
    content=CONTENT["deepagents"],
    evidence=program("2026-08-21", "vendor's repository"),
    detect=Detect(binaries=("deepagents", "dcode"), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "hooks.json"),),
            "project": (File(Dir(".deepagents"), "hooks.json"),),
        },
        at=("hooks", "$event"),
        entry=claude.GROUP,
    ),
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
    events={
        "session-start": Native("SessionStart", can=can("context")),
        "turn-start": Native("UserPromptSubmit", can=can("context", "halt", deny=claude.BLOCK)),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=can(
                *("allow", "deny", "ask", "context", "modify-input"), halt=claude.DENY_AND_HALT
            ),
        ),
        "post-tool-use": Native("PostToolUse", matcher=True, can=can("context", "halt")),
        "turn-end": Native("Stop", can=can("keep-going", "halt")),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native("PreCompact"),
        "notification": Native("Notification"),
        "permission-request": Native("PermissionRequest", matcher=True, can=claude.APPROVAL),
        "post-tool-use-failure": Native("PostToolUseFailure", matcher=True, can=can("context")),
        "subagent-start": Native("SubagentStart", can=can("context")),
        "subagent-stop": Native("SubagentStop", can=can("keep-going", "halt")),
    },
    after_project=("Trust the project's hooks when Deep Agents asks; none runs before.",),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Deep Agents CLI."""
    return [HOST]
