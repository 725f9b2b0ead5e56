"""The dialect of Antigravity: named groups of hooks; payloads do not name the event."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers
from agentplugin_adapters.dialects.folders import AGENTS
from agentplugin_adapters.evidence import BY_OTHER_TOOLS
from hatch_agentplugin.adapter import Dir, File, Matcher, Native, Template, Wire

CONFIG = Dir("~/.gemini/config")
SERVERS = servers.plain(
    File(CONFIG, "mcp_config.json"),
    File(AGENTS, "mcp_config.json"),
    remote=servers.SERVER_URL,
    evidence=BY_OTHER_TOOLS,
)
#: Entry of events without a tool: they take the command itself, not a group with a matcher.
COMMAND: Template = {"type": "command", "command": "$command", "timeout": "$timeout"}
MATCHER = Matcher(style="regex")
WIRE = Wire(
    fields={
        "session": "conversationId",
        "cwd": "workspacePaths.0",
        "transcript": "transcriptPath",
        "tool": "toolCall.name",
        "input": "toolCall.args",
        "call_id": "stepIdx",
        "error": "error",
    },
    silence={},
)
TOOLS = {
    "shell": ("run_command",),
    "file.read": ("view_file",),
    "file.write": ("write_to_file", "replace_file_content"),
}
EVENTS: dict[str, Native] = {
    "turn-start": Native(
        "PreInvocation",
        can={"context": {"injectSteps": [{"ephemeralMessage": "$text"}]}},
        entry=COMMAND,
        near="fires before every model call, not once a turn",
    ),
    "pre-tool-use": Native(
        "PreToolUse",
        matcher=True,
        can={
            "allow": {"decision": "allow"},
            "deny": {"decision": "deny", "reason": "$reason"},
            "ask": {"decision": "ask", "reason": "$reason"},
        },
    ),
    "post-tool-use": Native("PostToolUse", matcher=True),
    "turn-end": Native(
        "Stop",
        can={"keep-going": {"decision": "continue", "reason": "$reason"}},
        entry=COMMAND,
    ),
}
ENTRY = claude.GROUP
