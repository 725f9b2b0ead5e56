"""Kimi CLI, the Python product: the predecessor of Kimi Code CLI."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, kimi, servers
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program, witnessed
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, Matcher, Native, hookimpl

USER = Dir("~/.kimi", env="KIMI_SHARE_DIR")
READ = program("1.51.0")

HOST = Host(
    id="kimi-cli-legacy",
    name="Kimi CLI (Python)",
    evidence=witnessed("1.51.0"),
    detect=Detect(binaries=("kimi-cli",), dirs=(USER,)),
    bom=False,
    delivery=kimi.rules(USER),
    matcher=Matcher(style="regex"),
    run=kimi.RUN,
    wire=kimi.WIRE,
    tools={
        "shell": ("Shell",),
        "file.read": ("ReadFile",),
        "file.write": ("WriteFile", "StrReplaceFile"),
        "web": ("SearchWeb", "FetchURL"),
    },
    events={
        "session-start": Native("SessionStart"),
        "turn-start": Native("UserPromptSubmit", can={"deny": claude.EXIT_2}),
        "pre-tool-use": Native("PreToolUse", matcher=True, can=claude.can("deny")),
        "post-tool-use": Native("PostToolUse", matcher=True),
        "turn-end": Native("Stop", can={"keep-going": claude.EXIT_2}),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native("PreCompact", evidence=READ),
        "post-compact": Native("PostCompact", evidence=READ),
        "notification": Native("Notification", evidence=READ),
        "post-tool-use-failure": Native("PostToolUseFailure", matcher=True, evidence=READ),
        "subagent-start": Native("SubagentStart", evidence=READ),
        "subagent-stop": Native("SubagentStop", evidence=READ),
        "stop-failure": Native("StopFailure"),
    },
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp.json"),
            evidence=program("1.52.0"),
        ),
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Kimi CLI, the Python product."""
    return [HOST]
