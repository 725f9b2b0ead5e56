"""Codex CLI: Claude Code's dialect; its schemas for output are closed."""

from __future__ import annotations

from typing import Any

from agentplugin_adapters.dialects import claude, packages, servers, settings
from agentplugin_adapters.dialects.folders import AGENTS, HOME_AGENTS, ROOT, in_both
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
    Run,
    Seen,
    Switch,
    WindowsCommand,
    hookimpl,
)

USER = Dir("~/.codex", env="CODEX_HOME")
PROJECT = Dir(".codex")
INDEX: dict[str, Any] = {
    "name": "$market",
    "interface": {"displayName": "$name"},
    "plugins": [
        {
            "name": "$name",
            "source": {"source": "local", "path": "$source"},
            "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
            "category": "Productivity",
        }
    ],
}

HOST = Host(
    id="codex",
    name="Codex CLI",
    evidence=witnessed("0.171.0"),
    detect=Detect(binaries=("codex",), dirs=(USER,)),
    bom=False,
    delivery=settings.entries(USER, PROJECT, "hooks.json"),
    matcher=Matcher(style="exact-list"),
    run=Run(default=600, windows_shell="cmd"),
    wire=claude.WIRE,
    # File reads and subagents fire no hook; Edit and Write are aliases of apply_patch.
    tools={"shell": ("Bash",), "file.write": ("apply_patch",), "mcp": ("mcp__*",)},
    events={
        "session-start": Native("SessionStart", can=claude.can("context", "halt", "message")),
        "turn-start": Native(
            "UserPromptSubmit", can=claude.can("context", "halt", "message", deny=claude.BLOCK)
        ),
        # A bare allow, an ask and a halt are errors in the hook, after which the tool runs.
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=claude.can(
                *("deny", "context", "message"),
                modify_input=claude.specific(permissionDecision="allow", updatedInput="$input"),
            ),
        ),
        # The reason of a block replaces the result.
        "post-tool-use": Native(
            "PostToolUse",
            matcher=True,
            can=claude.can(
                "context", "message", modify_output={"decision": "block", "reason": "$output-text"}
            ),
        ),
        "turn-end": Native("Stop", can=claude.can("keep-going", "halt")),
        "session-end": Native("SessionEnd", timeout_max=3),
        "pre-compact": Native("PreCompact", can=claude.can("halt")),
        "post-compact": Native("PostCompact", can=claude.can("halt")),
        "permission-request": Native(
            "PermissionRequest",
            matcher=True,
            can={outcome: claude.APPROVAL[outcome] for outcome in ("allow", "deny")},
        ),
        "subagent-start": Native("SubagentStart", can=claude.can("context")),
        "subagent-stop": Native("SubagentStop", can=claude.can("keep-going", "halt")),
    },
    native_only=("PreModelRequest", "PostModelRequest", "Interrupt"),
    after=("Start Codex and approve the new hooks on its /hooks screen; until then none runs.",),
    after_project=("Trust the project in Codex; until then it ignores project hooks.",),
    switches=(
        *(
            settings.off(File(USER, "config.toml"), key=key, is_=False, format="toml")
            for key in ("features.hooks", "features.codex_hooks")
        ),
        Switch(
            files=(File(Dir("/etc/codex"), "requirements.toml"),),
            at=("allow_managed_hooks_only",),
            is_=True,
            format="toml",
            says="a policy of this machine allows only its own hooks",
        ),
    ),
    content=Content(
        mcp=servers.tables(
            File(USER, "config.toml"),
            File(PROJECT, "config.toml"),
            stdio={**servers.LOCAL, "cwd": "$cwd"},
            http={**servers.URL, "http_headers": "$headers"},
            evidence=program("0.171.0"),
        ),
        skills=in_both(HOME_AGENTS, AGENTS, "skills"),
        rules={"user": File(USER, "AGENTS.md"), "project": File(ROOT, "AGENTS.md")},
        evidence=BY_OTHER_TOOLS,
    ),
    package=HostPackage(
        manifest=".codex-plugin/plugin.json",
        fields=packages.ABOUT,
        hooks="hooks/hooks.json",
        root="${PLUGIN_ROOT}",
        windows=WindowsCommand(
            key="commandWindows",
            line='if exist "%PLUGIN_ROOT%\\launch.cmd" "%PLUGIN_ROOT%\\launch.cmd" $host $slot',
        ),
        servers=PackageServers(file=".mcp.json", root=".", folder="."),
        marketplace=".agents/plugins/marketplace.json",
        index=INDEX,
        seen=(Seen(file=File(USER, "config.toml"), at=("plugins",), format="toml"),),
        install="codex plugin marketplace add DIR && codex plugin add $name@$market",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Codex CLI."""
    return [HOST]
