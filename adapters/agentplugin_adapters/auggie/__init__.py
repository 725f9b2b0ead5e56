"""Auggie CLI: tested with a fake of its service."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers, settings
from agentplugin_adapters.dialects.folders import in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    File,
    Host,
    Matcher,
    Native,
    Run,
    Wire,
    hookimpl,
)

USER = Dir("~/.augment")
PROJECT = Dir(".augment")

HOST = Host(
    id="auggie",
    name="Auggie CLI",
    evidence=witnessed("0.36.0"),
    detect=Detect(binaries=("auggie",), dirs=(USER,)),
    bom=False,
    delivery=settings.entries(USER, PROJECT, local="settings.local.json"),
    matcher=Matcher(style="regex"),
    # It splits a plain line itself and knows no escapes in quotes. A line with an operator, such as
    # the guard's, goes to bash.
    run=Run(guard=True, unit="ms", default=60),
    wire=Wire(
        fields={
            "session": "conversation_id",
            "cwd": "workspace_roots.0",
            "tool": "tool_name",
            "input": "tool_input",
            "output": "tool_output",
            "prompt": "user_prompt",
            "error": "tool_error",
            "reason": "agent_stop_cause",
        }
    ),
    tools={
        "shell": ("launch-process",),
        "file.read": ("view",),
        "file.write": ("save-file", "str-replace-editor", "apply_patch"),
        "mcp": ("mcp:*",),
        "web": ("web-fetch", "web-search"),
    },
    # Context at the start, an ask, and keep-going had no effect when tried.
    events={
        "session-start": Native("SessionStart"),
        "turn-start": Native("PromptSubmit", near="may come after the first tool call"),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=claude.can("deny", "modify-input"),
            fields={"output": ()},  # the field has the text "[undefined]"
        ),
        "post-tool-use": Native("PostToolUse", matcher=True, can=claude.can("context")),
        "turn-end": Native("Stop"),
        "session-end": Native("SessionEnd"),
        "notification": Native("Notification", evidence=program("0.36.0")),
    },
    after=("Hooks run only if Augment has enabled them for your account.",),
    content=Content(
        mcp=servers.plain(
            File(USER, "settings.json"),
            File(PROJECT, "settings.json"),
            remote=servers.URL,
            evidence=BY_OTHER_TOOLS,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules=in_both(USER, PROJECT, "rules/{plugin}.md"),
        evidence=program("0.36.0"),
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Auggie CLI."""
    return [HOST]
