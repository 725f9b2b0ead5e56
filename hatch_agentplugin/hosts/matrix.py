"""Host × event as data: native names, what a hook can answer, and what that rests on.

A fact counts as witnessed only if a test's record says so; what an adapter alone says it has
witnessed is shown as ``reported``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from hatch_agentplugin.hosts.events import Evidence, Native
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.hosts.records import Record
from hatch_agentplugin.words import CONTENT_KINDS, EVENTS


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
    for kind in CONTENT_KINDS:
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
