"""``matrix``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from hatch_agentplugin.cli import command
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import out, out_json, say_error, table
from hatch_agentplugin.hosts import matrix
from hatch_agentplugin.hosts.adapters import all_hosts
from hatch_agentplugin.hosts.content import KINDS
from hatch_agentplugin.hosts.matrix import Row
from hatch_agentplugin.hosts.records import read_records

_HEAD = ("agent", "event", "native", "answers", "evidence", "version", "age")


def commands() -> tuple[Command, ...]:
    """The command of this module."""
    return (
        Command(
            "matrix",
            "show what every agent has, and what that knowledge rests on",
            run_matrix,
            (
                command.hosts("every one"),
                Option(
                    "--event",
                    action="append",
                    metavar="NAME",
                    help=f"events in any spelling, or {', '.join(KINDS)}; also several with commas",
                ),
                (
                    command.JSON,
                    Option("--markdown", action="store_true", help="print a Markdown table"),
                ),
            ),
        ),
    )


def run_matrix(options: Any) -> int:
    """Run the command. Returns the exit status."""
    broken: list[str] = []
    hosts = all_hosts(broken.append)
    for text in broken:
        say_error(text)
    names = _options.host_names(options.host, hosts)
    events = _events(options.event)
    chosen = [hosts[name] for name in (hosts if names is None else names)]
    rows = [
        row
        for row in matrix.rows(chosen, read_records(hosts))
        if events is None or row.event in events
    ]
    today = date.today()
    if options.json:
        out_json({"hosts": [_host(host) for host in chosen],
                  "rows": [row.to_json(today) for row in rows]})  # fmt: skip
    elif options.markdown:
        out(markdown(rows, today))
    else:
        out(table([_cells(row, today) for row in rows], _HEAD))
    return 1 if broken else 0


def _events(given: Sequence[str] | None) -> set[str] | None:
    """The events and kinds of content asked for. Raises UsageFailure for an unknown one."""
    if given is None:
        return None
    found: set[str] = set()
    for name in (name.strip() for text in given for name in text.split(",")):
        found.add(name if name in KINDS else _options.event(name))
    return found


def _host(host: Any) -> dict[str, Any]:
    return {
        "host": host.id,
        "name": host.name,
        "hooks": host.delivery is not None,
        "through": host.through or None,
        "note": host.note or None,
    }


def _cells(row: Row, today: date) -> tuple[str, ...]:
    """The cells of a line: an answer that a test has seen has a star."""
    can = ", ".join(_answer(row, name) for name in row.can)
    age = row.age(today)
    native = f"{row.native} (near)" if row.near else row.native
    days = "?" if age is None else f"{age} d"
    return row.host, row.event, native, can or "-", row.basis, row.version, days


def _answer(row: Row, name: str) -> str:
    star = "*" if name in row.seen else ""
    tools = row.limits.get(name)
    return f"{name}{star}" + (f" (text: {', '.join(tools)})" if tools else "")


def markdown(rows: Sequence[Row], today: date) -> str:
    """A Markdown table; what is near is said in a note below it."""
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD))]
    lines += [_line(_cells(row, today)) for row in rows]
    notes = [f"- {row.host}, {row.event}, {row.native}: {row.near}" for row in rows if row.near]
    return "\n".join([*lines, *(["", "Near:", "", *notes] if notes else [])])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
