"""The dialect of Kiro and its predecessors: plain text is context, exit status 2 refuses."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers
from agentplugin_adapters.evidence import documented
from hatch_agentplugin.adapter import Dir, File, Matcher, Native, Run, Template, Wire, replies

USER = Dir("~/.kiro", env="KIRO_HOME")
PROJECT = Dir(".kiro")
SERVERS = servers.plain(
    File(USER, "settings/mcp.json"),
    File(PROJECT, "settings/mcp.json"),
    format="jsonc",
    evidence=documented(),
)

can = replies({"deny": claude.EXIT_2, "context": claude.PLAIN_TEXT})

WIRE = Wire(
    fields={
        "session": "session_id",
        "cwd": "cwd",
        "tool": "tool_name",
        "input": "tool_input",
        "output": "tool_response",
        "prompt": "prompt",
    }
)

AGENTS = Dir(f"{USER.default}/agents", env=USER.env, inside="agents")
#: Amazon Q and Kiro CLI 2 read hooks from the file of an agent.
AGENT_ENTRY: Template = {
    "matcher": "$matcher",
    "command": "$command",
    "timeout_ms": "$timeout",
}
#: A new file without this key describes an agent without tools.
AGENT: Template = {"tools": ["*"]}
AGENT_MATCHER = Matcher(style="glob")
AGENT_RUN = Run(unit="ms", default=30)
AGENT_TOOLS = {
    "shell": ("execute_bash",),
    "file.read": ("fs_read",),
    "file.write": ("fs_write",),
    "mcp": ("@*",),
}
AGENT_EVENTS: dict[str, Native] = {
    "session-start": Native("agentSpawn", can=can("context")),
    "turn-start": Native("userPromptSubmit", can=can("context")),
    "pre-tool-use": Native("preToolUse", matcher=True, can=can("deny")),
    "post-tool-use": Native("postToolUse", matcher=True),
    "turn-end": Native("stop"),
}
