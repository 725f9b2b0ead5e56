"""``deactivate``: remove the hooks of plugins from agents."""

from __future__ import annotations

from collections.abc import Callable, Collection

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.activate.locate import LocateError
from hatch_agentplugin.activate.operations import Result, Selection
from hatch_agentplugin.cli.arguments import (
    Options,
    Parser,
    Subparsers,
    add_change_options,
    add_hosts,
    add_plugins,
    add_scope,
    context_of,
    need_consent,
    scope_of,
)
from hatch_agentplugin.cli.errors import UsageError
from hatch_agentplugin.cli.lookup import host_names, plugin_id
from hatch_agentplugin.cli.plugins import hosts_of, usable_plugins
from hatch_agentplugin.cli.results import show_result, summary
from hatch_agentplugin.cli.terminal import confirm, safe, say
from hatch_agentplugin.invocation import call
from hatch_agentplugin.transaction.ledger import Ledger, LedgerEntry
from hatch_agentplugin.transaction.recover import recover


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "deactivate", help="remove the hooks of plugins from your agents"
    )
    add_plugins(parser, "all plugins that this environment has activated")
    add_hosts(parser, "every agent")
    add_scope(parser, "every scope except managed")
    add_keep_data(parser)
    add_change_options(parser)
    parser.set_defaults(run=run)


def add_keep_data(parser: Parser) -> None:
    """Add ``--keep-data``."""
    parser.add_argument(
        "--keep-data", action="store_true", help="keep the data that the hooks have stored"
    )


def run(options: Options) -> int:
    """Run the command and return its exit status."""
    need_consent(options)
    context = context_of(options)
    scope = scope_of(options)
    hosts = plugins = None
    if options.host or options.plugins:
        ledger, notes = recover(context.state)
        for note in notes if not options.json else ():
            say(f"note: {safe(note)}")
        if options.host:
            hosts = host_names(options.host, _known_hosts(ledger))
        if options.plugins:
            ids = {*ledger.plugins, *(plugin.id for plugin in discover()[0])}
            plugins = [plugin_id(name, ids) for name in options.plugins]
    selection = Selection(
        plugins=plugins,
        hosts=hosts,
        scope=scope.name if scope else None,
        project=scope.project if scope else None,
        environment=None if plugins else _environment(context),
    )
    return remove(options, context, selection)


def _known_hosts(ledger: Ledger) -> set[str]:
    """Return the hosts in the ledger and in the plans of the installed plugins."""
    plugins, _ = usable_plugins((), discover())
    return {entry.host for entry in ledger.entries} | hosts_of(plugins)


def _environment(context: Context) -> str:
    """Return the environment whose hooks are removed if no plugin is named. Raises UsageError."""
    try:
        return context.named(context.environment)
    except LocateError:
        raise UsageError(
            f"{context.environment} is not in {context.machine.image}; name the plugins, or run "
            "the agent-plugin of the environment in the image that activated them"
        ) from None


def remove(
    options: Options,
    context: Context,
    selection: Selection | Callable[[Ledger], Collection[LedgerEntry]],
) -> int:
    """Ask if necessary, remove the selection and show the result. Returns the exit status."""
    result = _removed(options, context, selection)
    show_result(result, context, options)
    if not options.json:
        _explain(result, options.dry_run)
    return 0 if result.ok else 1


def _removed(
    options: Options,
    context: Context,
    selection: Selection | Callable[[Ledger], Collection[LedgerEntry]],
) -> Result:
    """Return the result; of a dry run with ``--dry-run`` and if there is nothing to remove."""
    keep_data = options.keep_data
    if options.dry_run or not options.yes:
        preview = operations.deactivate(context, selection, keep_data=keep_data, dry_run=True)
        if options.dry_run or not preview.rows:
            return preview
        lines = [summary(preview.rows, context.machine.home)]
        lines += [safe(note) for note in (*preview.notes, *preview.outcome.notes)]
        say("\n".join(line for line in lines if line))
        confirm("Remove these?")
    return operations.deactivate(context, selection, keep_data=keep_data)


def _explain(result: Result, dry_run: bool) -> None:
    """Say why nothing was removed, or that agents must be restarted."""
    if not result.rows and result.outcome.ledger.entries:
        say(f"nothing to remove; {call('status')} shows what is active")
    elif not result.rows:
        say("nothing is active")
    elif not dry_run and any(row.state == "removed" for row in result.rows):
        say("running agents keep their hooks until they are restarted")
