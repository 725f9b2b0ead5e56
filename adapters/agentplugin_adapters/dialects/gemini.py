"""The dialect of Gemini CLI, which Tabnine CLI and Qwen Code share in part."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, packages
from hatch_agentplugin.adapter import PackageServers, Template, Wire, replies

#: The command has a name, by which the user can switch it off.
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

#: Makes ``Native.can`` from the usual replies.
can = replies(
    {
        "deny": DENY,
        "context": claude.specific(additionalContext="$text"),
        "modify-input": claude.specific(tool_input="$input"),
        # The reason of a refusal replaces the result.
        "modify-output": {"decision": "deny", "reason": "$output-text"},
        "keep-going": DENY,
        "halt": claude.HALT,
        "message": {"systemMessage": "$text"},
    }
)

#: A remote server in the settings; ``url`` alone is for server-sent events.
HTTP = {"httpUrl": "$url", "headers": "$headers"}
#: The manifest of an extension.
EXTENSION = {key: packages.ABOUT[key] for key in ("name", "version", "description")}


def extension_servers(manifest: str) -> PackageServers:
    """How an extension names its MCP servers in its manifest."""
    return PackageServers(
        file=manifest,
        root="${extensionPath}",
        remote={"streamable-http": "httpUrl", "sse": "url"},
        types={},
    )


NATIVE_ONLY = ("BeforeModel", "AfterModel", "BeforeToolSelection")
#: The setting that switches hooks off if it is false.
OFF = "hooksConfig.enabled"
