"""The dialect of Claude Code: entries, payload and replies, which many hosts copy in part."""

from __future__ import annotations

from typing import Any

from hatch_agentplugin.adapter import Native, Template, Wire, replies

#: One group with one command in the list of its event.
GROUP: Template = {
    "matcher": "$matcher",
    "hooks": [{"type": "command", "command": "$command", "timeout": "$timeout"}],
}

FIELDS: dict[str, str | tuple[str, ...]] = {
    "session": "session_id",
    "cwd": "cwd",
    "transcript": "transcript_path",
    "tool": "tool_name",
    "input": "tool_input",
    "output": "tool_response",
    "call_id": "tool_use_id",
    "prompt": "prompt",
    "reason": ("reason", "source", "trigger"),
    "agent": "agent_type",
    "message": ("message", "last_assistant_message"),
    "error": "error",
    "stop_active": "stop_hook_active",
}

WIRE = Wire(fields=FIELDS)


def specific(**values: Any) -> Template:
    """A reply under the key for answers that only one event has."""
    return {"hookSpecificOutput": {"hookEventName": "$event", **values}}


def permission(decision: str) -> Template:
    """A permission decision about a tool call, with its reason."""
    return specific(permissionDecision=decision, permissionDecisionReason="$reason")


def approval(behavior: str, **values: str) -> Template:
    """A reply that answers a permission question for the user."""
    return specific(decision={"behavior": behavior, **values})


BLOCK: Template = {"decision": "block", "reason": "$reason"}
DENY = permission("deny")
HALT: Template = {"continue": False, "stopReason": "$reason"}
#: For hosts in which a halt alone lets the current call run.
DENY_AND_HALT: Template = {**HALT, **DENY}
EXIT_2: Template = {"$exit": 2, "$stderr": "$reason"}
PLAIN_TEXT: Template = {"$stdout": "$text"}

#: Makes ``Native.can`` from the usual replies.
can = replies(
    {
        "allow": permission("allow"),
        "deny": DENY,
        "ask": permission("ask"),
        "context": specific(additionalContext="$text"),
        "modify-input": specific(updatedInput="$input"),
        "keep-going": BLOCK,
        "halt": HALT,
        "message": {"systemMessage": "$text"},
    }
)

#: Replies that answer a permission question for the user.
APPROVAL: dict[str, Template] = {
    "allow": approval("allow"),
    "deny": approval("deny", message="$reason"),
    "modify-input": approval("allow", updatedInput="$input"),
}

#: Events of hosts that implement the whole protocol.
EVENTS: dict[str, Native] = {
    "session-start": Native("SessionStart", can=can("context")),
    "turn-start": Native("UserPromptSubmit", can=can("context", "halt", deny=BLOCK)),
    "pre-tool-use": Native(
        "PreToolUse",
        matcher=True,
        can=can(*("allow", "deny", "ask", "context", "modify-input"), halt=DENY_AND_HALT),
    ),
    "post-tool-use": Native("PostToolUse", matcher=True, can=can("context", "halt")),
    "turn-end": Native("Stop", can=can("keep-going", "halt")),
    "session-end": Native("SessionEnd"),
    "pre-compact": Native("PreCompact"),
    "notification": Native("Notification"),
    "permission-request": Native("PermissionRequest", matcher=True, can=APPROVAL),
    "post-tool-use-failure": Native("PostToolUseFailure", matcher=True, can=can("context")),
    "subagent-start": Native("SubagentStart", can=can("context")),
    "subagent-stop": Native("SubagentStop", can=can("keep-going", "halt")),
}
