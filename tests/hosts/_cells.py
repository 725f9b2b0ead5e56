"""The cells of the driven programs: events and outcomes that adapters claim, with evidence.

A cell is witnessed by the record of a run, or unreached for a reason given in `scenes`. Otherwise
it is open, and a test fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.words import EVENTS
from tests.hosts._records import FIRED


@dataclass(frozen=True)
class Cell:
    """One claim of an adapter."""

    event: str
    outcome: str
    """What a plugin can answer; `fired` for the event itself."""
    is_witnessed: bool
    reason: str = ""
    """Why it can't be reached headless."""

    @property
    def is_open(self) -> bool:
        return not self.is_witnessed and not self.reason


def cells(
    host: Host, seen: Mapping[str, Sequence[str]], unreached: Mapping[str, str]
) -> list[Cell]:
    """Return all cells of a host, in the order of a session."""
    return [
        Cell(
            event,
            outcome,
            outcome in seen.get(event, ()),
            "" if outcome in seen.get(event, ()) else _reason(unreached, event, outcome),
        )
        for event, outcome in _claimed(host)
    ]


def stale(host: Host, seen: Mapping[str, Sequence[str]], unreached: Mapping[str, str]) -> list[str]:
    """Return stale reasons: the cell was seen after all, or the adapter doesn't claim it."""
    claimed = list(_claimed(host))
    wrong = []
    for key in unreached:
        event, _, outcome = key.partition(" ")
        covered = [cell for cell in claimed if cell[0] == event and outcome in ("", cell[1])]
        if not covered or any(one in seen.get(event, ()) for _, one in covered):
            wrong.append(key)
    return wrong


def _claimed(host: Host) -> Iterator[tuple[str, str]]:
    for event in EVENTS:
        for native in host.natives(event)[:1]:  # a record speaks of the usual one, which is first
            yield from ((event, outcome) for outcome in (FIRED, *native.can))


def _reason(unreached: Mapping[str, str], event: str, outcome: str) -> str:
    return unreached.get(f"{event} {outcome}") or unreached.get(event, "")


def table(name: str, version: str, known: Sequence[Cell]) -> str:
    """Return a program's cells as Markdown: those seen, and the others with the reason."""
    witnessed = [cell for cell in known if cell.is_witnessed]
    by_event: dict[str, list[str]] = {}
    for cell in witnessed:
        by_event.setdefault(cell.event, []).append(cell.outcome)
    lines = [f"## {name} {version}: {len(witnessed)} of {len(known)} cells witnessed", ""]
    lines += [f"- {event}: {', '.join(outcomes)}" for event, outcomes in by_event.items()]
    missing = [cell for cell in known if not cell.is_witnessed]
    if missing:
        lines += ["", "| not seen | why |", "|---|---|"]
        lines += [
            f"| {cell.event} {cell.outcome} | {cell.reason or 'OPEN: no reason is given'} |"
            for cell in missing
        ]
    return "\n".join([*lines, ""])
