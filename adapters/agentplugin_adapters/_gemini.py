"""The dialect of Gemini CLI, which Tabnine's shares."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from hatch_agentplugin.adapter import Template, Wire, replies

#: A named command, so that the user can switch it off by its name.
GROUP: Template = {
    "matcher": "$matcher",
    "hooks": [
        {"name": "$id", "type": "command", "command": "$command", "timeout": "$timeout"},
    ],
}

WIRE = Wire(
    fields={
        **claude.FIELDS,
        "output": ("tool_response.llmContent", "tool_response"),
        "error": "tool_response.error",
        "message": ("message", "prompt_response"),
    }
)

DENY: Template = {"decision": "deny", "reason": "$reason"}

#: ``Native.can`` from the usual replies.
can = replies(
    {
        "deny": DENY,
        "context": claude.specific(additionalContext="$text"),
        "modify-input": claude.specific(tool_input="$input"),
        # The reason of a refusal takes the place of the result.
        "modify-output": {"decision": "deny", "reason": "$output-text"},
        "keep-going": DENY,
        "halt": claude.HALT,
        "message": {"systemMessage": "$text"},
    }
)

NATIVE_ONLY = ("BeforeModel", "AfterModel", "BeforeToolSelection")
#: The setting that is false where no hook runs.
OFF = "hooksConfig.enabled"
