"""Hermes Agent."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers
from agentplugin_adapters.dialects.folders import ROOT
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Mcp,
    Native,
    Run,
    Wire,
    hookimpl,
)

USER = Dir("~/.hermes", env="HERMES_HOME", windows="%LOCALAPPDATA%/hermes")
READ = program("0.19.0")
#: Events that no other host has.
NATIVE_ONLY = (
    "pre_verify", "pre_api_request", "post_api_request", "api_request_error", "post_llm_call",
    "on_session_reset", "transform_terminal_output", "transform_tool_result",
    "transform_llm_output", "pre_gateway_dispatch", "post_approval_response",
    "kanban_task_claimed", "kanban_task_completed", "kanban_task_blocked",
)  # fmt: skip

HOST = Host(
    id="hermes",
    name="Hermes Agent",
    evidence=witnessed("0.19.0"),
    detect=Detect(binaries=("hermes",), dirs=(USER,)),
    bom=True,
    delivery=Entries(
        files={"user": (File(USER, "config.yaml"),)},
        at=("hooks", "$event"),
        entry={"command": "$command", "matcher": "$matcher", "timeout": "$timeout"},
        format="yaml",
    ),
    matcher=Matcher(style="regex-whole"),
    run=Run(form="words", default=60, maximum=300, windows_shell="none"),
    wire=Wire(
        fields={
            "session": "session_id",
            "cwd": "cwd",
            "tool": "tool_name",
            "input": "tool_input",
            "output": "extra.result",
            "call_id": "extra.tool_call_id",
            "prompt": "extra.user_message",
        }
    ),
    tools={
        "shell": ("terminal",),
        "file.read": ("read_file",),
        "file.write": ("write_file", "patch"),
        "agent": ("delegate_task",),
        "web": ("web_search", "web_extract"),
    },
    events={
        "session-start": Native("on_session_start"),
        "turn-start": Native("pre_llm_call", can={"context": {"context": "$text"}}),
        "pre-tool-use": Native("pre_tool_call", matcher=True, can={"deny": claude.BLOCK}),
        "post-tool-use": Native("post_tool_call", matcher=True),
        "turn-end": Native("on_session_end"),  # despite its name it fires when a run ends
        "session-end": Native("on_session_finalize", evidence=READ),
        "permission-request": Native("pre_approval_request", evidence=READ),
        "subagent-start": Native("subagent_start", evidence=READ),
        "subagent-stop": Native("subagent_stop", evidence=READ),
    },
    native_only=NATIVE_ONLY,
    after=("Approve the hooks when Hermes asks at its next start, or run hermes --accept-hooks.",),
    content=Content(
        mcp=Mcp(
            files={"user": (File(USER, "config.yaml"),)},
            at=("mcp_servers", "$name"),
            stdio=servers.LOCAL,
            http=servers.REMOTE,
            format="yaml",
            evidence=READ,
        ),
        skills={"user": File(USER, "skills")},
        rules={"project": File(ROOT, ".hermes.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Hermes Agent."""
    return [HOST]
