"""Windsurf Cascade: one event per kind of tool."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Native,
    Run,
    Wire,
    hookimpl,
)

USER = Dir("~/.codeium/windsurf")
PROJECT = Dir(".windsurf")
MANAGED = Dir(
    "/etc/windsurf",
    macos="/Library/Application Support/Windsurf",
    windows="%ProgramData%/Windsurf",
)
#: Selector -> suffix of event names: each kind of tool has events of its own, and no matcher.
KINDS = {
    "shell": "run_command",
    "file.write": "write_code",
    "file.read": "read_code",
    "mcp": "mcp_tool_use",
}
DENY = {"deny": claude.EXIT_2}

HOST = Host(
    id="windsurf",
    name="Windsurf Cascade",
    evidence=documented("2026-07-30"),
    detect=Detect(binaries=("windsurf",), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "hooks.json"),),
            "project": (File(PROJECT, "hooks.json"),),
            "managed": (File(MANAGED, "hooks.json"),),
        },
        at=("hooks", "$event"),
        entry={"command": "$command", "powershell": "$command", "show_output": False},
    ),
    run=Run(unit="none", windows_shell="powershell"),
    wire=Wire(
        fields={
            "session": "trajectory_id",
            "cwd": ("cwd", "tool_info.cwd"),
            "tool": "agent_action_name",
            "input": "tool_info",
            "output": "tool_info",
            "prompt": ("tool_info.user_prompt", "prompt", "query"),
            "message": "tool_info.response",
        }
    ),
    tools={kind: (f"pre_{name}", f"post_{name}") for kind, name in KINDS.items()},
    events={
        "turn-start": Native("pre_user_prompt", can=DENY),
        "pre-tool-use": tuple(
            Native(f"pre_{name}", tools=(kind,), can=DENY) for kind, name in KINDS.items()
        ),
        "post-tool-use": tuple(
            Native(f"post_{name}", tools=(kind,)) for kind, name in KINDS.items()
        ),
        "turn-end": Native("post_cascade_response"),
    },
    native_only=("post_cascade_response_with_transcript", "post_setup_worktree"),
    after=("Hooks do not run in Windsurf's Restricted Mode.",),
    after_project=("Trust the workspace in Windsurf; until then project hooks do not run.",),
    content=Content(  # remote entries were not checked
        mcp=servers.plain(
            File(USER, "mcp_config.json"),
            remote=None,
            evidence=documented(),
        ),
        commands={"project": File(PROJECT, "workflows")},
        rules={"project": File(PROJECT, "rules/{plugin}.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Windsurf Cascade."""
    return [HOST]
