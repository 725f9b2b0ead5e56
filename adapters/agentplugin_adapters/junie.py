"""Junie CLI, by a third-party copy of the vendor's page of 2026 (early access)."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters import _settings as settings
from agentplugin_adapters._claude import can
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import documented
from hatch_agentplugin.adapter import Detect, Dir, Host, Matcher, Native, Run, hookimpl

USER = Dir("~/.junie", env="JUNIE_HOME")
ALLOW = {"decision": "allow"}
UPDATED = {"updatedInput": "$input"}
CONTEXT = {"additionalContext": "$text"}

HOST = Host(
    id="junie",
    name="Junie CLI",
    content=CONTENT["junie"],
    evidence=documented("2026", "third-party copy of the vendor's page"),
    detect=Detect(binaries=("junie",), dirs=(USER,)),
    # A project's own file counts only where it is named on the command line.
    delivery=settings.entries(USER, name="config.json"),
    matcher=Matcher(style="regex"),
    run=Run(default=10),
    wire=claude.WIRE,
    events={
        "session-start": Native("SessionStart", can=can(context=CONTEXT)),
        "turn-start": Native("UserPromptSubmit", can=can(deny=claude.BLOCK, context=CONTEXT)),
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=can(
                allow=ALLOW,
                deny=claude.BLOCK,
                ask={"decision": "ask", "reason": "$reason"},
                context=CONTEXT,
                modify_input=UPDATED,
            ),
        ),
        "turn-end": Native("Stop", can=can("keep-going")),
        "session-end": Native("SessionEnd"),
        "permission-request": Native(
            "PermissionRequest",
            matcher=True,
            can=can(allow=ALLOW, deny=claude.BLOCK, modify_input=UPDATED),
        ),
        "stop-failure": Native("StopFailure"),
    },
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Junie CLI."""
    return [HOST]
