"""``deactivate`` and ``prune``."""

from __future__ import annotations

from typing import Any

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.activate.locate import LocateError
from hatch_agentplugin.activate.operations import Selection
from hatch_agentplugin.cli import command, show
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import UsageFailure, confirm, safe, say
from hatch_agentplugin.invocation import call
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.recover import recover


def commands() -> tuple[Command, ...]:
    """The commands of this module."""
    keeping = Option("--keep-data", action="store_true", help="leave what the hooks have stored")
    return (
        Command(
            "deactivate",
            "take the hooks of plugins back",
            run_deactivate,
            (
                command.plugins("all that this environment has placed"),
                command.hosts("every one"),
                *command.scope("every one of yours"),
                command.ROOT,
                keeping,
                *command.CHANGE,
            ),
        ),
        Command(
            "prune",
            "take back the hooks of plugins that are no longer installed",
            run_prune,
            (keeping, *command.whose("user"), *command.CHANGE),
        ),
    )


def run_deactivate(options: Any) -> int:
    """Run ``deactivate``. Returns the exit status."""
    _options.need_consent(options)
    context = _options.context(options)
    place = _options.place_of(options, None)
    hosts = plugins = None
    if options.host or options.plugins:
        ledger, notes = recover(context.state)
        for note in notes if not options.json else ():
            say(f"note: {safe(note)}")
        if options.host:
            hosts = _options.host_names(options.host, _known_hosts(ledger))
        if options.plugins:
            ids = {*ledger.plugins, *(plugin.id for plugin in discover()[0])}
            plugins = [_options.plugin_id(name, ids) for name in options.plugins]
    selection = Selection(
        plugins=plugins,
        hosts=hosts,
        scope=place.scope if place else None,
        project=place.project if place else None,
        environment=None if plugins else _environment(context),
    )
    return _carry_out(options, context, selection)


def _environment(context: Context) -> str:
    """The environment whose placements go where no plugin is named. Raises UsageFailure."""
    try:
        return context.named(context.environment)
    except LocateError:
        raise UsageFailure(
            f"{context.environment} is not in {context.machine.image}; name the plugins, or run the "
            "agent-plugin of the environment in there that placed them"
        ) from None


def run_prune(options: Any) -> int:
    """Run ``prune``. Returns the exit status."""
    _options.need_consent(options)
    return _carry_out(options, _options.context(options), operations.orphans)


def _known_hosts(ledger: Ledger) -> set[str]:
    known, _ = _options.known_plugins((), strict=False)
    return {placed.host for placed in ledger.entries} | _options.hosts_of(known)


def _carry_out(options: Any, context: Context, selection: Any) -> int:
    home = context.machine.home
    if options.dry_run or not options.yes:
        result = operations.deactivate(
            context, selection, keep_data=options.keep_data, dry_run=True
        )
        if options.dry_run or not result.rows:
            _show_result(options, result, context, options.dry_run)
            return 0 if result.ok else 1
        notes = (*result.notes, *result.outcome.notes)
        lines = [show.summary(result.rows, home), *map(safe, notes)]
        say("\n".join([line for line in lines if line]))
        if not confirm("Take these back?"):
            return _options.declined(options)
    result = operations.deactivate(context, selection, keep_data=options.keep_data)
    _show_result(options, result, context, False)
    return 0 if result.ok else 1


def _show_result(options: Any, result: operations.Result, context: Context, dry_run: bool) -> None:
    show.show(result, context, as_json=options.json, dry_run=dry_run, full=options.full)
    if not result.rows and not options.json:
        if result.outcome.ledger.entries:
            say(f"nothing to take back; {call('status')} shows what is placed")
        else:
            say("nothing is placed")
    elif not dry_run and any(row.state == "removed" for row in result.rows):
        say("agents that are running keep their hooks until they are started again")
