"""Replies by name, and the dialect that our own code modules speak."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hatch_agentplugin.hosts.delivery import Template
from hatch_agentplugin.hosts.events import Wire

#: Replies of the bridge dialect that every code module understands.
BRIDGE: dict[str, dict[str, Any]] = {
    "allow": {"decision": "allow"},
    "deny": {"decision": "deny", "reason": "$reason"},
    "ask": {"decision": "ask", "reason": "$reason"},
    "context": {"context": "$text"},
    "modify-input": {"input": "$input"},
    "modify-output": {"output": "$output"},
    "keep-going": {"decision": "keep-going", "reason": "$reason"},
    "halt": {"decision": "halt", "reason": "$reason"},
    "message": {"message": "$text"},
}


def bridge(*outcomes: str) -> dict[str, Template]:
    """The bridge replies for these outcomes, for ``Native.can`` of a code module."""
    return {outcome: BRIDGE[outcome] for outcome in outcomes}


def replies(table: Mapping[str, Template]) -> Callable[..., dict[str, Template]]:
    """A function like :func:`bridge` for another dialect: ``can("deny", "halt", context=...)``.

    It picks outcomes from ``table``; keywords (``_`` for ``-``) add or replace single ones.
    """

    def can(*outcomes: str, **others: Template) -> dict[str, Template]:
        picked = {outcome: table[outcome] for outcome in outcomes}
        return picked | {name.replace("_", "-"): reply for name, reply in others.items()}

    return can


#: The payload of the bridge dialect; the host's own object is under ``raw``.
BRIDGE_WIRE = Wire(
    fields={
        "session": "session_id",
        "cwd": "cwd",
        "tool": "tool_name",
        "input": "tool_input",
        "output": "tool_output",
        "prompt": "prompt",
        "call_id": "call_id",
        "error": "error",
        "stop_active": "stop_active",
        "reason": "reason",
        "agent": "agent",
        "message": "message",
        "transcript": "transcript",
    },
)
