"""The build report: host × event, and the reason where a host is not fully native.

Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from hatch_agentplugin.plan import Cell, Plan, dump
from hatch_agentplugin.words import CONTENT_KINDS, STATES, is_content

#: Characters in a line of a table.
WIDTH = 100


def render(plan: Plan) -> str:
    """Return the report as text: a table of hosts and events, and a line per reason."""
    events = list(dict.fromkeys(cell.event for cell in plan.report))
    hosts = list(dict.fromkeys(cell.host for cell in plan.report))
    title = f"agent-plugin: {plan.plugin.name} {plan.plugin.version}"
    if not events:
        return f"{title}: no hooks"
    lines = [f"{title}: {', '.join(_things(events))} for {_count(len(hosts), 'host')}"]
    for chunk in _chunks(events, max(map(len, hosts))):
        lines += _table(plan.report, hosts, chunk)
    return "\n".join(lines + _notes(plan.report))


def to_bytes(plan: Plan) -> bytes:
    """Return the report as the JSON that is stored in the plugin's dist-info folder."""
    cells = [{k: v for k, v in asdict(cell).items() if v} for cell in plan.report]
    return dump(
        {"format": 1, "plugin": plan.plugin.id, "version": plan.plugin.version, "cells": cells}
    )


def _things(names: Sequence[str]) -> Iterator[str]:
    """Yield the declared things: the number of events and servers, and other kinds of content."""
    events = [name for name in names if not is_content(name)]
    servers = [name for name in names if name.startswith("mcp:")]
    if events:
        yield _count(len(events), "event")
    if servers:
        yield _count(len(servers), "server")
    yield from (name for name in names if name in CONTENT_KINDS)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _chunks(events: Sequence[str], first: int) -> list[list[str]]:
    """Return the events in rows that fit the width."""
    rows: list[list[str]] = [[]]
    used = first + 2
    for event in events:
        need = max(len(event), len("approximated")) + 2
        if rows[-1] and used + need > WIDTH:
            rows.append([])
            used = first + 2
        rows[-1].append(event)
        used += need
    return rows


def _table(cells: Iterable[Cell], hosts: Sequence[str], events: Sequence[str]) -> list[str]:
    worst: dict[tuple[str, str], int] = {}
    for cell in cells:
        key = (cell.host, cell.event)
        worst[key] = max(worst.get(key, 0), STATES.index(cell.state))
    rows = [("", *events)]
    for host in hosts:
        states = (worst.get((host, event)) for event in events)
        rows.append((host, *("" if state is None else STATES[state] for state in states)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _notes(cells: Sequence[Cell]) -> list[str]:
    """Return a line per reason in the order of the events, with all hosts that share it."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for cell in cells:
        reason = cell.reason
        if cell.state == "filtered":  # the table shows that already
            reason = reason.removesuffix("filtered at run time").removesuffix("; ")
        if reason:
            grouped.setdefault((cell.event, cell.state, reason), []).append(cell.host)
    events = list(dict.fromkeys(cell.event for cell in cells))
    rows = sorted(
        grouped.items(), key=lambda row: (events.index(row[0][0]), STATES.index(row[0][1]))
    )
    return [
        f"  {event}, {state}: {', '.join(dict.fromkeys(hosts))}: {reason}"
        for (event, state, reason), hosts in rows
    ]
