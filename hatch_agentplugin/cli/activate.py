"""``activate`` and ``diff``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.activate.locate import Place
from hatch_agentplugin.cli import command
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli import show as _show
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import Failure, confirm, safe, say
from hatch_agentplugin.invocation import kept_by


def commands() -> tuple[Command, ...]:
    """The commands of this module."""
    selection = (
        command.plugins("all that are installed in this environment"),
        command.hosts("those that are on this machine"),
        *command.scope("user"),
        command.ROOT,
    )
    replacing = Option(
        "--replace",
        action="store_true",
        help="write again what you have changed or removed; take over from another environment",
    )
    return (
        Command(
            "activate",
            "place the hooks of plugins in your agents",
            run_activate,
            (*selection, replacing, *command.CHANGE),
        ),
        Command(
            "diff",
            "show what activating would change",
            run_activate,
            (*selection, command.FULL, command.JSON),
            {"dry_run": True, "yes": False, "replace": False},
        ),
    )


def run_activate(options: Any) -> int:
    """Run the command. Returns the exit status."""
    _options.need_consent(options)
    context = _options.context(options)
    if context.machine.image:
        from hatch_agentplugin.cli import managed

        context = managed.in_image(context)
    place = _options.place_of(options)
    assert place is not None
    found = discover()
    ids = {plugin.id for plugin in found[0]}
    if all(_options.is_name(text, ids) for text in options.plugins):
        known, broken = _options.known_plugins(options.plugins, found=found)
        _options.tell_stale(known)
        return _activate(options, context, place, known, broken, [])
    from hatch_agentplugin.cli.local_plugins import brought

    known = ()
    broken = False
    with brought(options.plugins, ids, context, options.replace) as (names, others, notes):
        if names or not others:
            known, broken = _options.known_plugins(names, found=found)
            _options.tell_stale(known)
        return _activate(options, context, place, (*known, *others), broken, notes)


def _activate(
    options: Any,
    context: Context,
    place: Place,
    known: _options.Known,
    broken: bool,
    notes: list[str],
) -> int:
    """Place what is ``known``; ``broken`` says that something else cannot be."""
    _options.need_plugins(known, broken, context.environment)
    if not options.host and not any(plan.hosts for _, plan in known):
        empty = f"{', '.join(one.name for one, _ in known)}: nothing in it is for an agent"
        raise Failure("\n  ".join([empty, *notes]))
    hosts = _hosts(options, known, context, place, notes)
    if place.scope == "managed":
        from hatch_agentplugin.cli import managed

        known = managed.plugins_in_image(known, context)
        notes += managed.notes(known, hosts, bool(options.host), context)
    if tool := kept_by(context.environment):
        names = " ".join(one.name for one, _ in known)
        notes.append(
            f"{context.environment} is a temporary environment, and hooks end in silence when it is "
            f"cleaned away; `{tool} {names}` keeps it"
        )
    asked = Activation(known, tuple(hosts), place, options.replace)

    def tell() -> None:
        for note in notes if not options.json else ():
            say(f"note: {safe(note)}")

    def show(result: operations.Result) -> None:
        if options.json:
            result = replace(result, notes=(*notes, *result.notes))
        _show.show(
            result, context, as_json=options.json, dry_run=options.dry_run, full=options.full
        )

    tell()
    if options.dry_run or not options.yes:
        result = operations.activate(context, asked, dry_run=True)
        if options.dry_run or not result.outcome.diffs:
            show(result)
            return 0 if result.ok and not broken else 1
        _show.consent(result, context.machine.home)
        if not confirm("Place them?"):
            return _options.declined(options)
    result = operations.activate(context, asked)
    if options.yes and place.in_project and result.outcome.diffs and not options.json:
        # Others will run these as well: nobody shall commit them unseen.
        _show.consent(result, context.machine.home)
    show(result)
    return 0 if result.ok and not broken else 1


def _hosts(
    options: Any, known: _options.Known, context: Context, place: Place, notes: list[str]
) -> list[str]:
    """The hosts asked for, or those that are on this machine.

    What had to be recovered first goes to the ``notes``.
    """
    named = _options.host_names(options.host, _options.hosts_of(known))
    if named is not None:
        return named
    if place.scope == "managed":
        from hatch_agentplugin.cli import managed

        return managed.hosts(known)
    from hatch_agentplugin.activate.detect import Ours, presence
    from hatch_agentplugin.transaction.recover import recover

    plans = {host: plan for _, one in known for host, plan in one.hosts.items()}
    ledger, recovered = recover(context.state)
    notes += recovered
    ours = Ours(ledger)
    present = [host for host in sorted(plans) if presence(plans[host], context.machine, ours, host)]
    if place.scope != "user":
        present = [host for host in present if place.scope in plans[host].scopes]
    if not present:
        raise Failure(
            f"none of the agents is on this machine: {', '.join(sorted(plans))}; --host names one"
        )
    return present
