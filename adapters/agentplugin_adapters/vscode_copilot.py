"""GitHub Copilot in VS Code, by the vendor's hooks reference of 2026-10-14 (preview)."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters import _copilot as copilot
from agentplugin_adapters._claude import can
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Mark,
    Native,
    Run,
    Wire,
    hookimpl,
)

OWN = "hooks/{plugin}-vscode.json"
CODE = Dir("~/.vscode")

HOST = Host(
    id="vscode-copilot",
    name="GitHub Copilot in VS Code",
    content=CONTENT["vscode-copilot"],
    evidence=documented("2026-10-14"),
    detect=Detect(binaries=("code", "code-insiders"), dirs=(CODE,)),
    # Keys for systems alone: the command line's program reads this folder too and skips them.
    delivery=Entries(
        files={
            "user": (File(Dir("~/.copilot"), OWN),),
            "project": (File(Dir(".github"), OWN),),
        },
        at=("hooks", "$event"),
        entry={
            "type": "command",
            "linux": "$command",
            "osx": "$command",
            "windows": "$command",
            "timeout": "$timeout",
        },
        document=copilot.DOCUMENT,
        own=True,
    ),
    run=Run(default=30, windows_shell="powershell"),
    wire=Wire(
        fields={
            **claude.FIELDS,
            "session": ("session_id", "sessionId"),
            "tool": ("tool_name", "toolName"),
            "input": ("tool_input", "toolArgs"),
            "output": ("tool_response", "toolResult"),
        }
    ),
    tools={  # matchers are read and not applied
        "shell": ("run_in_terminal",),
        "file.read": ("read_file",),
        "file.write": ("create_file", "replace_string_in_file", "apply_patch"),
        "agent": ("runSubagent",),
    },
    events={
        "session-start": Native("SessionStart", can=can("context")),
        "turn-start": Native("UserPromptSubmit", can=can("halt", deny=claude.EXIT_2)),
        "pre-tool-use": Native(
            "PreToolUse",
            can=can(
                *("allow", "deny", "ask", "context", "modify-input"), halt=claude.DENY_AND_HALT
            ),
        ),
        "post-tool-use": Native("PostToolUse", can=can("context", "halt")),
        "turn-end": Native(  # nested here, at the top for subagents
            "Stop",
            can=can("halt", keep_going=claude.specific(decision="block", reason="$reason")),
        ),
        "pre-compact": Native("PreCompact", can=can("halt")),
        "subagent-start": Native("SubagentStart", can=can("context")),
        "subagent-stop": Native("SubagentStop", can=can("keep-going", "halt")),
    },
    also_reads={
        "claude-code": ("user", "project", "local"),
        "copilot-cli": ("user", "project"),
        "jetbrains-copilot": ("project",),
    },
    marks=(Mark(field="timestamp"),),
    marks_in={"copilot-cli": (Mark(field="hook_event_name"), Mark(field="hookEventName"))},
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """GitHub Copilot in VS Code."""
    return [HOST]
