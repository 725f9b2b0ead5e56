"""``activate``: place the hooks of plugins in agents."""

from __future__ import annotations

from dataclasses import replace

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.detect import Ours, presence
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.activate.locate import Scope
from hatch_agentplugin.activate.operations import Result
from hatch_agentplugin.cli import local_plugins, managed
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
from hatch_agentplugin.cli.errors import CommandError
from hatch_agentplugin.cli.lookup import host_names
from hatch_agentplugin.cli.plugins import (
    Plugins,
    hosts_of,
    need_plugins,
    usable_plugins,
    warn_if_stale,
)
from hatch_agentplugin.cli.results import show_commands, show_result
from hatch_agentplugin.cli.terminal import confirm, safe, say
from hatch_agentplugin.invocation import permanent_installer
from hatch_agentplugin.transaction.recover import recover


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser("activate", help="add the hooks of plugins to your agents")
    add_selection(parser)
    parser.add_argument(
        "--replace",
        action="store_true",
        help="restore entries that you have changed or removed, and take over plugins from "
        "another environment",
    )
    add_change_options(parser)
    parser.set_defaults(run=run)


def add_selection(parser: Parser) -> None:
    """Add the arguments that say which plugins go into which agents' files."""
    add_plugins(parser, "all plugins in this environment")
    add_hosts(parser, "the agents on this machine")
    add_scope(parser, "user")


def run(options: Options) -> int:
    """Run the command and return its exit status."""
    need_consent(options)
    context = context_of(options)
    if context.machine.image:
        context = managed.context_in_image(context)
    scope = scope_of(options) or Scope("user")
    discovered = discover()
    ids = {plugin.id for plugin in discovered[0]}
    with local_plugins.stored(options.plugins, ids, context, options.replace) as local:
        plugins: Plugins = ()
        broken = False
        if local.names or not local.plugins:
            plugins, broken = usable_plugins(local.names, discovered)
            warn_if_stale(plugins)
        plugins = (*plugins, *local.plugins)
        need_plugins(plugins, broken, context.environment)
        request, notes = _request(options, context, scope, plugins, local.notes)
        result = _activate(options, context, request, notes)
    return 0 if result.ok and not broken else 1


def _request(
    options: Options, context: Context, scope: Scope, plugins: Plugins, skipped: list[str]
) -> tuple[Activation, list[str]]:
    """Return the plugins to activate, and the notes to show first. Raises CommandError.

    ``skipped`` are the notes on parts of local plugins that are left out.
    """
    notes = list(skipped)
    if not options.host and not any(plan.hosts for _, plan in plugins):
        names = ", ".join(plugin.name for plugin, _ in plugins)
        raise CommandError("\n  ".join([f"{names}: it has nothing for any agent", *notes]))
    hosts = host_names(options.host, hosts_of(plugins))
    if hosts is None and scope.name == "managed":
        hosts = managed.managed_hosts(plugins)
    elif hosts is None:
        hosts, recovered = _detected_hosts(plugins, context, scope)
        notes += recovered
    if scope.name == "managed":
        plugins = managed.plugins_in_image(plugins, context)
        notes += managed.managed_notes(plugins, hosts, bool(options.host), context)
    if installer := permanent_installer(context.environment):
        names = " ".join(plugin.name for plugin, _ in plugins)
        notes.append(
            f"{context.environment} is a temporary environment; its hooks stop without notice when "
            f"it is removed; `{installer} {names}` installs permanently"
        )
    return Activation(plugins, tuple(hosts), scope, options.replace), notes


def _detected_hosts(
    plugins: Plugins, context: Context, scope: Scope
) -> tuple[list[str], tuple[str, ...]]:
    """Return the hosts on this machine that have the scope, and notes on what was recovered.

    Raises CommandError if none of the plugins' hosts is on this machine.
    """
    plans = {host: plan for _, one in plugins for host, plan in one.hosts.items()}
    ledger, recovered = recover(context.state)
    ours = Ours(ledger)
    found = [host for host in sorted(plans) if presence(plans[host], context.machine, ours, host)]
    if scope.name != "user":
        found = [host for host in found if scope.name in plans[host].scopes]
    if not found:
        raise CommandError(
            f"none of these agents was found on this machine: {', '.join(sorted(plans))}; "
            "name one with --host to activate for it anyway"
        )
    return found, recovered


def _activate(options: Options, context: Context, request: Activation, notes: list[str]) -> Result:
    """Ask if necessary, activate and show the result; with ``--dry-run`` only show it."""
    for note in notes if not options.json else ():
        say(f"note: {safe(note)}")
    if options.dry_run or not options.yes:
        preview = operations.activate(context, request, dry_run=True)
        if options.dry_run or not preview.outcome.diffs:
            _show(preview, context, options, notes)
            return preview
        show_commands(preview, context.machine.home)
        confirm("Activate?")
    result = operations.activate(context, request)
    if options.yes and request.scope.in_project and result.outcome.diffs and not options.json:
        # Others who work on the project will run these commands, too.
        show_commands(result, context.machine.home)
    _show(result, context, options, notes)
    return result


def _show(result: Result, context: Context, options: Options, notes: list[str]) -> None:
    """Show the result; a JSON document has the notes in it."""
    if options.json:
        result = replace(result, notes=(*notes, *result.notes))
    show_result(result, context, options)
