"""Codex CLI, seen running at 0.171.0; the output schemas are closed and were read in the program."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters import _settings as settings
from agentplugin_adapters._bundles import BUNDLES
from agentplugin_adapters._claude import can
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import witnessed
from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    File,
    Host,
    Matcher,
    Native,
    Run,
    Switch,
    hookimpl,
)

USER = Dir("~/.codex", env="CODEX_HOME")

HOST = Host(
    id="codex",
    name="Codex CLI",
    content=CONTENT["codex"],
    bundle=BUNDLES["codex"],
    evidence=witnessed("0.171.0"),
    detect=Detect(binaries=("codex",), dirs=(USER,)),
    bom=False,
    delivery=settings.entries(USER, Dir(".codex"), "hooks.json"),
    matcher=Matcher(style="exact-list"),
    run=Run(default=600, windows_shell="cmd"),
    wire=claude.WIRE,
    # Nothing reaches file reads and subagents; Edit and Write are aliases of apply_patch.
    tools={"shell": ("Bash",), "file.write": ("apply_patch",), "mcp": ("mcp__*",)},
    events={
        "session-start": Native("SessionStart", can=can("context", "halt", "message")),
        "turn-start": Native(
            "UserPromptSubmit", can=can("context", "halt", "message", deny=claude.BLOCK)
        ),
        # A bare allow, an ask or a halt fails the hook, and then the tool runs.
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=can(
                *("deny", "context", "message"),
                modify_input=claude.specific(permissionDecision="allow", updatedInput="$input"),
            ),
        ),
        # The reason of a block takes the place of the result.
        "post-tool-use": Native(
            "PostToolUse",
            matcher=True,
            can=can(
                "context", "message", modify_output={"decision": "block", "reason": "$output-text"}
            ),
        ),
        "turn-end": Native("Stop", can=can("keep-going", "halt")),
        "session-end": Native("SessionEnd", timeout_max=3),
        "pre-compact": Native("PreCompact", can=can("halt")),
        "post-compact": Native("PostCompact", can=can("halt")),
        "permission-request": Native(
            "PermissionRequest",
            matcher=True,
            can={outcome: claude.APPROVAL[outcome] for outcome in ("allow", "deny")},
        ),
        "subagent-start": Native("SubagentStart", can=can("context")),
        "subagent-stop": Native("SubagentStop", can=can("keep-going", "halt")),
    },
    native_only=("PreModelRequest", "PostModelRequest", "Interrupt"),
    after=("Start Codex and approve the new hooks on its /hooks screen; until then none runs.",),
    after_project=("Trust the project in Codex; its hooks are not read before.",),
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
            says="a policy of this machine lets only its own hooks run",
        ),
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Codex CLI."""
    return [HOST]
