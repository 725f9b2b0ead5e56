"""The plan: the compiled data in the wheel from which ``activate`` places hooks. Format 1.

The bundle folder ``<name>_agent_plugin/`` holds::

    plan.json                  this format: per host and scope the placements, and the report
    scripts and other files    named by the author's commands, at the same relative paths
    hosts/<host>/...           native artifacts (code modules); they contain no path
    fire/<host>/<slot>.json    the fire table that the dispatcher reads for one event of one host
    fire/<host>/<slot>.sh      the slot script that the launcher runs, without Python if possible

A *slot* names one native event of a host on the launcher's command line: the canonical event name,
or ``<event>.<Native>`` where a host has several native events for one canonical event.

The value of a placement is JSON with these placeholders, which ``activate`` replaces:

====================================================  ===========================================
``{"$launcher": {"slot": ..., "form": ..., ...}}``    the command that starts the launcher
``{"$text": ...}``                                    a text; ``${PLUGIN_ROOT}`` and
                                                      ``${PLUGIN_DATA}`` in it become paths
``{"$program": name}``                                a program; its path if the plugin's
                                                      environment has it
``{"$line": [...]}``                                  words for a shell
``{"$file": path}``                                   the text of a file of the bundle
====================================================  ===========================================

In an artifact the text ``@AGENT_PLUGIN_LAUNCHER@`` becomes the launcher's path as a JSON string.

The format is closed: an unknown key, a wrong type, an unsafe path or another format number is a
:class:`PlanError`, because a plan comes from another author's wheel. Standard library only.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Literal

from hatch_agentplugin import codec
from hatch_agentplugin.hosts.delivery import Dir, File, Seen, Switch
from hatch_agentplugin.names import is_id, is_plain_folder, is_safe_relative, is_slot
from hatch_agentplugin.words import Format, ScopeName, State, WindowsShell

FORMAT = 1
LAUNCHER_TEXT = "@AGENT_PLUGIN_LAUNCHER@"
#: Part of the first comment of code modules; a host package leaves it out.
PLACED_NOTE = ", placed by agent-plugin; `agent-plugin deactivate` removes this file"
MAX_BYTES = 16 * 1024 * 1024


class PlanError(ValueError):
    """A plan that cannot be used: ``where`` is the path of the key, ``why`` the reason."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}" if where else why)
        self.where = where
        self.why = why


@dataclass(frozen=True)
class Item:
    """Append ``value`` to the list at ``at`` in one of ``files``.

    ``only_if_present``: do nothing if the list does not exist (an allow-list of the user).
    """

    event: str
    files: tuple[File, ...]
    format: Format
    at: tuple[str, ...]
    value: Any
    only_if_present: bool = False
    op: Literal["item"] = "item"


@dataclass(frozen=True)
class Key:
    """Set the key at ``at`` if it is missing.

    ``keep``: an existing value of the user stays (a version number); otherwise it is a conflict.
    """

    files: tuple[File, ...]
    format: Format
    at: tuple[str, ...]
    value: Any
    keep: bool = False
    event: str = ""
    op: Literal["key"] = "key"


@dataclass(frozen=True)
class OwnFile:
    """Write a file of our own: ``artifact`` (path in the bundle) or ``value`` (a JSON document).

    The files of one ``unit`` (a skill) are placed together or not at all.
    """

    events: tuple[str, ...]
    files: tuple[File, ...]
    artifact: str | None = None
    value: Any = None
    executable: bool = False
    unit: str = ""
    op: Literal["file"] = "file"


@dataclass(frozen=True)
class Shim:
    """Write a shell script of our own that starts the launcher for one slot.

    The first candidate whose path is free is used; a foreign file is never overwritten.
    """

    event: str
    slot: str
    files: tuple[File, ...]
    op: Literal["shim"] = "shim"


Placement = Item | Key | OwnFile | Shim


@dataclass(frozen=True)
class HostPlan:
    """Everything that ``activate`` needs for one host."""

    name: str
    binaries: tuple[str, ...]
    dirs: tuple[Dir, ...]
    slots: tuple[str, ...]
    """All slots that have a fire table."""
    scopes: dict[ScopeName, tuple[Placement, ...]]
    windows_shell: WindowsShell = "cmd"
    after: dict[ScopeName, tuple[str, ...]] = field(default_factory=dict)
    switches: tuple[Switch, ...] = ()
    also_reads: dict[str, tuple[ScopeName, ...]] = field(default_factory=dict)
    mcp_from: tuple[str, ...] = ()
    """Hosts whose MCP servers this host reads too."""
    packages: tuple[Seen, ...] = ()
    bom: bool | None = None
    """The host reads a file that begins with a byte order mark; None: unknown."""


@dataclass(frozen=True)
class Cell:
    """One row of the build report."""

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
    """A whole plan; the module's docstring describes it."""

    plugin: Plugin
    inputs: str
    """Digest of the sources; it tells whether an editable install is stale."""
    hosts: dict[str, HostPlan]
    report: tuple[Cell, ...] = ()
    format: int = FORMAT

    def to_bytes(self) -> bytes:
        """Return the plan as canonical JSON."""
        return dump(codec.plain(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> Plan:
        """Read and check a plan. Raises :class:`PlanError`."""
        if len(data) > MAX_BYTES:
            raise PlanError("", f"is larger than {MAX_BYTES} bytes")
        try:
            raw = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise PlanError("", f"not valid JSON: {error}") from None
        if isinstance(raw, dict) and raw.get("format") != FORMAT:
            raise PlanError("format", f"must be {FORMAT}, got {raw.get('format')!r}; "
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
    """Return JSON as bundles contain it: indented, UTF-8, with a final newline."""
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _check(plan: Plan) -> None:
    """Check what types cannot express: names, and paths that stay inside their folder."""
    if not is_id(plan.plugin.id):
        raise PlanError("plugin.id", f"{plan.plugin.id!r} is not a normalized name")
    for host_id, host in plan.hosts.items():
        if not is_id(host_id):
            raise PlanError(f"hosts.{host_id!r}", "not a valid host id")
        for slot in host.slots:
            if not is_slot(slot):
                raise PlanError(f"hosts.{host_id}.slots", f"{slot!r} is not a valid slot name")
        for scope, placements in host.scopes.items():
            for n, placement in enumerate(placements):
                _check_placement(placement, f"hosts.{host_id}.scopes.{scope}[{n}]")


def _check_placement(placement: Placement, where: str) -> None:
    for target in placement.files:
        for path in (target.path, target.windows) if target.windows else (target.path,):
            if not is_safe_relative(path):
                raise PlanError(f"{where}.files", f"{path!r} leaves its folder")
        folders = (target.dir.default, target.dir.inside, target.dir.windows, target.dir.macos)
        for folder in folders:
            if folder and not is_plain_folder(folder):
                raise PlanError(f"{where}.files", f"{folder!r} contains .. or a control character")
    if not placement.files:
        raise PlanError(f"{where}.files", "must not be empty")
    artifact = placement.artifact if isinstance(placement, OwnFile) else None
    if artifact is not None and not is_safe_relative(artifact):
        raise PlanError(f"{where}.artifact", f"{artifact!r} leaves the bundle")
    if isinstance(placement, Shim) and not is_slot(placement.slot):
        raise PlanError(f"{where}.slot", f"{placement.slot!r} is not a valid slot name")
