"""Mux: one executable per event; its vendor calls tool hooks experimental."""

from __future__ import annotations

from agentplugin_adapters.evidence import BY_OTHER_TOOLS, documented
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Executables,
    File,
    Host,
    Mcp,
    Native,
    Run,
    Wire,
    hookimpl,
)

USER = Dir("~/.mux")
PROJECT = Dir(".mux")

HOST = Host(
    id="mux",
    name="Mux",
    evidence=documented(),
    detect=Detect(dirs=(USER,)),
    # There is one name per event, and the project's file hides the user's.
    delivery=Executables(
        files={"user": (File(USER, "{event}"),), "project": (File(PROJECT, "{event}"),)}
    ),
    run=Run(form="file", unit="none", default=10),
    wire=Wire(
        fields={"session": "session", "tool": "tool", "input": "input", "output": "result"},
        environment={
            "session": "MUX_WORKSPACE_ID",
            "tool": "MUX_TOOL",
            "input": "@MUX_TOOL_INPUT_PATH",
            "result": "@MUX_TOOL_RESULT_PATH",
        },
    ),
    tools={
        "shell": ("bash",),
        "file.read": ("file_read",),
        "file.write": ("file_edit_*",),
    },
    events={
        "pre-tool-use": Native("tool_pre", can={"deny": {"$exit": 2, "$stderr": "$reason"}}),
        "post-tool-use": Native("tool_post", can={"context": {"$stdout": "$text"}}),
    },
    content=Content(
        mcp=Mcp(
            files={"user": (File(USER, "mcp.jsonc"),), "project": (File(PROJECT, "mcp.jsonc"),)},
            at=("servers", "$name"),
            stdio="$line",
            format="jsonc",
            evidence=BY_OTHER_TOOLS,
        ),
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Mux."""
    return [HOST]
