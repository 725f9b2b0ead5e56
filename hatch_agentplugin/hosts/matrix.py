"""Host × event as data: native names, the answers of a hook, and the evidence.

A fact counts as witnessed only if a test has recorded it. A fact that only the adapter calls
witnessed is shown as ``reported``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from hatch_agentplugin.hosts.delivery import File
from hatch_agentplugin.hosts.events import Evidence, Native
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.hosts.records import Record
from hatch_agentplugin.words import EVENTS, ScopeName


@dataclass(frozen=True)
class Row:
    """One native event, or one kind of content, of one host."""

    host: str
    event: str
    """Canonical event; or ``mcp``, ``skills``, ``commands``, ``rules``."""
    native: str
    """The host's name for it; for content the files or folders by scope."""
    can: tuple[str, ...] = ()
    """Outcomes that a hook can give."""
    seen: tuple[str, ...] = ()
    """Those that a test has seen."""
    limits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Outcome -> the only native tools for which it may be text."""
    near: str = ""
    """Why it is only an approximation; empty: it is exact."""
    basis: str = ""
    """``witnessed``, ``reported``, ``program``, ``documented`` or ``claimed``."""
    version: str = ""
    day: str = ""
    """ISO date on which it was seen or read."""

    def age(self, today: date) -> int | None:
        """Return the days since the evidence; None if its date cannot be read."""
        try:
            return (today - date.fromisoformat(self.day)).days
        except ValueError:
            return None

    def to_json(self, today: date) -> dict[str, Any]:
        """Return the row as a JSON object."""
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


def rows(hosts: Iterable[Host], records: Mapping[str, Record]) -> list[Row]:
    """Return every row: hosts by id, events in the order of a session, then content."""
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
    # A record names the canonical event. If it has several native ones, the first one is meant.
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
    content, mcp = host.content, host.content.mcp
    if mcp and mcp.files:
        first = {scope: candidates[0] for scope, candidates in mcp.files.items()}
        can = tuple(kind for kind in ("stdio", "http", "sse") if getattr(mcp, kind))
        yield _content_row(host, "mcp", first, mcp.evidence, can)
    for kind, files in (
        ("skills", content.skills),
        ("commands", content.commands),
        ("rules", content.rules),
    ):
        if files:
            yield _content_row(host, kind, files, content.evidence)


def _content_row(
    host: Host,
    kind: str,
    files: Mapping[ScopeName, File],
    evidence: Evidence | None,
    can: tuple[str, ...] = (),
) -> Row:
    native = "; ".join(f"{scope}: {_path(file)}" for scope, file in files.items())
    basis, version, day = _evidence(evidence or host.evidence)
    return Row(host.id, kind, native, can, basis=basis, version=version, day=day)


def _path(file: File) -> str:
    folder = file.dir.default.removeprefix("./").removesuffix(".")
    return f"{folder}/{file.path}" if folder else file.path
