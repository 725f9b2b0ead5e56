"""A host's events, payloads and replies, and how it runs a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, TypeAlias

from hatch_agentplugin.hosts.delivery import Template
from hatch_agentplugin.words import Form, WindowsShell

Basis: TypeAlias = Literal["witnessed", "program", "documented", "claimed"]


@dataclass(frozen=True)
class Native:
    """A host's own event for a canonical one."""

    name: str
    """The host's name for the event."""
    _: KW_ONLY
    can: Mapping[str, Template] = field(default_factory=dict)
    """Outcome -> template of the reply. ``{"$exit": 2, "$stderr": "$reason"}`` replies by exit
    status, ``{"$stdout": "$text"}`` by plain text."""
    shapes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Outcome -> native tool name (``*`` stands for any text) -> the value of ``$output`` for text,
    if the host requires the shape of the tool's own result. Text for other tools is dropped; values
    that are not text stay as they are."""
    fields: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    """Payload fields of this event that differ from the host's :class:`Wire`."""
    matcher: bool = False
    """The host's tool matcher works for this event."""
    entry: Template | None = None
    """Template of this event's entry, if it differs from the other events'."""
    tools: Sequence[str] = ()
    """Selectors that this event serves, if the host has one event per kind of tool."""
    near: str = ""
    """Why the event is only an approximation of the canonical one; empty: it is exact."""
    only: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Hooks fire only if the payload field (dotted path) has one of these values."""
    not_when: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Hooks do not fire if the payload field has one of these values (a host that fires twice)."""
    timeout_max: float | None = None
    """Longest timeout that the host allows here, in seconds."""
    detached: bool = False
    """The host does not wait for the hook, or kills it at exit: replies are lost."""
    evidence: Evidence | None = None
    """The evidence for this; None: the host's evidence."""


@dataclass(frozen=True, kw_only=True)
class Matcher:
    """The language of the host's tool matcher."""

    style: Literal["none", "exact-list", "regex", "regex-whole", "glob", "re-glob"]
    """``exact-list``: ``A|B`` of exact names, anything else is an unanchored regex; ``regex``:
    unanchored; ``regex-whole``: matches the whole name; ``glob``: one name or glob; ``re-glob``: a
    glob, or a regex for the whole name after ``re:``."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """How the host runs a command."""

    form: Form = "sh"
    """``sh``: a line for a POSIX shell; ``argv``: a list; ``words``: split like a shell line, but
    run without a shell; ``path``: the path of a script; ``file``: the placed file itself."""
    guard: bool = False
    """The host treats a missing program as a refusal; the line tests for the launcher first."""
    unit: Literal["s", "ms", "none"] = "s"
    """Unit of ``$timeout``; ``none``: the host has no such key."""
    default: float = 60
    """The host's timeout for an entry that has none, in seconds."""
    maximum: float | None = None
    """Longest timeout that the host allows, in seconds."""
    whole_seconds: bool = True
    """The host does not accept fractions of a second."""
    windows_shell: WindowsShell = "cmd"
    project_env: Sequence[str] = ()
    """Variables that hold the project's folder, if hooks run in another folder."""


@dataclass(frozen=True, kw_only=True)
class Wire:
    """The paths in the host's payload to the values of an :class:`~hatch_agentplugin.Event`.

    Values are dotted paths, or several in order of preference; ``a.0`` is the first item of a list.
    Names: session, cwd, tool, input, output, prompt, call_id, transcript, reason, agent, message,
    error, stop_active (true when a hook has kept the turn going before).
    """

    fields: Mapping[str, str | Sequence[str]]
    input_is_text: bool = False
    """The tool input may be a JSON document in a string."""
    silence: Mapping[str, Any] | None = None
    """The reply without an outcome (Cursor requires an empty object); None: no output."""
    context_limit: int = 10_000
    """Characters of context that the host accepts."""
    stdin_may_stay_open: bool = False
    """The host may leave standard input open after the payload."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """For a host without a payload: payload key -> environment variable with the value; ``@NAME``:
    the variable names a JSON file with it."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The evidence for a fact."""

    basis: Basis
    """``witnessed`` in a run, read in the ``program``, ``documented`` by the vendor, or ``claimed``
    by others."""
    version: str
    """Version of the host; for a page its year."""
    date: str
    """ISO date on which it was seen or read."""
    source: str = ""
    """Where it was seen or read."""


@dataclass(frozen=True, kw_only=True)
class Signature:
    """Shows that this host sent a payload although the entry was written for another host."""

    env: str | None = None
    """An environment variable that only this host sets."""
    field: str | None = None
    """A payload field (dotted path) that only this host sends."""


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
