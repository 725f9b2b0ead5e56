"""Junie CLI: in early access."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers, settings
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    File,
    Host,
    Matcher,
    Native,
    Run,
    hookimpl,
)

USER = Dir("~/.junie", env="JUNIE_HOME")
PROJECT = Dir(".junie")
ALLOW = {"decision": "allow"}
UPDATED = {"updatedInput": "$input"}
CONTEXT = {"additionalContext": "$text"}

HOST = Host(
    id="junie",
    name="Junie CLI",
    evidence=documented("2026", "third-party copy of the vendor's page"),
    detect=Detect(binaries=("junie",), dirs=(USER,)),
    # It reads a project's file only if the command line names it.
    delivery=settings.entries(USER, name="config.json"),
    matcher=Matcher(style="regex"),
    run=Run(default=10),
    wire=claude.WIRE,
    events={
        "session-start": Native("SessionStart", can=claude.can(context=CONTEXT)),
        "turn-start": Native(
            "UserPromptSubmit", can=claude.can(deny=claude.BLOCK, context=CONTEXT)
        ),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=claude.can(
                allow=ALLOW,
                deny=claude.BLOCK,
                ask={"decision": "ask", "reason": "$reason"},
                context=CONTEXT,
                modify_input=UPDATED,
            ),
        ),
        "turn-end": Native("Stop", can=claude.can("keep-going")),
        "session-end": Native("SessionEnd"),
        "permission-request": Native(
            "PermissionRequest",
            matcher=True,
            can=claude.can(allow=ALLOW, deny=claude.BLOCK, modify_input=UPDATED),
        ),
        "stop-failure": Native("StopFailure"),
    },
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp/mcp.json"),
            File(PROJECT, "mcp/mcp.json"),
            remote=servers.URL,
            evidence=documented(),
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Junie CLI."""
    return [HOST]
