"""goose, by the vendor's page of 2026-05."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import (
    Beside,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Run,
    Scope,
    Wire,
    hookimpl,
)

FOLDERS: dict[Scope, Dir] = {"user": Dir("~/.agents/plugins"), "project": Dir(".agents/plugins")}
MANIFEST = {"name": "$plugin", "version": "1.0.0", "description": "Hooks of $plugin"}
#: Events that no other host has.
NATIVE_ONLY = (
    "BeforeReadFile", "BeforeShellExecution", "AfterShellExecution", "PreToolUseResult",
)  # fmt: skip

HOST = Host(
    id="goose",
    name="goose",
    content=CONTENT["goose"],
    evidence=documented("2026-05"),
    detect=Detect(
        binaries=("goose",), dirs=(Dir("~/.config/goose", windows="%APPDATA%/Block/goose"),)
    ),
    # Hooks count only in a plugin's folder, which a manifest makes one.
    delivery=Entries(
        files={
            scope: (File(folder, "{plugin}/hooks/hooks.json"),) for scope, folder in FOLDERS.items()
        },
        beside={
            scope: (Beside(file=File(folder, "{plugin}/plugin.json"), value=MANIFEST),)
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
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """goose."""
    return [HOST]
