"""GitHub Copilot CLI, seen running at 1.0.102; events marked otherwise are on the vendor's page."""

from __future__ import annotations

from agentplugin_adapters import _copilot as copilot
from agentplugin_adapters import _settings as settings
from agentplugin_adapters._bundles import BUNDLES
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._copilot import can
from agentplugin_adapters._facts import documented, witnessed
from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Mark,
    Matcher,
    Native,
    Run,
    hookimpl,
)

USER = Dir("~/.copilot", env="COPILOT_HOME")
MANAGED = Dir("/etc/github-copilot", windows="%ProgramData%/GitHub/Copilot")
PAGE = documented()

HOST = Host(
    id="copilot-cli",
    name="GitHub Copilot CLI",
    content=CONTENT["copilot-cli"],
    bundle=BUNDLES["copilot-cli"],
    evidence=witnessed("1.0.102"),
    detect=Detect(binaries=("copilot",), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, copilot.USER_HOOKS),),
            "project": (File(Dir(".github"), copilot.USER_HOOKS),),
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
    tools={  # with Claude's names last, which a hook in the project's Claude file gets
        "shell": ("bash", "powershell", "Bash"),
        "file.read": ("view", "Read"),
        "file.write": ("create", "edit", "Write", "Edit"),
        "agent": ("task", "Task"),
        "web": ("web_fetch", "web_search", "WebFetch", "WebSearch"),
    },
    events={
        "session-start": Native("sessionStart", can=can("context")),
        "turn-start": Native(
            "userPromptSubmitted",
            can=can("context", deny={"handled": True, "responseContent": "$reason"}),
        ),
        "pre-tool-use": Native(
            "preToolUse",
            matcher=True,
            can=can("allow", "deny", "ask", "context", "modify-input"),
        ),
        "post-tool-use": Native("postToolUse", matcher=True, can=can("context", "modify-output")),
        "turn-end": Native("agentStop", can=can("keep-going")),
        "session-end": Native("sessionEnd"),
        "pre-compact": Native("preCompact", evidence=PAGE),
        "notification": Native("notification", can=can("context")),
        "permission-request": Native("permissionRequest", matcher=True, can=copilot.APPROVAL),
        "post-tool-use-failure": Native("postToolUseFailure", can=can("context"), evidence=PAGE),
        "subagent-start": Native("subagentStart", can=can("context"), evidence=PAGE),
        "subagent-stop": Native(
            "subagentStop",
            can=can("keep-going", modify_output={"modifiedResponse": "$output-text"}),
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
    marks=(Mark(env="COPILOT_PROJECT_DIR"),),
    after_project=("Trust the folder in Copilot CLI; its project hooks are not read before.",),
    switches=(settings.off(File(USER, "settings.json")),),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """GitHub Copilot CLI."""
    return [HOST]
