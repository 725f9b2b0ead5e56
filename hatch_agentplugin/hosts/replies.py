"""Replies by outcome, and the bridge dialect that our own code modules speak."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hatch_agentplugin.hosts.delivery import Template
from hatch_agentplugin.hosts.events import Wire

#: Outcome -> reply of the bridge dialect; every code module understands all of them.
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
    """Return the bridge replies for these outcomes, for ``Native.can`` of a code module."""
    return {outcome: BRIDGE[outcome] for outcome in outcomes}


def replies(table: Mapping[str, Template]) -> Callable[..., dict[str, Template]]:
    """Return a function like :func:`bridge` for another dialect: ``can("deny", context=...)``.

    It picks outcomes from ``table``. Keywords (``_`` for ``-``) add or replace replies.
    """

    def can(*outcomes: str, **others: Template) -> dict[str, Template]:
        picked = {outcome: table[outcome] for outcome in outcomes}
        return picked | {name.replace("_", "-"): reply for name, reply in others.items()}

    return can


#: Payload of the bridge dialect; the host's own object is in ``raw``.
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
