"""GitHub Copilot cloud agent: it runs in a sandbox of the vendor."""

from __future__ import annotations

from agentplugin_adapters.dialects import copilot
from agentplugin_adapters.evidence import documented
from hatch_agentplugin.adapter import (
    Detect,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Run,
    hookimpl,
)

HOST = Host(
    id="copilot-cloud-agent",
    name="GitHub Copilot cloud agent",
    evidence=documented(),
    detect=Detect(),  # it does not run on the user's machine
    delivery=Entries(
        files={"project": (File(copilot.PROJECT, "hooks/{plugin}-cloud.json"),)},
        at=("hooks", "$event"),
        entry={
            "type": "command",
            "matcher": "$matcher",
            "bash": "$command",
            "timeoutSec": "$timeout",
        },
        document=copilot.DOCUMENT,
        own=True,
    ),
    matcher=Matcher(style="regex-whole"),
    run=Run(guard=True, default=30, windows_shell="bash"),
    wire=copilot.WIRE,
    tools={
        "shell": ("bash",),
        "file.read": ("view",),
        "file.write": ("create", "edit"),
        "agent": ("task",),
    },
    events={
        "session-start": Native("sessionStart", can=copilot.can("context")),
        "turn-start": Native("userPromptSubmitted"),
        "pre-tool-use": Native(
            "preToolUse", matcher=True, can=copilot.can("allow", "deny", "modify-input")
        ),
        "post-tool-use": Native(
            "postToolUse", matcher=True, can=copilot.can("context", "modify-output")
        ),
        "turn-end": Native("agentStop", can=copilot.can("keep-going")),
        "session-end": Native("sessionEnd"),
        "pre-compact": Native("preCompact"),
        "post-tool-use-failure": Native("postToolUseFailure", can=copilot.can("context")),
        "subagent-start": Native("subagentStart", can=copilot.can("context")),
        "subagent-stop": Native("subagentStop", can=copilot.can("keep-going")),
        "stop-failure": Native("errorOccurred"),
    },
    native_only=("userPromptTransformed",),
    after_project=(
        "Commit the file to the default branch, and install the plugin in the agent's setup steps.",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """GitHub Copilot cloud agent."""
    return [HOST]
