"""Devin CLI: Claude Code's dialect in part."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Signature,
    Wire,
    hookimpl,
)

USER = Dir("~/.config/devin", windows="%APPDATA%/devin")
PROJECT = Dir(".devin")
IN_CONFIG = ("hooks", "$event")
APPROVE = {"decision": "approve"}

HOST = Host(
    id="devin",
    name="Devin CLI",
    evidence=documented(),
    detect=Detect(binaries=("devin",), dirs=(USER,)),
    delivery=Entries(
        files={
            "user": (File(USER, "config.json", at=IN_CONFIG),),
            "project": (File(PROJECT, "hooks.v1.json"), File(PROJECT, "config.json", at=IN_CONFIG)),
        },
        at=("$event",),
        entry=claude.GROUP,
    ),
    matcher=Matcher(style="regex"),
    wire=Wire(fields={**claude.FIELDS, "output": ("tool_response", "tool_output")}),
    tools={
        "shell": ("exec",),
        "file.write": ("edit", "write", "apply_patch"),
        "mcp": ("mcp__*",),
    },
    events={
        "session-start": Native("SessionStart", can=claude.can("context")),
        "turn-start": Native("UserPromptSubmit", can=claude.can("context", deny=claude.BLOCK)),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=claude.can("modify-input", allow=APPROVE, deny=claude.BLOCK),
        ),
        "post-tool-use": Native("PostToolUse", matcher=True, can=claude.can("context")),
        "turn-end": Native("Stop", can=claude.can("keep-going")),
        "session-end": Native("SessionEnd"),
        "post-compact": Native("PostCompaction"),
        "permission-request": Native(
            "PermissionRequest", matcher=True, can=claude.can(allow=APPROVE, deny=claude.BLOCK)
        ),
    },
    also_reads={"claude-code": ("user", "project", "local")},
    signatures=(Signature(env="DEVIN_PROJECT_DIR"),),
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp_config.json"),
            File(PROJECT, "mcp_config.json"),
            remote=servers.SERVER_URL,
            evidence=documented(),
        ),
        skills=in_both(USER, PROJECT, "skills"),
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Devin CLI."""
    return [HOST]
