"""``doctor``: check everything, and fire every placed command as its agent would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.activate.warnings import of_windows
from hatch_agentplugin.cli.arguments import Options, Subparsers, add_json, add_ledger_scope
from hatch_agentplugin.cli.ledgers import LedgerView, ledger_views
from hatch_agentplugin.cli.terminal import out, out_json, paint, safe, say, table
from hatch_agentplugin.inspect.doctor import Check, check_commands, log_tail
from hatch_agentplugin.inspect.status import Line, PluginStatus, status
from hatch_agentplugin.invocation import call, quoted
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import check_owner


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "doctor", help="check everything, and fire every placed command as its agent would"
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="rewrite damaged launchers and remove the hooks of uninstalled plugins",
    )
    add_ledger_scope(parser, "both")
    add_json(parser)
    parser.set_defaults(run=run)


@dataclass
class _Report:
    """The findings of doctor."""

    plugins: list[PluginStatus] = field(default_factory=list)
    """The active plugins."""
    checks: list[Check] = field(default_factory=list)
    """The commands that were fired."""
    logs: dict[str, list[str]] = field(default_factory=dict)
    """Plugin -> the last lines of its log."""
    problems: list[str] = field(default_factory=list)
    """Problems to fix."""
    notes: list[str] = field(default_factory=list)
    """Everything else that the user should know."""
    fixed: list[str] = field(default_factory=list)
    """The changes that ``--fix`` has made."""

    def to_json(self) -> dict[str, Any]:
        return {
            "ok": not self.problems,
            "problems": self.problems,
            "fixed": self.fixed,
            "notes": self.notes,
            "checks": [check.to_json() for check in self.checks],
            "log": {plugin: lines for plugin, lines in self.logs.items() if lines},
        }


def run(options: Options) -> int:
    """Run the command and return its exit status: 0 without problems, else 1."""
    views = ledger_views(options)
    report = _Report(notes=[note for view in views for note in view.notes])
    if options.fix and views[0].ledger.entries:
        report.fixed = _fix(views[0].context)
        views = ledger_views(options)
    for view in views:
        _check(view, report)
    _conclude(views, report)
    if options.json:
        out_json(report.to_json())
    else:
        _show(report)
    return 1 if report.problems else 0


def _check(view: LedgerView, report: _Report) -> None:
    """Check the files of one ledger, and fire its commands if possible."""
    plugins = [plugin for plugin in status(view.context, view.ledger) if plugin.active]
    report.plugins += plugins
    report.logs |= {plugin.id: log_tail(view.context, plugin.id) for plugin in plugins}
    if view.context.machine.image:
        report.notes.append("no command was fired, because the image is not running")
    elif view.ledger.entries and (why := _why_not_fired(view.context)):
        report.notes.append(why)
    else:
        report.checks += check_commands(view.context, view.ledger)


def _conclude(views: Sequence[LedgerView], report: _Report) -> None:
    """Turn the findings into notes and problems."""
    notes = [*report.notes, *_user_choices(report.plugins)]
    notes += [note for plugin in report.plugins for note in plugin.notes]
    notes += [note for view in views for note in of_windows(view.context, view.ledger.entries)]
    report.notes = list(dict.fromkeys(notes))
    report.problems = [
        *(f"{marker.path}: {marker.reason}" for marker in discover()[1]),
        *(f"{plugin.id}: {text}" for plugin in report.plugins for text in plugin.problems),
        *(text for plugin in report.plugins for text in _missing(plugin)),
        *(f"{one.plugin} in {one.host}, {one.slot}: {one.problem}"
          for one in report.checks if one.problem),
    ]  # fmt: skip


def _why_not_fired(context: Context) -> str:
    """Return why root fires nothing in a user's home: root would own the files it leaves there."""
    try:
        check_owner(context.state.home)
    except FileProblem as problem:
        return (
            f"no command was fired, because it would leave files in {problem.path}: "
            f"{problem.reason}; {problem.advice}"
        )
    return ""


def _fix(context: Context) -> list[str]:
    """Remove the hooks of uninstalled plugins and repair launchers. Returns a line per change."""
    results = operations.deactivate(context, operations.orphans), operations.repair(context)
    return [_change(row) for result in results for row in result.rows]


def _change(row: Row) -> str:
    """Describe a change; of an entry with its events, because the file itself stays."""
    about = f"{row.plugin} in {row.host}" if row.host else row.plugin
    if row.events:
        about = f"{', '.join(row.events)} of {about}"
    return ": ".join(text for text in (f"{row.state} {about}", row.path, row.note) if text)


def _missing(plugin: PluginStatus) -> Iterator[str]:
    """Yield the problems that keep hooks of a plugin from running, with advice."""
    for line in plugin.lines:
        about = f"{plugin.id} in {line.host}, {line.event}"
        if line.placed in ("removed", "file gone"):
            what = (
                f"removed from {line.path}"
                if line.placed == "removed"
                else f"{line.path} no longer exists"
            )
            again = call("activate", "--replace", *_scope(line), plugin.id)
            rest = call("deactivate", *_scope(line), plugin.id)
            yield f"{about}: {what}; {again} writes it again, {rest} removes the rest"
        elif line.placed == "unreadable" or line.accepted == "off":
            yield f"{about}: {line.why}"


def _user_choices(plugins: Sequence[PluginStatus]) -> Iterator[str]:
    """Yield notes on entries that the user has changed or switched off."""
    for plugin in plugins:
        for line in plugin.lines:
            if line.placed == "edited":
                again = call("activate", "--replace", *_scope(line), plugin.id)
                yield (
                    f"{plugin.id} in {line.host}, {line.event}: you have changed it in "
                    f"{line.path}, and your version is kept; {again} writes ours again"
                )
            elif line.accepted == "disabled":  # in every host at once
                yield f"{plugin.id}, {line.event}: {line.why}"


def _scope(line: Line) -> tuple[str, ...]:
    """Return the options that name the scope of a line."""
    if line.scope == "user":
        return ()
    project = ("--project", quoted(line.project)) if line.project else ()
    return ("--scope", line.scope, *project)


def _show(report: _Report) -> None:
    if not report.plugins:
        say("nothing is active")
    if report.checks:
        rows = [
            (one.plugin, one.host, one.scope, one.slot, f"{one.result.seconds * 1000:.0f} ms",
             one.problem or "fine")
            for one in report.checks
        ]  # fmt: skip
        out(table(rows, ("plugin", "agent", "scope", "slot", "time", "answer")))
    for note in (*report.notes, *report.fixed):
        say(f"note: {safe(note)}")
    for plugin, lines in report.logs.items():
        for line in lines:
            say(f"log of {safe(plugin)}: {safe(line.expandtabs(2))}")
    for problem in report.problems:
        out(f"{paint('problem', 'red')} {safe(problem)}")
    if not report.problems:
        out(paint("no problems found", "green"))
