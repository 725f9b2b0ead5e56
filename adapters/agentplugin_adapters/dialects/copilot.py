"""The dialect of the GitHub Copilot family: flat entries, flat answers, two spellings of payloads."""

from __future__ import annotations

from hatch_agentplugin.adapter import Dir, Template, Wire, replies

USER = Dir("~/.copilot", env="COPILOT_HOME")
PROJECT = Dir(".github")
HOOKS = "hooks/{plugin}.json"
#: ``command`` serves every system, and the family's other hosts that read the same folder.
ENTRY: Template = {
    "type": "command",
    "matcher": "$matcher",
    "command": "$command",
    "timeoutSec": "$timeout",
}
DOCUMENT: Template = {"version": 1}

#: Camel case for the host's own event names, Claude's names where the event is written in theirs.
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


#: ``Native.can`` from the usual replies.
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

#: Answers in place of the user's to a permission question.
APPROVAL: dict[str, Template] = {
    "allow": {"behavior": "allow"},
    "deny": {"behavior": "deny", "message": "$reason"},
    "halt": {"behavior": "deny", "message": "$reason", "interrupt": True},
}
