"""Shows the result of a command that changes files, as text or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.operations import Result
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.cli.arguments import Options
from hatch_agentplugin.cli.terminal import diff, out, out_json, paint, safe, say, short_path, table
from hatch_agentplugin.transaction.transaction import Diff

_COLOURS = {"placed": "green", "updated": "green", "adopted": "green", "removed": "green",
            "kept": "yellow", "failed": "red", "gone": "yellow"}  # fmt: skip


def show_result(result: Result, context: Context, options: Options) -> None:
    """Print the result of a command, or with ``--dry-run`` the result it would have.

    Of the options, ``json``, ``dry_run`` and ``full`` are read.
    """
    if options.json:
        out_json(_to_json(result, options.dry_run))
        return
    if options.dry_run:
        _show_files(result, context, options.full)
    if lines := summary(result.rows, context.machine.home):
        (say if options.dry_run else out)(lines)
    if messages := list(_messages(result)):
        say("\n".join(messages))


def _messages(result: Result) -> Iterator[str]:
    """Yield notes on single rows, on the whole run, and on the steps left to the user."""
    for row in result.rows:
        if row.note:
            state = paint(row.state, _COLOURS.get(row.state, "dim"), sys.stderr)
            yield f"{state} {_subject(row)}: {safe(row.note)}"
    for note in (*result.notes, *result.outcome.notes):
        yield f"note: {safe(note)}"
    heading = paint("next", "bold", sys.stderr)
    for host, texts in result.after.items():
        for text in texts:
            yield f"{heading} {safe(host)}: {safe(text)}"


def _show_files(result: Result, context: Context, full: bool) -> None:
    """Print a diff of each file that holds the user's text, and a line for each file of our own."""
    root = context.state.root
    own = {entry.path for entry in result.outcome.ledger.entries if entry.inserted is None}
    listed = []
    for one in result.outcome.diffs:
        is_own = one.path.is_relative_to(root) or str(one.path) in own or one.after is None
        if full or not is_own:
            out(diff(one.path, one.before, one.after))
        else:
            listed.append((_change(one), _size(one), str(one.path)))
    if listed:
        out(table(listed))


def _size(one: Diff) -> str:
    """Return the size of a file, before and after if it changes."""
    sizes = dict.fromkeys(len(data) for data in (one.before, one.after) if data is not None)
    return " -> ".join(f"{size:,}" for size in sizes) + " bytes"


def _to_json(result: Result, dry_run: bool) -> dict[str, Any]:
    return {
        "ok": result.ok,
        "dry_run": dry_run,
        "rows": [row.to_json() for row in result.rows],
        "files": [{"path": str(one.path), "change": _change(one)} for one in result.outcome.diffs],
        "after": {host: list(texts) for host, texts in result.after.items()},
        "notes": [*result.notes, *result.outcome.notes],
    }


def summary(rows: Iterable[Row], home: str) -> str:
    """Return a line for each plugin, host, scope and file, with the events in it."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.state == "failed" and not row.path:
            continue
        key = (row.plugin, row.host, row.scope, row.state, short_path(row.path, home))
        events = lines.setdefault(key, [])
        events += [event for event in row.events if event not in events]
    return table((*key[:4], ", ".join(events) or "-", key[4]) for key, events in lines.items())


def show_commands(result: Result, home: str) -> None:
    """Print the commands that agents will run and the files that change, before confirmation."""
    lines = ["Your agents will run these commands:"]
    for host, path, events, command in dict.fromkeys(_commands(result.rows)):
        name = paint(safe(host), "bold", sys.stderr)
        lines.append(f"  {name}  {safe(short_path(path, home))}  ({events})")
        lines.append(f"    {safe(command)}")
    lines.append("Files that change:")
    for one in result.outcome.diffs:
        lines.append(f"  {_change(one)}  {safe(short_path(str(one.path), home))}")
    say("\n".join(lines))


def _commands(rows: Iterable[Row]) -> Iterator[tuple[str, str, str, str]]:
    """Yield host, file, events and command for each command that is new."""
    for row in rows:
        if row.state in ("placed", "updated"):
            for command in row.commands:
                yield row.host, row.path, ", ".join(row.events) or "every event", command


def _subject(row: Row) -> str:
    events = f" {', '.join(row.events)}" if row.events else ""
    return safe(f"{row.plugin} in {row.host}{events}" if row.host else row.plugin)


def _change(one: Diff) -> str:
    if one.before is None:
        return "created"
    return "removed" if one.after is None else "changed"
