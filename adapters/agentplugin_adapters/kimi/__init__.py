"""Kimi Code CLI: Claude Code's dialect in part."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, kimi, packages, servers
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    File,
    Host,
    HostPackage,
    Matcher,
    Native,
    PackageServers,
    Seen,
    hookimpl,
)

USER = Dir("~/.kimi-code", env="KIMI_CODE_HOME")
PROJECT = Dir(".kimi-code")
READ = program("2026-08-22", "vendor's repository")

HOST = Host(
    id="kimi",
    name="Kimi Code CLI",
    evidence=witnessed("2.1.0"),
    detect=Detect(dirs=(USER,)),  # its program has the same name as its predecessor's
    bom=True,
    delivery=kimi.rules(USER),
    matcher=Matcher(style="regex"),
    run=kimi.RUN,
    wire=kimi.WIRE,
    tools={
        "shell": ("Bash",),
        "file.read": ("Read",),
        "file.write": ("Write", "Edit"),
        "mcp": ("mcp__*",),
        "agent": ("Agent", "AgentSwarm"),
        "web": ("FetchURL", "WebSearch"),
    },
    events={
        "session-start": Native("SessionStart"),
        "turn-start": Native(
            "UserPromptSubmit",
            can={"deny": claude.EXIT_2, "context": claude.PLAIN_TEXT},
            fields={"prompt": ("prompt.0.text", "prompt")},
        ),
        "pre-tool-use": Native("PreToolUse", matcher=True, can=claude.can("deny")),
        # The host does not wait for it, and kills it at the end of the turn.
        "post-tool-use": Native("PostToolUse", matcher=True, detached=True),
        "turn-end": Native("Stop", can={"keep-going": claude.EXIT_2}),
        "session-end": Native("SessionEnd", near="not in headless runs", evidence=READ),
        "pre-compact": Native("PreCompact", evidence=READ),
        "post-compact": Native("PostCompact", evidence=READ),
        "notification": Native("Notification", evidence=READ),
        "permission-request": Native("PermissionRequest", matcher=True, evidence=READ),
        "post-tool-use-failure": Native("PostToolUseFailure", matcher=True),
        "subagent-start": Native("SubagentStart", evidence=READ),
        "subagent-stop": Native("SubagentStop", evidence=READ),
        "stop-failure": Native("StopFailure", evidence=READ),
    },
    native_only=(
        "PermissionResult",
        "Interrupt",
        "TurnStarted",
        "UserPromptQueued",
        "TaskStarted",
        "SessionHeartbeat",
    ),
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp.json"),
            File(PROJECT, "mcp.json"),
            evidence=READ,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
    package=HostPackage(
        manifest="kimi.plugin.json",
        fields={
            **{key: value for key, value in packages.ABOUT.items() if key != "repository"},
            "skills": "$skills",
            "commands": "$commands",
        },
        hooks="kimi.plugin.json",
        root="${KIMI_PLUGIN_ROOT}",
        servers=PackageServers(
            file="kimi.plugin.json",
            root=".",
            folder="./",
            types={"sse": "sse"},
            type_key="transport",
        ),
        commands="commands",
        marketplace="marketplace.json",
        index={
            "version": "2",
            "plugins": [{"id": "$name", "displayName": "$name", "source": "$source"}],
        },
        seen=(Seen(file=File(USER, "plugins/installed.json"), at=("plugins",)),),
        install="in Kimi Code: /plugins install DIR/$name",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kimi Code CLI."""
    return [HOST]
