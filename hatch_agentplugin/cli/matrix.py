"""``matrix``: show the events and answers of every agent, with the evidence for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from hatch_agentplugin.cli.arguments import Options, Subparsers, add_hosts, add_json
from hatch_agentplugin.cli.lookup import event_name, host_names, split_names
from hatch_agentplugin.cli.terminal import out, out_json, say_error, table
from hatch_agentplugin.hosts import matrix
from hatch_agentplugin.hosts.adapters import all_hosts
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.hosts.matrix import Row
from hatch_agentplugin.hosts.records import read_records
from hatch_agentplugin.words import CONTENT_KINDS

_HEAD = ("agent", "event", "native", "answers", "evidence", "version", "age")


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "matrix", help="show the events and answers of every agent, with the evidence for them"
    )
    add_hosts(parser, "every agent")
    parser.add_argument(
        "--event",
        action="append",
        metavar="NAME",
        help="an event in any spelling, or several separated by commas; also "
        f"{', '.join(CONTENT_KINDS)} (default: all)",
    )
    group = parser.add_mutually_exclusive_group()
    add_json(group)
    group.add_argument("--markdown", action="store_true", help="print a Markdown table")
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Run the command and return its exit status."""
    broken: list[str] = []
    hosts = all_hosts(broken.append)
    for text in broken:
        say_error(text)
    names = host_names(options.host, hosts)
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
    """Return the events and kinds of content in ``--event``. Raises UsageError for an unknown one."""
    if given is None:
        return None
    return {
        name if name in CONTENT_KINDS else event_name(name)
        for name in split_names("--event", given)
    }


def _host(host: Host) -> dict[str, Any]:
    return {
        "host": host.id,
        "name": host.name,
        "hooks": host.delivery is not None,
        "through": host.through or None,
        "note": host.note or None,
    }


def _cells(row: Row, today: date) -> tuple[str, ...]:
    """Return the cells of a row; a star means that a test has seen the answer."""
    answers = ", ".join(_answer(row, name) for name in row.can)
    native = f"{row.native} (near)" if row.near else row.native
    days = row.age(today)
    age = "?" if days is None else f"{days} d"
    return row.host, row.event, native, answers or "-", row.basis, row.version, age


def _answer(row: Row, name: str) -> str:
    star = "*" if name in row.seen else ""
    tools = row.limits.get(name)
    return f"{name}{star}" + (f" (text: {', '.join(tools)})" if tools else "")


def markdown(rows: Sequence[Row], today: date) -> str:
    """Return a Markdown table, with a list of the approximated events below it."""
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD))]
    lines += [_line(_cells(row, today)) for row in rows]
    notes = [f"- {row.host}, {row.event}, {row.native}: {row.near}" for row in rows if row.near]
    return "\n".join([*lines, *(["", "Near:", "", *notes] if notes else [])])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
