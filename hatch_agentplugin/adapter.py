"""What the author of a host adapter imports: the words that describe one coding agent as data.

An adapter is a module with one pluggy hook implementation that returns :class:`Host` objects, and
an entry point in the group ``agent_plugin.adapters`` that names the module::

    from hatch_agentplugin.adapter import Host, hookimpl

    HOST = Host(id="acme-code", ...)

    @hookimpl
    def agent_plugin_hosts():
        return [HOST]

Templates (entries and replies) are JSON values in which a string that is one of the slots below
stands for a value filled in later. A key whose slot has no value is left out.

======================  ===========================================================
slot                    stands for
======================  ===========================================================
``$command``            the command line (or list, or path) that starts the launcher
``$event``              the native event name
``$matcher``            the native tool matcher
``$timeout``            the hook's timeout in the host's unit
``$plugin``             the plugin's id
``$id``                 an id unique per plugin, host and event (for hosts that want a name)
``$reason`` ``$text``   in replies: the handler's reason, the context or message text
``$input`` ``$output``  in replies: the changed tool input, the changed tool output
``$output-text``        the same output for a host that wants text: another value as JSON
======================  ===========================================================

Standard library only, so that tables can be read where pluggy is not installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar, Union

from hatch_agentplugin.content import Content
from hatch_agentplugin.native_bundle import Bundle

#: The entry-point group, and the pluggy project name.
ENTRY_POINT_GROUP = "agent_plugin.adapters"
PROJECT_NAME = "agent_plugin"

Json: TypeAlias = Union[None, bool, int, float, str, "Sequence[Json]", "Mapping[str, Json]"]
Scope: TypeAlias = Literal["user", "project", "local", "managed"]
Template: TypeAlias = "Mapping[str, Any]"
Basis: TypeAlias = Literal["witnessed", "program", "documented", "claimed"]

F = TypeVar("F", bound=Callable[..., Any])


def hookimpl(function: F) -> F:
    """Mark a function as the implementation of a hook of this project (pluggy's marker)."""
    try:
        from pluggy import HookimplMarker
    except ImportError:  # reading the tables does not need pluggy, only the build does
        return function
    marked: F = HookimplMarker(PROJECT_NAME)(function)
    return marked


@dataclass(frozen=True)
class Dir:
    """A folder on the user's machine, as the host itself finds it."""

    default: str
    """``~/.claude`` (below the home folder), ``.claude`` (below the project) or absolute."""
    env: str | None = None
    """Variable of the host that moves the folder."""
    inside: str = ""
    """Path below what ``env`` names (``.gemini`` for GEMINI_CLI_HOME); empty: the folder itself."""
    windows: str | None = None
    """Default on Windows where it differs; ``%APPDATA%`` and the like are expanded."""
    macos: str | None = None
    """Default on macOS where it differs."""


@dataclass(frozen=True)
class File:
    """A file in a :class:`Dir`. ``path`` may hold ``{plugin}`` and ``{event}`` (native name)."""

    dir: Dir
    path: str
    windows: str | None = None
    """Path on Windows where it differs (another extension)."""


@dataclass(frozen=True, kw_only=True)
class Entries:
    """Hooks are entries in a document: one entry per event and plugin."""

    files: Mapping[Scope, Sequence[File]]
    """Per scope: the first is written; a further one instead where the user's hooks for the same
    event already live there (some hosts let one file mask the other)."""
    at: Sequence[str]
    """Path of the list the entry is appended to; ``$event`` and ``$plugin`` are filled in."""
    entry: Template
    format: Literal["json", "jsonc", "toml", "yaml"] = "json"
    document: Mapping[str, Any] = field(default_factory=dict)
    """Top-level keys that the host demands (``{"version": 1}``), added where missing."""
    own: bool = False
    """The file is ours alone (its name holds ``{plugin}``): written whole, removed whole."""
    second_at: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Another ``at`` for the file with this name, where it differs (Droid's settings.json)."""
    beside: Mapping[Scope, Sequence[Beside]] = field(default_factory=dict)
    """Further files of ours without which the host does not look at the hooks (a manifest)."""
    register: Mapping[Scope, Sequence[Register]] = field(default_factory=dict)
    """Values in the host's own settings that make it load our file."""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """A JSON file of ours; its path or folder holds ``{plugin}``, its value may hold ``$plugin``."""

    file: File
    value: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Executables:
    """Hooks are executables in a folder, one per event; ours is a small shell script."""

    files: Mapping[Scope, Sequence[File]]
    """Candidates in order; a name taken by a foreign file is never overwritten, the next is used."""


@dataclass(frozen=True, kw_only=True)
class Module:
    """Hooks are a code module made from a jinja2 template; it speaks the bridge dialect."""

    files: Mapping[Scope, Sequence[File]]
    """All files of the module, each rendered from the template of the same position."""
    templates: Sequence[str]
    """Template names below ``package``'s ``templates`` folder, one per file."""
    package: str = "agentplugin_adapters"
    params: Mapping[str, Any] = field(default_factory=dict)
    """Constants for the template."""
    register: Mapping[Scope, Sequence[Register]] = field(default_factory=dict)
    """Keys to set in the host's own settings so that it loads the module."""


@dataclass(frozen=True, kw_only=True)
class Register:
    """A value placed in a settings file beside a module: a key, or an item of a list."""

    file: File
    at: Sequence[str]
    value: Any
    op: Literal["key", "item"] = "key"
    format: Literal["json", "jsonc", "toml", "yaml"] = "json"
    only_if_present: bool = False
    """For an item: only where the list exists already (an allow-list the user keeps)."""


Delivery: TypeAlias = Union[Entries, Executables, Module]


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
class Detect:
    """How to see, without running it, that a host is on the machine."""

    binaries: Sequence[str] = ()
    dirs: Sequence[Dir] = ()


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A setting of the user's that keeps placed hooks from running."""

    files: Sequence[File]
    at: Sequence[str]
    is_: Any
    says: str
    format: Literal["json", "jsonc", "toml", "yaml"] = "json"


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Evidence that a payload comes from this host although the entry was written for another."""

    env: str | None = None
    field: str | None = None


@dataclass(frozen=True, kw_only=True)
class Host:
    """One coding agent."""

    id: str
    name: str
    evidence: Evidence
    detect: Detect
    delivery: Delivery | None = None
    """None: the host has no hooks."""
    through: str = ""
    """Id of the host whose placement serves this one too (the same files, read by both)."""
    events: Mapping[str, Native | Sequence[Native]] = field(default_factory=dict)
    """Canonical event -> native event or events."""
    tools: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Selector -> native tool names; ``*`` stands for any text (``mcp__*``)."""
    matcher: Matcher = Matcher(style="none")
    run: Run = Run()
    wire: Wire = Wire(fields={})
    marks: Sequence[Mark] = ()
    marks_in: Mapping[str, Sequence[Mark]] = field(default_factory=dict)
    """Other marks for the payloads that entries of one host id get (its own have them as well)."""
    also_reads: Mapping[str, Sequence[Scope]] = field(default_factory=dict)
    """Host id -> scopes whose hook files this host runs too."""
    after: Sequence[str] = ()
    """What the user must still do after activating, a sentence each."""
    after_project: Sequence[str] = ()
    """The same for project scope."""
    switches: Sequence[Switch] = ()
    native_only: Sequence[str] = ()
    """Native events without a canonical counterpart, for ``[tool.agent-plugin.native.<host>]``."""
    content: Content = field(default_factory=Content)
    """Where MCP servers, skills, commands and rules go."""
    bundle: Bundle | None = None
    """The host's own plugin package."""
    note: str = ""

    def natives(self, event: str) -> tuple[Native, ...]:
        """The native events for a canonical one, the usual one first; empty when the host lacks it."""
        found = self.events.get(event, ())
        return (found,) if isinstance(found, Native) else tuple(found)


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
    },
)
