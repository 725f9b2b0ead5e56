"""Reasonix, by the vendor's hooks document of 2026."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Run,
    Wire,
    hookimpl,
)

USER = Dir("~/.reasonix")

HOST = Host(
    id="reasonix",
    name="Reasonix",
    content=CONTENT["reasonix"],
    evidence=documented(),
    detect=Detect(binaries=("reasonix",), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "settings.json"),),
            "project": (File(Dir(".reasonix"), "settings.json"),),
        },
        at=("hooks", "$event"),
        entry={"match": "$matcher", "command": "$command", "timeout": "$timeout"},
    ),
    matcher=Matcher(style="regex-whole"),
    run=Run(unit="ms", default=5),  # a time-out refuses
    wire=Wire(
        fields={
            "cwd": "cwd",
            "tool": "toolName",
            "input": "toolArgs",
            "output": "toolResult",
            "prompt": "prompt",
        }
    ),
    events={
        "session-start": Native("SessionStart"),
        "turn-start": Native("UserPromptSubmit", can={"deny": claude.EXIT_2}),
        "pre-tool-use": Native("PreToolUse", matcher=True, can={"deny": claude.EXIT_2}),
        "post-tool-use": Native("PostToolUse", matcher=True),
        "turn-end": Native("Stop"),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native("PreCompact", can={"context": claude.PLAIN_TEXT}),
        "notification": Native("Notification"),
        "subagent-stop": Native("SubagentStop"),
    },
    native_only=("PostLLMCall",),
    after_project=("Trust the project in Reasonix; its hooks do not run before.",),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Reasonix."""
    return [HOST]
