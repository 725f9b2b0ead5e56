"""Qwen Code: a fork of Gemini CLI with Claude Code's hooks."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, gemini, servers, settings
from agentplugin_adapters.dialects.folders import ROOT, in_both
from agentplugin_adapters.evidence import program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    File,
    Host,
    HostPackage,
    Matcher,
    Native,
    Run,
    Seen,
    hookimpl,
)

USER = Dir("~/.qwen", env="QWEN_HOME")
PROJECT = Dir(".qwen")
READ = program("0.24.4")
#: Events that no other host has.
NATIVE_ONLY = (
    "PostToolBatch", "UserPromptExpansion", "InstructionsLoaded", "MessageDisplay",
    "SessionDelete",
)  # fmt: skip

HOST = Host(
    id="qwen-code",
    name="Qwen Code",
    evidence=witnessed("0.24.4"),
    detect=Detect(binaries=("qwen",), dirs=(USER,)),
    bom=True,
    delivery=settings.entries(USER, PROJECT, format="jsonc"),
    matcher=Matcher(style="regex"),
    # Milliseconds before 0.24; since then seconds, but 1000 and more are still milliseconds.
    run=Run(unit="ms", default=60, windows_shell="bash"),
    wire=claude.WIRE,
    tools={
        "shell": ("run_shell_command",),
        "file.read": ("read_file", "read_many_files"),
        "file.write": ("write_file", "edit"),
        "mcp": ("mcp__*",),
        "agent": ("agent", "task"),
        "web": ("web_fetch", "web_search"),
    },
    events={
        "session-start": Native("SessionStart", can=claude.can("context")),
        "turn-start": Native(
            "UserPromptSubmit",
            can=claude.can("context", "halt", deny=claude.BLOCK),
            not_when={
                "prompt": [""]
            },  # it fires again without a prompt after each round of tool calls
        ),
        # It ignores a changed input and context; a halt only refuses; an allow is too late, because
        # the host asks before.
        "pre-tool-use": Native("PreToolUse", matcher=True, can=claude.can("deny", "ask")),
        "post-tool-use": Native("PostToolUse", matcher=True, can=claude.can("context")),
        "turn-end": Native("Stop", can=claude.can("keep-going", "halt")),
        "session-end": Native("SessionEnd", near="not in `qwen -p`"),
        "pre-compact": Native("PreCompact"),
        "post-compact": Native("PostCompact", evidence=READ),
        "notification": Native("Notification"),
        "permission-request": Native(
            "PermissionRequest", matcher=True, can=claude.APPROVAL, evidence=READ
        ),
        "post-tool-use-failure": Native(
            "PostToolUseFailure", matcher=True, can=claude.can("context"), evidence=READ
        ),
        "subagent-start": Native("SubagentStart"),
        "subagent-stop": Native("SubagentStop", can=claude.can("keep-going", "halt")),
        "permission-denied": Native("PermissionDenied", evidence=READ),
        "stop-failure": Native("StopFailure", evidence=READ),
        "task-create": Native("TodoCreated", evidence=READ),
        "task-complete": Native("TodoCompleted", evidence=READ),
    },
    native_only=NATIVE_ONLY,
    switches=(
        settings.off(File(USER, "settings.json"), File(PROJECT, "settings.json"), format="jsonc"),
    ),
    content=Content(
        mcp=servers.plain(
            File(USER, "settings.json"),
            File(PROJECT, "settings.json"),
            cwd="cwd",
            remote=gemini.HTTP,
            sse=servers.REMOTE,
            variable="${NAME}",
            evidence=READ,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules={"user": File(USER, "QWEN.md"), "project": File(ROOT, "QWEN.md")},
        evidence=READ,
    ),
    package=HostPackage(
        manifest="qwen-extension.json",
        fields=gemini.EXTENSION,
        hooks="hooks/hooks.json",
        root="${CLAUDE_PLUGIN_ROOT}",
        servers=gemini.extension_servers("qwen-extension.json"),
        seen=(Seen(file=File(USER, "extensions/{plugin}")),),
        install="qwen extensions install DIR/$name --consent",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Qwen Code."""
    return [HOST]
