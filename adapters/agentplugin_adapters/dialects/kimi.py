"""The dialect of Kimi: rules in the settings file, each with its event."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude
from hatch_agentplugin.adapter import Dir, Entries, File, Run, Template, Wire

#: Exactly the known keys: with an unknown one Kimi Code CLI loads no settings at all.
RULE: Template = {
    "event": "$event",
    "matcher": "$matcher",
    "command": "$command",
    "timeout": "$timeout",
}
RUN = Run(default=30, maximum=600)
WIRE = Wire(
    fields={
        **claude.FIELDS,
        "output": "tool_output",
        "call_id": "tool_call_id",
        "error": ("error.message", "error", "error_message"),
    }
)


def rules(user: Dir) -> Entries:
    """Entries in the settings file of the user; projects have none."""
    return Entries(
        files={"user": (File(user, "config.toml"),)}, at=("hooks",), entry=RULE, format="toml"
    )
