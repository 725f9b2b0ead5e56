"""The two Kimi command lines: rules in the settings file, each naming its event."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude
from hatch_agentplugin.adapter import Dir, Entries, File, Run, Template, Wire

#: The whole set of keys: one more, and the newer of the two loads no settings at all.
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
    """Entries in the one settings file; there is none of a project."""
    return Entries(
        files={"user": (File(user, "config.toml"),)}, at=("hooks",), entry=RULE, format="toml"
    )
