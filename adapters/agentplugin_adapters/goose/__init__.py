"""goose: hooks are in a plugin's folder."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, packages
from agentplugin_adapters.dialects.folders import AGENTS, HOME_AGENTS
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Beside,
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Mcp,
    Native,
    Run,
    ScopeName,
    Wire,
    hookimpl,
)

USER = Dir("~/.config/goose", windows="%APPDATA%/Block/goose")
FOLDERS: dict[ScopeName, Dir] = {"user": HOME_AGENTS, "project": AGENTS}
PLUGIN = "plugins/{plugin}"
#: Events that no other host has.
NATIVE_ONLY = (
    "BeforeReadFile", "BeforeShellExecution", "AfterShellExecution", "PreToolUseResult",
)  # fmt: skip

HOST = Host(
    id="goose",
    name="goose",
    evidence=documented("2026-05"),
    detect=Detect(binaries=("goose",), dirs=(USER,)),
    # It reads hooks only from the folder of a plugin, which needs a manifest.
    delivery=Entries(
        files={
            scope: (File(folder, f"{PLUGIN}/hooks/hooks.json"),)
            for scope, folder in FOLDERS.items()
        },
        beside={
            scope: (Beside(file=File(folder, f"{PLUGIN}/plugin.json"), value=packages.HOOKS_ONLY),)
            for scope, folder in FOLDERS.items()
        },
        at=("hooks", "$event"),
        entry=claude.GROUP,
        own=True,
    ),
    matcher=Matcher(style="regex"),
    run=Run(default=30),
    wire=Wire(
        fields={
            "session": "session_id",
            "cwd": "working_dir",
            "tool": "tool_name",
            "input": "tool_input",
            "output": "tool_output",
            "prompt": "message",
            "message": "last_assistant_message",
        }
    ),
    tools={
        "shell": ("developer__shell",),
        "file.write": ("developer__text_editor",),
        "mcp": ("*__*",),
    },
    events={
        "session-start": Native("SessionStart"),
        "turn-start": Native("UserPromptSubmit"),
        "pre-tool-use": Native("PreToolUse", matcher=True, can={"deny": claude.BLOCK}),
        "post-tool-use": Native("PostToolUse", matcher=True),
        "post-tool-use-failure": Native(
            "PostToolUseFailure", matcher=True, fields={"error": ("error", "tool_output")}
        ),
        "turn-end": Native("Stop", can={"keep-going": claude.BLOCK}),
        "session-end": Native("SessionEnd"),
        "file-change": Native("AfterFileEdit", near="only edits by the agent"),
    },
    native_only=NATIVE_ONLY,
    content=Content(
        mcp=Mcp(
            files={"user": (File(USER, "config.yaml", windows="config/config.yaml"),)},
            at=("extensions", "$name"),
            stdio={
                "name": "$name",
                "type": "stdio",
                "cmd": "$program",
                "args": "$args",
                "envs": "$env",
                "enabled": True,
                "timeout": 300,
            },
            http={
                "name": "$name",
                "type": "streamable_http",
                "uri": "$url",
                "headers": "$headers",
                "enabled": True,
            },
            format="yaml",
            evidence=documented(),
        ),
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """goose."""
    return [HOST]
