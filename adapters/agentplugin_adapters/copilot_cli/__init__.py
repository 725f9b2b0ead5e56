"""GitHub Copilot CLI."""

from __future__ import annotations

from agentplugin_adapters.dialects import copilot, packages, servers, settings
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented, witnessed
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
    WindowsCommand,
    hookimpl,
)

MANAGED = Dir("/etc/github-copilot", windows="%ProgramData%/GitHub/Copilot")
PAGE = documented()
LOCAL = {"type": "local", **servers.LOCAL, "tools": ["*"]}
HTTP = {**servers.HTTP, "tools": ["*"]}

HOST = Host(
    id="copilot-cli",
    name="GitHub Copilot CLI",
    evidence=witnessed("1.0.102"),
    detect=Detect(binaries=("copilot",), dirs=(copilot.USER,)),
    delivery=Entries(
        files={
            "user": (File(copilot.USER, copilot.HOOKS),),
            "project": (File(copilot.PROJECT, copilot.HOOKS),),
            "managed": (File(MANAGED, "policy.d/{plugin}.json"),),
        },
        at=("hooks", "$event"),
        entry=copilot.ENTRY,
        document=copilot.DOCUMENT,
        own=True,
    ),
    matcher=Matcher(style="regex-whole"),
    run=Run(guard=True, default=30, windows_shell="powershell"),
    wire=copilot.WIRE,
    tools={  # Claude's names are for hooks in the project's Claude file
        "shell": ("bash", "powershell", "Bash"),
        "file.read": ("view", "Read"),
        "file.write": ("create", "edit", "Write", "Edit"),
        "agent": ("task", "Task"),
        "web": ("web_fetch", "web_search", "WebFetch", "WebSearch"),
    },
    events={
        "session-start": Native("sessionStart", can=copilot.can("context")),
        "turn-start": Native(
            "userPromptSubmitted",
            can=copilot.can("context", deny={"handled": True, "responseContent": "$reason"}),
        ),
        "pre-tool-use": Native(
            "preToolUse",
            matcher=True,
            can=copilot.can("allow", "deny", "ask", "context", "modify-input"),
        ),
        "post-tool-use": Native(
            "postToolUse", matcher=True, can=copilot.can("context", "modify-output")
        ),
        "turn-end": Native("agentStop", can=copilot.can("keep-going")),
        "session-end": Native("sessionEnd"),
        "pre-compact": Native("preCompact", evidence=PAGE),
        "notification": Native("notification", can=copilot.can("context")),
        "permission-request": Native("permissionRequest", matcher=True, can=copilot.APPROVAL),
        "post-tool-use-failure": Native(
            "postToolUseFailure", can=copilot.can("context"), evidence=PAGE
        ),
        "subagent-start": Native("subagentStart", can=copilot.can("context"), evidence=PAGE),
        "subagent-stop": Native(
            "subagentStop",
            can=copilot.can("keep-going", modify_output={"modifiedResponse": "$output-text"}),
            evidence=PAGE,
        ),
        "stop-failure": Native("errorOccurred"),
    },
    native_only=("userPromptTransformed", "preMcpToolCall", "postResult", "prePRDescription"),
    also_reads={
        "claude-code": ("project", "local"),
        "copilot-cloud-agent": ("project",),
        "jetbrains-copilot": ("project",),
    },
    signatures=(Signature(env="COPILOT_PROJECT_DIR"),),
    after_project=("Trust the folder in Copilot CLI; until then it ignores project hooks.",),
    switches=(settings.off(File(copilot.USER, "settings.json")),),
    content=Content(
        mcp=servers.typed(
            File(copilot.USER, "mcp-config.json"),
            File(copilot.PROJECT, "mcp.json"),
            stdio=LOCAL,
            http=HTTP,
            sse={**HTTP, "type": "sse"},
            evidence=PAGE,
        ),
        skills={"user": File(copilot.USER, "skills"), "project": File(copilot.PROJECT, "skills")},
        rules={"project": File(copilot.PROJECT, "copilot-instructions.md")},
        evidence=BY_OTHER_TOOLS,
    ),
    package=HostPackage(
        manifest="plugin.json",
        fields=packages.ABOUT,
        hooks="hooks.json",
        root="${PLUGIN_ROOT}",
        windows=WindowsCommand(
            key="powershell",
            other="bash",
            line='$r = $env:PLUGIN_ROOT; if ($r -and (Test-Path -LiteralPath "$r\\launch.cmd")) '
            '{ & "$r\\launch.cmd" $host $slot; exit $LASTEXITCODE }',
        ),
        servers=PackageServers(file=".mcp.json", root="${PLUGIN_ROOT}"),
        marketplace=".github/plugin/marketplace.json",
        index=packages.INDEX,
        seen=(Seen(file=File(copilot.USER, "settings.json"), at=("enabledPlugins",)),),
        install="copilot plugin marketplace add DIR && copilot plugin install $name@$market",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """GitHub Copilot CLI."""
    return [HOST]
