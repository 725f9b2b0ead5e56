"""Results of placing for people and for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.operations import Result
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.cli.ui import (
    diff,
    out,
    out_json,
    paint,
    safe,
    say,
    table,
)
from hatch_agentplugin.transaction.transaction import Diff

_COLOURS = {"placed": "green", "updated": "green", "adopted": "green", "removed": "green",
            "kept": "yellow", "failed": "red", "gone": "yellow"}  # fmt: skip


def show(
    result: Result,
    context: Context,
    *,
    as_json: bool,
    dry_run: bool = False,
    full: bool = False,
) -> None:
    """Print what was done, or with ``dry_run`` what would be, with ``full`` in every file."""
    home = context.machine.home
    if as_json:
        out_json(to_json(result, dry_run))
        return
    if dry_run:
        _show_files(result, context, full)
    lines = summary(result.rows, home)
    if lines:
        (say if dry_run else out)(lines)
    talk = [
        f"{paint(row.state, _COLOURS.get(row.state, 'dim'), sys.stderr)} {_about(row)}: {safe(row.note)}"
        for row in result.rows
        if row.note
    ]
    talk += [f"note: {safe(note)}" for note in (*result.notes, *result.outcome.notes)]
    following = paint("next", "bold", sys.stderr)
    for host, texts in result.after.items():
        talk += [f"{following} {safe(host)}: {safe(text)}" for text in texts]
    if talk:
        say("\n".join(talk))


def _show_files(result: Result, context: Context, full: bool) -> None:
    """What is edited in the agents' files; files that are ours alone by name and size."""
    root = context.state.root
    whole = {entry.path for entry in result.outcome.ledger.entries if entry.inserted is None}
    named = []
    for one in result.outcome.diffs:
        ours = one.path.is_relative_to(root) or str(one.path) in whole or one.after is None
        if full or not ours:
            out(diff(one.path, one.before, one.after))
        else:
            named.append((_change(one.before, one.after), _size(one), str(one.path)))
    if named:
        out(table(named))


def _size(one: Diff) -> str:
    """The size of a file, before and after where it changes."""
    sizes = dict.fromkeys(len(data) for data in (one.before, one.after) if data is not None)
    return " -> ".join(f"{size:,}" for size in sizes) + " bytes"


def to_json(result: Result, dry_run: bool) -> dict[str, Any]:
    """The result as a JSON object."""
    return {
        "ok": result.ok,
        "dry_run": dry_run,
        "rows": [row.to_json() for row in result.rows],
        "files": [
            {"path": str(one.path), "change": _change(one.before, one.after)}
            for one in result.outcome.diffs
        ],
        "after": {host: list(texts) for host, texts in result.after.items()},
        "notes": [*result.notes, *result.outcome.notes],
    }


def summary(rows: Iterable[Row], home: str) -> str:
    """One line per plugin, host and file, with the events in it."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.state == "failed" and not row.path:
            continue
        key = (row.plugin, row.host, row.scope, row.state, short(row.path, home))
        events = lines.setdefault(key, [])
        events += [event for event in row.events if event not in events]
    cells = [(*key[:4], ", ".join(events) or "-", key[4]) for key, events in lines.items()]
    return table(cells)


def consent(result: Result, home: str) -> None:
    """Show which commands are placed in which files."""
    lines = ["Your agents will run these commands:"]
    seen = set()
    for row in result.rows:
        if row.state not in ("placed", "updated"):
            continue
        for command in row.commands:
            line = (row.host, row.path, row.events, command)
            if line in seen:
                continue
            seen.add(line)
            events = ", ".join(row.events) or "every event"
            host = paint(safe(row.host), "bold", sys.stderr)
            lines.append(f"  {host}  {safe(short(row.path, home))}  ({events})")
            lines.append(f"    {safe(command)}")
    lines.append("Files that change:")
    for one in result.outcome.diffs:
        lines.append(f"  {_change(one.before, one.after)}  {safe(short(str(one.path), home))}")
    say("\n".join(lines))


def short(path: str, home: str) -> str:
    """A path with the home folder as a tilde."""
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path


def _about(row: Row) -> str:
    events = f" {', '.join(row.events)}" if row.events else ""
    return safe(f"{row.plugin} in {row.host}{events}" if row.host else row.plugin)


def _change(before: bytes | None, after: bytes | None) -> str:
    if before is None:
        return "created"
    return "removed" if after is None else "changed"
