"""Grok CLI."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Run,
    Signature,
    Wire,
    hookimpl,
)

USER = Dir("~/.grok", env="GROK_HOME")
PROJECT = Dir(".grok")
READ = program("2026-08-19", "vendor's repository")
OWN = "hooks/{plugin}.json"

HOST = Host(
    id="grok",
    name="Grok CLI",
    evidence=witnessed("1.0.41"),
    detect=Detect(binaries=("grok",), dirs=(USER,)),
    delivery=Entries(
        files={"user": (File(USER, OWN),), "project": (File(PROJECT, OWN),)},
        at=("hooks", "$event"),
        entry=claude.GROUP,
        own=True,
    ),
    matcher=Matcher(style="regex-whole"),
    run=Run(default=5, windows_shell="powershell"),
    wire=Wire(
        fields={
            **claude.FIELDS,
            "session": ("session_id", "sessionId"),
            "output": ("toolResult.output_for_prompt", "tool_response", "toolResult"),
            "call_id": ("tool_use_id", "toolUseId"),
            "stop_active": ("stop_hook_active", "stopHookActive"),
            "message": ("message", "last_assistant_message", "lastAssistantMessage"),
        }
    ),
    tools={
        "shell": ("run_terminal_command",),
        "file.read": ("read_file",),
        "file.write": ("search_replace",),
        "agent": ("spawn_subagent",),
        "web": ("web_search",),
    },
    events={
        "session-start": Native("SessionStart"),
        "turn-start": Native("UserPromptSubmit", can=claude.can(deny=claude.BLOCK)),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=claude.can(
                "context", "modify-input", deny={"decision": "deny", "reason": "$reason"}
            ),
        ),
        "post-tool-use": Native("PostToolUse", matcher=True, can=claude.can("context")),
        # It fires a second time after the end of the session.
        "turn-end": Native(
            "Stop", can=claude.can("keep-going", "halt"), not_when={"reason": ["shutdown"]}
        ),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native("PreCompact", evidence=READ),
        "post-compact": Native("PostCompact", evidence=READ),
        "notification": Native("Notification"),
        "post-tool-use-failure": Native("PostToolUseFailure", matcher=True, evidence=READ),
        "subagent-start": Native("SubagentStart", evidence=READ),
        "subagent-stop": Native(
            "SubagentStop", can=claude.can("keep-going", "halt"), evidence=READ
        ),
        "permission-denied": Native("PermissionDenied", evidence=READ),
        "stop-failure": Native("StopFailure", evidence=READ),
    },
    native_only=("StopCancelled",),
    also_reads={"claude-code": ("user", "project"), "cursor": ("user", "project")},
    signatures=(Signature(env="GROK_HOOK_EVENT"),),
    after_project=(
        "Trust the folder in Grok (`grok --trust`); until then it ignores project hooks.",
    ),
    content=Content(
        mcp=servers.tables(
            File(USER, "config.toml"),
            File(PROJECT, "config.toml"),
            variable="${NAME}",
            evidence=program("1.0.41"),
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules=AGENTS_MD,
        mcp_from=("claude-code", "cursor"),
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Grok CLI."""
    return [HOST]
