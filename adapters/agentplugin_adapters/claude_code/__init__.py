"""Claude Code: the origin of the dialect that most hosts copy."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, packages, servers, settings
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
    PackageServers,
    Run,
    Seen,
    Switch,
    hookimpl,
)

USER = Dir("~/.claude", env="CLAUDE_CONFIG_DIR")
PROJECT = Dir(".claude")
MANAGED = File(
    Dir(
        "/etc/claude-code",
        macos="/Library/Application Support/ClaudeCode",
        windows="%ProgramFiles%/ClaudeCode",
    ),
    "managed-settings.json",
)
READ = program("2.1.332")
#: The host ignores a changed output that lacks the shape of the tool's own output.
BASH_OUTPUT = {"stdout": "$output", "stderr": "", "interrupted": False, "isImage": False}
#: Events that no other host has. FileChanged fires only for files that a matcher names.
NATIVE_ONLY = (
    "UserPromptExpansion", "PreSkillShellCommand", "PostToolBatch", "MessageDisplay", "Setup",
    "InstructionsLoaded", "CwdChanged", "DirectoryAdded", "FileChanged", "Elicitation",
    "ElicitationResult", "WorktreeCreate", "WorktreeRemove",
)  # fmt: skip

HOST = Host(
    id="claude-code",
    name="Claude Code",
    evidence=witnessed("2.1.332"),
    detect=Detect(binaries=("claude",), dirs=(USER,)),
    bom=True,
    delivery=settings.entries(USER, PROJECT, local="settings.local.json", managed=MANAGED),
    matcher=Matcher(style="exact-list"),
    run=Run(default=600, windows_shell="bash"),
    wire=claude.WIRE,
    tools={
        "shell": ("Bash", "PowerShell"),
        "file.read": ("Read",),
        "file.write": ("Write", "Edit", "MultiEdit", "NotebookEdit"),
        "mcp": ("mcp__*",),
        "agent": ("Agent", "Task"),
        "web": ("WebFetch", "WebSearch"),
    },
    events={
        "session-start": Native("SessionStart", can=claude.can("context", "message")),
        "turn-start": Native(
            "UserPromptSubmit", can=claude.can("context", "halt", "message", deny=claude.BLOCK)
        ),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=claude.can(
                *("allow", "deny", "ask", "context", "modify-input", "message"),
                halt=claude.DENY_AND_HALT,
            ),
        ),
        "post-tool-use": Native(
            "PostToolUse",
            matcher=True,
            can=claude.can(
                *("context", "halt", "message"),
                modify_output=claude.specific(updatedToolOutput="$output"),
            ),
            shapes={"modify-output": {"Bash": BASH_OUTPUT}},
        ),
        "turn-end": Native("Stop", can=claude.can("keep-going", "halt", "message")),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native(
            "PreCompact", can={"deny": claude.EXIT_2, "context": claude.PLAIN_TEXT}
        ),
        "post-compact": Native("PostCompact"),
        "notification": Native("Notification", evidence=READ),
        "permission-request": Native("PermissionRequest", matcher=True, can=claude.APPROVAL),
        "post-tool-use-failure": Native(
            "PostToolUseFailure", matcher=True, can=claude.can("context")
        ),
        "subagent-start": Native("SubagentStart", can=claude.can("context")),
        "subagent-stop": Native("SubagentStop", can=claude.can("keep-going", "halt")),
        "permission-denied": Native("PermissionDenied", matcher=True, evidence=READ),
        "stop-failure": Native("StopFailure", evidence=READ),
        "config-change": Native("ConfigChange"),
        "task-create": Native("TaskCreated", evidence=READ),
        "task-complete": Native("TaskCompleted", evidence=READ),
        "agent-idle": Native("TeammateIdle", evidence=READ),
        "model-switch-before": Native("PreModelSwitch"),
        "model-switch-after": Native("PostModelSwitch"),
    },
    native_only=NATIVE_ONLY,
    after_project=("Open Claude Code in the project once and trust the folder.",),
    switches=(
        settings.off(
            File(USER, "settings.json"),
            File(PROJECT, "settings.json"),
            File(PROJECT, "settings.local.json"),
            MANAGED,
        ),
        Switch(
            files=(MANAGED,),
            at=("allowManagedHooksOnly",),
            is_=True,
            says="a policy of this machine allows only its own hooks",
        ),
    ),
    content=Content(
        mcp=servers.typed(
            File(Dir("~", env=USER.env), ".claude.json"),
            File(ROOT, ".mcp.json"),
            sse=servers.SSE,
            variable="${NAME}",
            evidence=READ,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules={"user": File(USER, "CLAUDE.md"), "project": File(ROOT, "CLAUDE.md")},
        evidence=READ,
    ),
    package=HostPackage(
        manifest=".claude-plugin/plugin.json",
        fields=packages.ABOUT,
        hooks="hooks/hooks.json",
        root="${CLAUDE_PLUGIN_ROOT}",
        servers=PackageServers(
            file=".mcp.json", root="${CLAUDE_PLUGIN_ROOT}", data="${CLAUDE_PLUGIN_DATA}"
        ),
        commands="commands",
        marketplace=".claude-plugin/marketplace.json",
        index=packages.INDEX,
        seen=(Seen(file=File(USER, "settings.json"), at=("enabledPlugins",)),),
        install="claude plugin marketplace add DIR && claude plugin install $name@$market",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Claude Code."""
    return [HOST]
