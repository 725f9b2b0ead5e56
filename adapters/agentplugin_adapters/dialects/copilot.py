"""The dialect of GitHub Copilot: flat entries, flat replies, two spellings of payloads."""

from __future__ import annotations

from hatch_agentplugin.adapter import Dir, Template, Wire, replies

USER = Dir("~/.copilot", env="COPILOT_HOME")
PROJECT = Dir(".github")
HOOKS = "hooks/{plugin}.json"
#: ``command`` works on every system, and in the other Copilot hosts that read this folder.
ENTRY: Template = {
    "type": "command",
    "matcher": "$matcher",
    "command": "$command",
    "timeoutSec": "$timeout",
}
DOCUMENT: Template = {"version": 1}

#: Fields are in camel case, or have Claude's names if the entry's event has Claude's name.
WIRE = Wire(
    fields={
        "session": ("sessionId", "session_id"),
        "cwd": "cwd",
        "transcript": ("transcriptPath", "transcript_path"),
        "tool": ("toolName", "tool_name"),
        "input": ("toolArgs", "toolInput", "tool_input"),
        "output": ("toolResult.textResultForLlm", "toolResult", "tool_result", "tool_response"),
        "call_id": ("toolCallId", "tool_use_id"),
        "prompt": "prompt",
        "reason": ("stopReason", "reason", "source", "trigger"),
        "agent": ("agentName", "agent_type"),
        "message": "message",
        "error": ("error.message", "error"),
        "stop_active": ("stop_hook_active", "stopHookActive"),
    },
    input_is_text=True,
)


def permission(decision: str) -> Template:
    """A permission decision about a tool call, with its reason."""
    return {"permissionDecision": decision, "permissionDecisionReason": "$reason"}


#: Makes ``Native.can`` from the usual replies.
can = replies(
    {
        "allow": permission("allow"),
        "deny": permission("deny"),
        "ask": permission("ask"),
        "context": {"additionalContext": "$text"},
        "modify-input": {"modifiedArgs": "$input"},
        "modify-output": {
            "modifiedResult": {"resultType": "success", "textResultForLlm": "$output-text"}
        },
        "keep-going": {"decision": "block", "reason": "$reason"},
    }
)

#: Replies that answer a permission question for the user.
APPROVAL: dict[str, Template] = {
    "allow": {"behavior": "allow"},
    "deny": {"behavior": "deny", "message": "$reason"},
    "halt": {"behavior": "deny", "message": "$reason", "interrupt": True},
}
