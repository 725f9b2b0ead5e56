"""Reasonix."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude
from agentplugin_adapters.dialects.folders import ROOT, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Content,
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
PROJECT = Dir(".reasonix")

HOST = Host(
    id="reasonix",
    name="Reasonix",
    evidence=documented(),
    detect=Detect(binaries=("reasonix",), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "settings.json"),),
            "project": (File(PROJECT, "settings.json"),),
        },
        at=("hooks", "$event"),
        entry={"match": "$matcher", "command": "$command", "timeout": "$timeout"},
    ),
    matcher=Matcher(style="regex-whole"),
    run=Run(unit="ms", default=5),  # a timeout is a refusal
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
    after_project=("Trust the project in Reasonix; until then project hooks do not run.",),
    content=Content(  # the name of the table of servers is not known
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules={"project": File(ROOT, "REASONIX.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Reasonix."""
    return [HOST]
