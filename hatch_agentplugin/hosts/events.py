"""What a host says and hears: its events, matchers, payloads, and how it runs a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, TypeAlias

from hatch_agentplugin.hosts.delivery import Template

Basis: TypeAlias = Literal["witnessed", "program", "documented", "claimed"]


@dataclass(frozen=True)
class Native:
    """How one host has one canonical event."""

    name: str
    _: KW_ONLY
    can: Mapping[str, Template] = field(default_factory=dict)
    """Outcome -> reply template. ``{"$exit": 2, "$stderr": "$reason"}`` answers by exit status,
    ``{"$stdout": "$text"}`` by plain text."""
    shapes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Outcome -> native tool name (``*`` = any text) -> what ``$output`` becomes if it is text, for a
    host that takes only the shape of the tool's own result. Other values stay as they are; text for
    a tool that is not named here is dropped."""
    fields: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    """Payload fields of this event that differ from the host's :class:`Wire`."""
    matcher: bool = False
    """The host's native matcher acts on this event."""
    entry: Template | None = None
    """The entry of this event, where it differs from that of the others."""
    tools: Sequence[str] = ()
    """Selectors this native event serves, where the host splits the event by kind of tool."""
    near: str = ""
    """Why it is only an approximation of the canonical event; empty when it is exact."""
    only: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Fires only when the payload field (dotted path) has one of these values."""
    not_when: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Does not fire when the payload field has one of these values (second fires, other kinds)."""
    timeout_max: float | None = None
    """Longest timeout in seconds that the host grants here."""
    detached: bool = False
    """The host does not wait for the hook or kills it at exit: answers are lost."""
    evidence: Evidence | None = None


@dataclass(frozen=True, kw_only=True)
class Matcher:
    """The dialect of the native tool matcher."""

    style: Literal["none", "exact-list", "regex", "regex-whole", "glob", "re-glob"]
    """``exact-list``: ``A|B`` of exact names, anything else a regex, not anchored; ``regex``: not
    anchored; ``regex-whole``: over the whole name; ``glob``: one name or glob; ``re-glob``: a glob,
    or a whole-name regex after ``re:``."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """How the host runs a command."""

    form: Literal["sh", "argv", "words", "path", "file"] = "sh"
    """``sh``: a line for a POSIX shell; ``argv``: a list; ``words``: split like a shell line but run
    without one; ``path``: the path of a script; ``file``: the placed file itself."""
    guard: bool = False
    """The host takes a missing program for a refusal, so the line tests for the launcher first."""
    unit: Literal["s", "ms", "none"] = "s"
    """Unit of ``$timeout``; ``none``: the host has no such key."""
    default: float = 60
    """Seconds the host waits where the entry names no timeout."""
    maximum: float | None = None
    whole_seconds: bool = True
    windows_shell: Literal["cmd", "powershell", "bash", "none"] = "cmd"
    project_env: Sequence[str] = ()
    """Variables in which the host names the project, where hooks do not run in its folder."""


@dataclass(frozen=True, kw_only=True)
class Wire:
    """Where the host's payload has what an :class:`~hatch_agentplugin.Event` needs.

    Values are dotted paths, or several in order of preference; ``a.0`` is a list's first item.
    Names: session, cwd, tool, input, output, prompt, call_id, transcript, reason, agent, message,
    error, stop_active (true from the second round of a kept-going turn on).
    """

    fields: Mapping[str, str | Sequence[str]]
    input_is_text: bool = False
    """The tool input may arrive as a JSON document in a string."""
    silence: Mapping[str, Any] | None = None
    """What to print when there is nothing to say (Cursor wants an empty object); None: nothing."""
    context_limit: int = 10_000
    """Characters of context the host takes."""
    stdin_may_stay_open: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    """For a host that sends no payload: payload key -> variable that has it; ``@NAME``: that names
    a file with it, as JSON."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a fact rests on."""

    basis: Basis
    version: str
    """Version of the host; for pages the year."""
    date: str
    """ISO date on which it was seen or read."""
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Signature:
    """Evidence that a payload comes from this host although the entry was written for another."""

    env: str | None = None
    field: str | None = None
