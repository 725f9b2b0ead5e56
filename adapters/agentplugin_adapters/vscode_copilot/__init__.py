"""GitHub Copilot in VS Code: a preview, in Claude Code's dialect."""

from __future__ import annotations

from dataclasses import replace

from agentplugin_adapters.dialects import claude, copilot, servers
from agentplugin_adapters.dialects.folders import VSCODE
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Native,
    Run,
    Signature,
    Wire,
    hookimpl,
)

#: It does not read the variable with which users of Copilot CLI move the folder.
USER = replace(copilot.USER, env=None)
OWN = "hooks/{plugin}-vscode.json"
CODE = Dir("~/.vscode")

HOST = Host(
    id="vscode-copilot",
    name="GitHub Copilot in VS Code",
    evidence=documented("2026-10-14"),
    detect=Detect(binaries=("code", "code-insiders"), dirs=(CODE,)),
    # Keys for single systems: Copilot CLI reads this folder too and ignores them.
    delivery=Entries(
        files={
            "user": (File(USER, OWN),),
            "project": (File(copilot.PROJECT, OWN),),
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
    tools={  # it reads matchers but does not apply them
        "shell": ("run_in_terminal",),
        "file.read": ("read_file",),
        "file.write": ("create_file", "replace_string_in_file", "apply_patch"),
        "agent": ("runSubagent",),
    },
    events={
        "session-start": Native("SessionStart", can=claude.can("context")),
        "turn-start": Native("UserPromptSubmit", can=claude.can("halt", deny=claude.EXIT_2)),
        "pre-tool-use": Native(
            "PreToolUse",
            can=claude.can(
                *("allow", "deny", "ask", "context", "modify-input"), halt=claude.DENY_AND_HALT
            ),
        ),
        "post-tool-use": Native("PostToolUse", can=claude.can("context", "halt")),
        "turn-end": Native(  # nested here, top-level for subagents
            "Stop",
            can=claude.can("halt", keep_going=claude.specific(decision="block", reason="$reason")),
        ),
        "pre-compact": Native("PreCompact", can=claude.can("halt")),
        "subagent-start": Native("SubagentStart", can=claude.can("context")),
        "subagent-stop": Native("SubagentStop", can=claude.can("keep-going", "halt")),
    },
    also_reads={
        "claude-code": ("user", "project", "local"),
        "copilot-cli": ("user", "project"),
        "jetbrains-copilot": ("project",),
    },
    signatures=(Signature(field="timestamp"),),
    signatures_in={
        "copilot-cli": (Signature(field="hook_event_name"), Signature(field="hookEventName"))
    },
    content=Content(
        mcp=servers.typed(
            File(VSCODE, "mcp.json"),
            File(Dir(".vscode"), "mcp.json"),
            sse=servers.SSE,
            at=("servers", "$name"),
            format="jsonc",
            variable="${env:NAME}",
            evidence=documented(),
        ),
        skills={"user": File(USER, "skills"), "project": File(copilot.PROJECT, "skills")},
        commands={"project": File(copilot.PROJECT, "prompts")},
        command_suffix=".prompt.md",
        rules={"project": File(copilot.PROJECT, "copilot-instructions.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """GitHub Copilot in VS Code."""
    return [HOST]
