"""Host × event as data: native names, what a hook can answer, and what that rests on.

Reads the adapters' tables without pluggy, which an installed plugin does not bring. A fact counts
as witnessed only where a record of a test says so (:func:`read_records`); an adapter's own word for
it is shown as ``reported``. Standard library only.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from hatch_agentplugin.hosts.content import KINDS
from hatch_agentplugin.hosts.events import Evidence, Native
from hatch_agentplugin.hosts.hookspec import ENTRY_POINT_GROUP
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.words import EVENTS

#: The package of the built-in adapters.
BUILTIN = "agentplugin_adapters"


@dataclass(frozen=True)
class Record:
    """What a test has seen a real host do."""

    host: str
    version: str
    date: str
    seen: Mapping[str, tuple[str, ...]]
    """Canonical event -> outcomes that the host obeyed."""


@dataclass(frozen=True)
class Row:
    """One native event (or one kind of content) of one host."""

    host: str
    event: str
    """Canonical event; or ``mcp``, ``skills``, ``commands``, ``rules``."""
    native: str
    """The host's name for it; for content the place, by scope."""
    can: tuple[str, ...] = ()
    """What a hook can answer there."""
    seen: tuple[str, ...] = ()
    """Which of these a test has seen."""
    limits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Answer -> the only native tools for which it may be text."""
    near: str = ""
    """Why it is only an approximation."""
    basis: str = ""
    """``witnessed``, ``reported``, ``program``, ``documented`` or ``claimed``."""
    version: str = ""
    day: str = ""
    """ISO date on which it was seen or read."""

    def age(self, today: date) -> int | None:
        """Days since the evidence; None where its date can't be read."""
        try:
            return (today - date.fromisoformat(self.day)).days
        except ValueError:
            return None

    def to_json(self, today: date) -> dict[str, Any]:
        """The row as a JSON object."""
        return {
            "host": self.host,
            "event": self.event,
            "native": self.native,
            "can": list(self.can),
            "seen": list(self.seen),
            "limits": {name: list(tools) for name, tools in self.limits.items()},
            "near": self.near or None,
            "evidence": {
                "basis": self.basis,
                "version": self.version,
                "date": self.day,
                "age_days": self.age(today),
            },
        }


def built_in_hosts() -> dict[str, Host]:
    """The hosts of the adapters that come with the product, by id."""
    package = importlib.import_module(BUILTIN)
    found: list[Host] = []
    for name in package.BUILTIN:
        found += importlib.import_module(f"{BUILTIN}.{name}").agent_plugin_hosts()
    return {host.id: host for host in sorted(found, key=lambda host: host.id)}


def all_hosts(
    problem: Callable[[str], None], points: Iterable[EntryPoint] | None = None
) -> dict[str, Host]:
    """The built-in hosts and those of other installed adapters, by id.

    ``problem`` is told of an adapter that can't be read, and the others go on.
    """
    hosts = built_in_hosts()
    for point in entry_points(group=ENTRY_POINT_GROUP) if points is None else points:
        if point.module.partition(".")[0] == BUILTIN:
            continue
        try:
            found = list(point.load().agent_plugin_hosts())
            if not all(isinstance(host, Host) for host in found):
                raise TypeError("it gives something else than hosts")
        except Exception as error:  # anything may happen in a stranger's module
            problem(f'host adapter "{point.name}": {type(error).__name__}: {error}')
            continue
        for host in found:
            hosts.setdefault(host.id, host)
    return dict(sorted(hosts.items()))


def read_records(folder: Path | None = None) -> dict[str, Record]:
    """What tests have seen, by host: the newest record of each. Unreadable ones are left out."""
    if folder is None:
        folder = Path(importlib.import_module(BUILTIN).__path__[0]) / "evidence"
    records: dict[str, Record] = {}
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        record = _record(path)
        if record and (record.host not in records or records[record.host].date < record.date):
            records[record.host] = record
    return records


def _record(path: Path) -> Record | None:
    try:
        raw = json.loads(path.read_text("utf-8"))
        seen = {str(event): tuple(map(str, outcomes)) for event, outcomes in raw["seen"].items()}
        return Record(str(raw["host"]), str(raw["version"]), str(raw["date"]), seen)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def rows(hosts: Iterable[Host], records: Mapping[str, Record]) -> list[Row]:
    """Every row, hosts by id, events in the order of a session and then content."""
    made: list[Row] = []
    for host in sorted(hosts, key=lambda host: host.id):
        record = records.get(host.id)
        for event in EVENTS:
            made += [_row(host, event, native, record) for native in host.natives(event)]
        made += _content(host)
    return made


def _row(host: Host, event: str, native: Native, record: Record | None) -> Row:
    basis, version, day = _evidence(native.evidence or host.evidence)
    seen: tuple[str, ...] = ()
    # A record speaks of the canonical event: of several native ones it is the usual, first one.
    if record and event in record.seen and native == host.natives(event)[0]:
        basis, version, day = "witnessed", record.version, record.date
        seen = tuple(outcome for outcome in record.seen[event] if outcome in native.can)
    limits = {outcome: tuple(shapes) for outcome, shapes in native.shapes.items()}
    return Row(host.id, event, native.name, tuple(native.can), seen, limits, native.near,
               basis, version, day)  # fmt: skip


def _evidence(evidence: Evidence) -> tuple[str, str, str]:
    basis = "reported" if evidence.basis == "witnessed" else evidence.basis
    return basis, evidence.version, evidence.date


def _content(host: Host) -> Iterator[Row]:
    content = host.content
    of_mcp = content.mcp and content.mcp.evidence
    places: dict[str, Mapping[Any, Any]] = {
        "mcp": content.mcp.files if content.mcp else {},
        "skills": content.skills,
        "commands": content.commands,
        "rules": content.rules,
    }
    for kind in KINDS:
        shown = []
        for scope, place in places[kind].items():
            file = place[0] if isinstance(place, Sequence) else place
            folder = file.dir.default.removeprefix("./").removesuffix(".")
            shown.append(f"{scope}: {folder}/{file.path}".replace(": /", ": "))
        can = tuple(key for key in ("stdio", "http", "sse") if getattr(content.mcp, key, None))
        if shown:
            basis = (of_mcp if kind == "mcp" else content.evidence) or host.evidence
            yield Row(host.id, kind, "; ".join(shown), can if kind == "mcp" else (), (), {}, "",
                      *_evidence(basis))  # fmt: skip
