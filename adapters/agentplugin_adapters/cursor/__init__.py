"""Cursor."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, packages, servers
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    HostPackage,
    Matcher,
    Native,
    PackageServers,
    Run,
    Seen,
    Signature,
    Wire,
    hookimpl,
)

USER = Dir("~/.cursor")
PROJECT = Dir(".cursor")
CONTEXT = {"additional_context": "$text"}
DENY = {"permission": "deny", "user_message": "$reason", "agent_message": "$reason"}
FOLLOW_UP = {"followup_message": "$reason"}
#: Events that no other host has.
NATIVE_ONLY = (
    "beforeShellExecution", "afterShellExecution", "beforeMCPExecution", "afterMCPExecution",
    "beforeReadFile", "beforeTabFileRead", "afterTabFileEdit", "afterAgentResponse",
    "afterAgentThought",
)  # fmt: skip

HOST = Host(
    id="cursor",
    name="Cursor",
    evidence=documented(),
    detect=Detect(binaries=("cursor", "cursor-agent"), dirs=(USER,)),
    delivery=Entries(
        files={"user": (File(USER, "hooks.json"),), "project": (File(PROJECT, "hooks.json"),)},
        at=("hooks", "$event"),
        entry={"command": "$command", "matcher": "$matcher", "timeout": "$timeout"},
        document={"version": 1},
    ),
    matcher=Matcher(style="regex"),
    # Hooks of the user run in ~/.cursor, not in the project.
    run=Run(project_env=("CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR")),
    wire=Wire(
        fields={
            **claude.FIELDS,
            "session": ("conversation_id", "session_id"),
            "cwd": ("cwd", "workspace_roots.0"),
            "output": ("tool_output", "tool_response"),
            "reason": ("reason", "status", "source", "trigger"),
            "agent": ("subagent_type", "agent_type"),
            "error": ("error_message", "error"),
            "stop_active": ("stop_hook_active", "loop_count"),
        },
        silence={},
    ),
    tools={
        "shell": ("Shell",),
        "file.read": ("Read",),
        "file.write": ("Write",),
        "mcp": ("MCP:*",),
        "agent": ("Task",),
    },
    events={
        "session-start": Native("sessionStart", can={"context": CONTEXT}),
        "turn-start": Native(
            "beforeSubmitPrompt", can={"deny": {"continue": False, "user_message": "$reason"}}
        ),
        # The event for every tool. The events for shell and MCP calls can ask, but not change the
        # input, and a tool call fires both kinds.
        "pre-tool-use": Native(
            "preToolUse",
            matcher=True,
            can={
                "allow": {"permission": "allow"},
                "deny": DENY,
                "modify-input": {"updated_input": "$input"},
            },
        ),
        "post-tool-use": Native("postToolUse", matcher=True, can={"context": CONTEXT}),
        "post-tool-use-failure": Native("postToolUseFailure", matcher=True),
        "turn-end": Native("stop", can={"keep-going": FOLLOW_UP}),
        "session-end": Native("sessionEnd"),
        "pre-compact": Native("preCompact"),
        "subagent-start": Native(
            "subagentStart", can={"allow": {"permission": "allow"}, "deny": DENY}
        ),
        "subagent-stop": Native("subagentStop", can={"keep-going": FOLLOW_UP}),
        "file-change": Native("afterFileEdit", near="only edits by the agent"),
        "workspace-open": Native("workspaceOpen"),
    },
    native_only=NATIVE_ONLY,
    also_reads={"claude-code": ("user", "project", "local")},
    signatures=(Signature(field="cursor_version"), Signature(env="CURSOR_PROJECT_DIR")),
    after_project=("Trust the workspace in Cursor; until then project hooks do not run.",),
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp.json"),
            File(PROJECT, "mcp.json"),
            sse=servers.REMOTE,
            variable="${env:NAME}",
            evidence=documented(),
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
    package=HostPackage(
        manifest=".cursor-plugin/plugin.json",
        fields=packages.ABOUT,
        hooks="hooks/hooks.json",
        root="${CURSOR_PLUGIN_ROOT}",
        servers=PackageServers(file="mcp.json", root="${CURSOR_PLUGIN_ROOT}"),
        commands="commands",
        marketplace=".cursor-plugin/marketplace.json",
        index=packages.INDEX,
        # The user's own folders, and those of marketplaces: NAME/COMMIT (public plugins, 2026).
        seen=(
            Seen(file=File(USER, "plugins/local/{plugin}")),
            Seen(file=File(USER, "plugins/cache"), inside="{plugin}"),
        ),
        install="copy DIR/$name to ~/.cursor/plugins/local/$name, or import DIR as a marketplace",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Cursor."""
    return [HOST]
