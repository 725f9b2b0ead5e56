"""Mistral Vibe."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, servers
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import program, witnessed
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
    Template,
    Wire,
    hookimpl,
)

USER = Dir("~/.vibe", env="VIBE_HOME")
PROJECT = Dir(".vibe")
READ = program("3.0.2")
DENY: Template = {"decision": "deny", "reason": "$reason"}
RULE: Template = {
    "name": "$id",
    "type": "$event",
    "match": "$matcher",
    "command": "$command",
    "timeout": "$timeout",
}

HOST = Host(
    id="mistral-vibe",
    name="Mistral Vibe",
    evidence=witnessed("3.0.2"),
    detect=Detect(binaries=("vibe",), dirs=(USER,)),
    bom=True,
    delivery=Entries(
        files={
            "user": (File(USER, "hooks.toml"),),
            "project": (File(PROJECT, "hooks.toml"),),
        },
        at=("hooks",),
        entry=RULE,
        format="toml",
    ),
    matcher=Matcher(style="re-glob"),
    run=Run(default=60),
    wire=Wire(
        fields={
            **claude.FIELDS,
            "output": ("tool_output_text", "tool_output"),
            "call_id": "tool_call_id",
            "error": "tool_error",
        }
    ),
    tools={  # the matcher needs short names; in payloads the group's name is their prefix
        "shell": ("bash", "*.bash"),
        "file.read": ("read_file", "*.read_file"),
        "file.write": ("write_file", "edit", "*.write_file", "*.edit"),
        "agent": ("task", "*.task"),
        "web": ("web_search", "web_fetch", "*.web_search", "*.web_fetch"),
    },
    events={
        "pre-tool-use": Native(
            "pre_tool",
            matcher=True,
            can={
                "deny": DENY,
                "modify-input": {"hook_specific_output": {"tool_input": "$input"}},
            },
        ),
        "post-tool-use": Native(
            "post_tool",
            matcher=True,
            can={
                "context": {"hook_specific_output": {"additional_context": "$text"}},
                # The reason of a refusal replaces the result.
                "modify-output": {"decision": "deny", "reason": "$output-text"},
            },
        ),
        "turn-end": Native("post_agent", can={"keep-going": DENY}),
    },
    after_project=(
        "Trust the folder in Vibe (`vibe --trust`); until then it ignores project hooks.",
    ),
    content=Content(
        mcp=Mcp(
            files={
                "user": (File(USER, "config.toml"),),
                "project": (File(PROJECT, "config.toml"),),
            },
            at=("mcp_servers",),
            stdio={"name": "$name", "transport": "stdio", **servers.LOCAL},
            format="toml",
            as_list=True,
            evidence=READ,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        rules=AGENTS_MD,
        evidence=READ,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Mistral Vibe."""
    return [HOST]
