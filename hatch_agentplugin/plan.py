"""The plan: what the build leaves in the wheel for placing and firing. Format 1.

The bundle folder ``<name>_agent_plugin/`` holds::

    plan.json                  this format: per host and scope the placements, and the report
    scripts and other files    what the author's commands name, at the same relative paths
    hosts/<host>/...           native artifacts (code modules); they hold no path
    fire/<host>/<slot>.json    what the dispatcher needs for one event of one host
    fire/<host>/<slot>.sh      what the launcher runs for it, without Python where it can

A *slot* names one native event of a host on the launcher's command line: the canonical event name,
or ``<event>.<Native>`` where a host has several native events for one canonical event.

A placement's value is JSON in which ``{"$launcher": {"slot": ..., "form": ..., "guard": ...}}``
stands for the command that starts the launcher; placing renders it for the user's machine, as it
does ``{"$text": ...}`` (``${PLUGIN_ROOT}`` and ``${PLUGIN_DATA}`` become paths), ``{"$program":
name}`` (a program of the plugin's environment becomes its path), ``{"$line": [...]}`` (words for a
shell) and ``{"$file": path}`` (the text of a file of the bundle). In an
artifact file the text ``@AGENT_PLUGIN_LAUNCHER@`` stands for the launcher's path as a JSON string.

The format is closed: an unknown key, a wrong type, an unsafe path or another format number is a
:class:`PlanError`, because a plan comes out of somebody's wheel. Standard library only.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Literal

from hatch_agentplugin import codec
from hatch_agentplugin.names import is_id, is_plain_folder, is_safe_relative, is_slot
from hatch_agentplugin.words import Form as Form  # the plan's words, for its readers
from hatch_agentplugin.words import Format as Format
from hatch_agentplugin.words import ScopeName as ScopeName
from hatch_agentplugin.words import State as State
from hatch_agentplugin.words import WindowsShell

FORMAT = 1
LAUNCHER_TEXT = "@AGENT_PLUGIN_LAUNCHER@"
MAX_BYTES = 16 * 1024 * 1024


class PlanError(ValueError):
    """A plan that can't be used: ``where`` (key path) and ``why``."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}" if where else why)
        self.where = where
        self.why = why


@dataclass(frozen=True)
class DirPlan:
    """A folder as the host finds it; the meaning of the fields is that of ``adapter.Dir``."""

    default: str
    env: str | None = None
    inside: str = ""
    windows: str | None = None
    macos: str | None = None


@dataclass(frozen=True)
class Target:
    """A file in a folder; ``at`` replaces the placement's own path in this file."""

    dir: DirPlan
    path: str
    windows: str | None = None
    at: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Item:
    """Append ``value`` to the list at ``at`` in the first fitting file of ``files``.

    ``only_if_present``: nothing is done where there is no list (an allow-list that the user may keep).
    """

    event: str
    files: tuple[Target, ...]
    format: Format
    at: tuple[str, ...]
    value: Any
    only_if_present: bool = False
    op: Literal["item"] = "item"


@dataclass(frozen=True)
class Key:
    """Set the key at ``at`` where it is missing.

    ``keep`` says that a value of the user's is fine as it is (a version number); otherwise an
    existing key is a conflict.
    """

    files: tuple[Target, ...]
    format: Format
    at: tuple[str, ...]
    value: Any
    keep: bool = False
    event: str = ""
    op: Literal["key"] = "key"


@dataclass(frozen=True)
class OwnFile:
    """Write a file of our own: ``artifact`` (path in the bundle) or ``value`` (a JSON document).

    Those of one ``unit`` (a skill) are placed together or not at all.
    """

    events: tuple[str, ...]
    files: tuple[Target, ...]
    artifact: str | None = None
    value: Any = None
    executable: bool = False
    unit: str = ""
    op: Literal["file"] = "file"


@dataclass(frozen=True)
class Shim:
    """Write a shell script of our own that starts the launcher for one slot.

    Candidates are tried in order; a name that a foreign file has is left alone.
    """

    event: str
    slot: str
    files: tuple[Target, ...]
    op: Literal["shim"] = "shim"


Placement = Item | Key | OwnFile | Shim


@dataclass(frozen=True)
class SwitchPlan:
    """A user's setting that keeps our hooks from running: ``at`` equals ``is_`` in one file."""

    files: tuple[Target, ...]
    format: Format
    at: tuple[str, ...]
    is_: Any
    says: str


@dataclass(frozen=True)
class SeenPlan:
    """Where it can be seen that the user has the plugin as a package of the host's own: a key
    ``NAME`` or ``NAME@...`` of the table at ``at``, or an item of the list there; without ``at``,
    the file or folder itself, or ``inside`` in some folder of it."""

    files: tuple[Target, ...]
    format: Format
    at: tuple[str, ...] = ()
    inside: str = ""


@dataclass(frozen=True)
class HostPlan:
    """Everything placing needs for one host."""

    name: str
    binaries: tuple[str, ...]
    dirs: tuple[DirPlan, ...]
    slots: tuple[str, ...]
    """All slots that have a fire table."""
    scopes: dict[ScopeName, tuple[Placement, ...]]
    windows_shell: WindowsShell = "cmd"
    after: dict[ScopeName, tuple[str, ...]] = field(default_factory=dict)
    switches: tuple[SwitchPlan, ...] = ()
    also_reads: dict[str, tuple[ScopeName, ...]] = field(default_factory=dict)
    mcp_from: tuple[str, ...] = ()
    """Hosts whose MCP servers this one lists as well."""
    packages: tuple[SeenPlan, ...] = ()
    bom: bool | None = None
    """Whether the host reads a file that begins with a byte order mark; None: not known."""


@dataclass(frozen=True)
class Cell:
    """One line of the build report."""

    host: str
    event: str
    """Canonical event; or ``mcp:<name>``, ``skills``, ``commands``, ``rules``."""
    native: str
    state: State
    reason: str = ""


@dataclass(frozen=True)
class Plugin:
    """The identity of the plugin."""

    id: str
    """Normalised distribution name."""
    name: str
    version: str
    summary: str = ""


@dataclass(frozen=True)
class Plan:
    """A whole plan; see the module's text."""

    plugin: Plugin
    inputs: str
    """Digest of what the bundle was compiled from, to see that an editable install is stale."""
    hosts: dict[str, HostPlan]
    report: tuple[Cell, ...] = ()
    format: int = FORMAT

    def to_bytes(self) -> bytes:
        """The plan as canonical JSON."""
        return dump(codec.plain(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> Plan:
        """Read and check a plan. Raises :class:`PlanError`."""
        if len(data) > MAX_BYTES:
            raise PlanError("", f"larger than {MAX_BYTES} bytes")
        try:
            raw = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise PlanError("", f"not JSON: {error}") from None
        if isinstance(raw, dict) and raw.get("format") != FORMAT:
            raise PlanError("format", f"{raw.get('format')!r} is not known here, {FORMAT} is; "
                            "update hatch-agentplugin")  # fmt: skip
        try:
            plan = codec.decode(cls, raw)
        except codec.Malformed as error:
            raise PlanError(error.where, error.why) from None
        _check(plan)
        return plan

    @classmethod
    def read(cls, bundle: str | os.PathLike[str]) -> Plan:
        """Read ``plan.json`` of a bundle folder. Raises :class:`PlanError` or OSError."""
        with open(os.path.join(bundle, "plan.json"), "rb") as file:
            return cls.from_bytes(file.read())


def dump(value: Any) -> bytes:
    """JSON as this project writes it into bundles: readable, stable, UTF-8, final newline."""
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _check(plan: Plan) -> None:
    """What types can't say: names and paths that stay where they belong."""
    if not is_id(plan.plugin.id):
        raise PlanError("plugin.id", f"{plan.plugin.id!r} is not a normalised name")
    for host_id, host in plan.hosts.items():
        if not is_id(host_id):
            raise PlanError(f"hosts.{host_id!r}", "not a host id")
        for slot in host.slots:
            if not is_slot(slot):
                raise PlanError(f"hosts.{host_id}.slots", f"{slot!r} is not a slot name")
        for scope, placements in host.scopes.items():
            for n, placement in enumerate(placements):
                _check_placement(placement, f"hosts.{host_id}.scopes.{scope}[{n}]")


def _check_placement(placement: Placement, where: str) -> None:
    for target in placement.files:
        for path in (target.path, target.windows) if target.windows else (target.path,):
            if not is_safe_relative(path):
                raise PlanError(f"{where}.files", f"{path!r} leaves its folder")
        for folder in (target.dir.default, target.dir.inside):
            if folder and not is_plain_folder(folder):
                raise PlanError(f"{where}.files", f"{folder!r} is not a plain folder")
    if not placement.files:
        raise PlanError(f"{where}.files", "empty")
    artifact = placement.artifact if isinstance(placement, OwnFile) else None
    if artifact is not None and not is_safe_relative(artifact):
        raise PlanError(f"{where}.artifact", f"{artifact!r} leaves the bundle")
    if isinstance(placement, Shim) and not is_slot(placement.slot):
        raise PlanError(f"{where}.slot", f"{placement.slot!r} is not a slot name")
