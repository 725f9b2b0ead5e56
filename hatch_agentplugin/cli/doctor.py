"""``doctor``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.activate.warnings import of_windows
from hatch_agentplugin.cli import command
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import (
    out,
    out_json,
    paint,
    safe,
    say,
    table,
)
from hatch_agentplugin.cli.views import views
from hatch_agentplugin.inspect.doctor import Check, check_commands, log_tail
from hatch_agentplugin.inspect.status import Line, PluginStatus, status
from hatch_agentplugin.invocation import call, quoted
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import check_owner


def commands() -> tuple[Command, ...]:
    """The command of this module."""
    fixing = Option(
        "--fix",
        action="store_true",
        help="write launchers again and take back what belongs to packages that are gone",
    )
    return (
        Command(
            "doctor",
            "check everything, and fire every placed command as its agent would",
            run_doctor,
            (fixing, *command.whose("both"), command.JSON),
        ),
    )


def run_doctor(options: Any) -> int:
    """Run the command. Returns 0 when all is well, else 1."""
    found = views(options)
    notes = [note for view in found for note in view.notes]
    fixed: list[str] = []
    if options.fix and found[0].ledger.entries:
        fixed = _fix(found[0].context)
        found = views(options)
    plugins: list[PluginStatus] = []
    checks: list[Check] = []
    logs: dict[str, list[str]] = {}
    for view in found:
        active = [plugin for plugin in status(view.context, view.ledger) if plugin.active]
        plugins += active
        logs |= {plugin.id: log_tail(view.context, plugin.id) for plugin in active}
        if view.context.machine.image:
            notes.append("the commands of an image can only be fired in it, so none was")
        elif view.ledger.entries and (why := _in_another_home(view.context)):
            notes.append(why)
        else:
            checks += check_commands(view.context, view.ledger)
    odd = [note for plugin in plugins for note in plugin.notes]
    for view in found:
        odd += of_windows(view.context, view.ledger.entries)
    notes = list(dict.fromkeys([*notes, *_choices(plugins), *odd]))
    problems = [*_bad_marks(), *_problems(plugins)]
    problems += [f"{c.plugin} in {c.host}, {c.slot}: {c.problem}" for c in checks if c.problem]
    if options.json:
        out_json(
            {
                "ok": not problems,
                "problems": problems,
                "fixed": fixed,
                "notes": notes,
                "checks": [check.to_json() for check in checks],
                "log": {plugin: lines for plugin, lines in logs.items() if lines},
            }
        )
    else:
        _show(plugins, checks, problems, [*notes, *fixed], logs)
    return 1 if problems else 0


def _in_another_home(context: Context) -> str:
    """Why nothing is fired as root in a user's home: what it leaves there would be root's."""
    try:
        check_owner(context.state.home)
    except FileProblem as problem:
        return (
            f"{problem.path}: {problem.reason}, so no command was fired, as it would leave files "
            f"there; {problem.advice}"
        )
    return ""


def _fix(context: Context) -> list[str]:
    results = operations.deactivate(context, operations.orphans), operations.repair(context)
    return [_what(row) for result in results for row in result.rows]


def _what(row: Row) -> str:
    """One thing that was done; of a file with an entry only the entry is gone."""
    about = f"{row.plugin} in {row.host}" if row.host else row.plugin
    if row.events:
        about = f"{', '.join(row.events)} of {about}"
    return ": ".join(text for text in (f"{row.state} {about}", row.path, row.note) if text)


def _bad_marks() -> list[str]:
    return [f"{mark.path}: {mark.reason}" for mark in discover()[1]]


def _problems(plugins: list[PluginStatus]) -> list[str]:
    """What keeps hooks from running, with what can be done about it."""
    found = [f"{plugin.id}: {problem}" for plugin in plugins for problem in plugin.problems]
    for plugin in plugins:
        for line in plugin.lines:
            about = f"{plugin.id} in {line.host}, {line.event}"
            if line.placed in ("removed", "file gone"):
                what = "gone from" if line.placed == "removed" else "gone with"
                again = call("activate", "--replace", *_scope(line), plugin.id)
                back = call("deactivate", *_scope(line), plugin.id)
                found.append(
                    f"{about}: {what} {line.path}; {again} writes it again, {back} takes back the rest"
                )
            elif line.placed == "unreadable" or line.accepted == "off":
                found.append(f"{about}: {line.why}")
    return found


def _scope(line: Line) -> tuple[str, ...]:
    """The options that name where a line stands."""
    if line.scope == "user":
        return ()
    project = ("--project", quoted(line.project)) if line.project else ()
    return ("--scope", line.scope, *project)


def _choices(plugins: list[PluginStatus]) -> Iterator[str]:
    """What the user has chosen himself, which is as it should be."""
    for plugin in plugins:
        for line in plugin.lines:
            about = f"{plugin.id} in {line.host}, {line.event}"
            if line.placed == "edited":
                yield (
                    f"{about}: changed in {line.path}, and so it stays; "
                    f"{call('activate', '--replace', *_scope(line), plugin.id)} writes ours again"
                )
            elif line.accepted == "disabled":  # in every host at once
                yield f"{plugin.id}, {line.event}: {line.why}"


def _show(
    plugins: list[PluginStatus],
    checks: list[Check],
    problems: list[str],
    notes: list[str],
    logs: dict[str, list[str]],
) -> None:
    if not plugins:
        say("nothing is placed")
    if checks:
        rows = [
            (c.plugin, c.host, c.scope, c.slot, f"{c.result.seconds * 1000:.0f} ms",
             c.problem or "fine")
            for c in checks
        ]  # fmt: skip
        out(table(rows, ("plugin", "agent", "scope", "slot", "time", "answer")))
    for note in notes:
        say(f"note: {safe(note)}")
    for plugin, lines in logs.items():
        for line in lines:
            say(f"log of {safe(plugin)}: {safe(line.expandtabs(2))}")
    for problem in problems:
        out(f"{paint('problem', 'red')} {safe(problem)}")
    if not problems:
        out(paint("all is well", "green"))
