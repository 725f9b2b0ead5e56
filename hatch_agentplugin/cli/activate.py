"""``activate`` and ``diff``."""

from __future__ import annotations

import os

from hatch_agentplugin._contexts import suppress
from hatch_agentplugin._record import replace
from hatch_agentplugin.cli import _command, _options, _show
from hatch_agentplugin.cli._command import Command, Option
from hatch_agentplugin.cli._ui import Failure, confirm, safe, say
from hatch_agentplugin.place import engine
from hatch_agentplugin.place.activate import Activation
from hatch_agentplugin.place.discover import discover
from hatch_agentplugin.place.noted import Noted
from hatch_agentplugin.place.program import kept_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hatch_agentplugin.place.context import Context
    from hatch_agentplugin.place.locate import Place


def commands() -> tuple[Command, ...]:
    """The commands of this module."""
    selection = (
        _command.plugins("all that are installed in this environment"),
        _command.hosts("those that are on this machine"),
        *_command.scope("user"),
        _command.ROOT,
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
            (*selection, replacing, *_command.CHANGE),
        ),
        Command(
            "diff",
            "show what activating would change",
            run_activate,
            (*selection, _command.FULL, _command.JSON),
            {"dry_run": True, "yes": False, "replace": False},
        ),
    )


def run_activate(options: Any) -> int:
    """Run the command. Returns the exit status."""
    _options.need_consent(options)
    plain = not (options.dry_run or options.replace or options.project)
    noted = Noted(sound=plain and os.name == "posix")
    with noted:
        context = _options.context(options)
        if context.machine.image:
            from hatch_agentplugin.cli import _managed

            context = _managed.in_image(context)
        place = _options.place_of(options)
        assert place is not None
        found = discover()
        ids = {plugin.id for plugin in found[0]}
        named = all(_options.is_name(text, ids) for text in options.plugins)
        known: _options.Known = ()
        broken = False
        if named:
            known, broken = _options.known_plugins(
                options.plugins, found=found, scopes=(place.scope,)
            )
    if named:
        editable = _options.tell_stale(known)
        noted.sound = noted.sound and place.scope == "user" and not editable and not broken
        return _activate(options, context, place, known, broken, [], noted)
    from hatch_agentplugin.cli._brought import brought

    noted.sound = False
    with brought(options.plugins, ids, context, options.replace) as (names, others, notes):
        if names or not others:
            known, broken = _options.known_plugins(names, found=found, scopes=(place.scope,))
            _options.tell_stale(known)
        return _activate(options, context, place, (*known, *others), broken, notes, noted)


def _activate(
    options: Any,
    context: Context,
    place: Place,
    known: _options.Known,
    broken: bool,
    notes: list[str],
    noted: Noted,
) -> int:
    """Place what is ``known``; ``broken`` says that something else cannot be."""
    _options.need_plugins(known, broken, context.environment)
    if not options.host and not any(plan.hosts for _, plan in known):
        empty = f"{', '.join(one.name for one, _ in known)}: nothing in it is for an agent"
        raise Failure("\n  ".join([empty, *notes]))
    with noted:
        hosts = _hosts(options, known, context, place, notes)
    if place.scope == "managed":
        from hatch_agentplugin.cli import _managed

        known = _managed.plugins_in_image(known, context)
        notes += _managed.notes(known, hosts, bool(options.host), context)
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

    def show(result: engine.Result) -> None:
        if options.json:
            result = replace(result, notes=(*notes, *result.notes))
        _show.show(
            result, context, as_json=options.json, dry_run=options.dry_run, full=options.full
        )

    tell()
    if options.dry_run or not options.yes:
        result = engine.activate(context, asked, dry_run=True, noted=noted)
        if options.dry_run or not result.outcome.diffs:
            show(result)
            return 0 if result.ok and not broken else 1
        _show.consent(result, context.machine.home)
        if not confirm("Place them?"):
            return _options.declined(options)
    result = engine.activate(context, asked, noted=noted)
    if options.yes and place.in_project and result.outcome.diffs and not options.json:
        # Others will run these as well: nobody shall commit them unseen.
        _show.consent(result, context.machine.home)
    show(result)
    if noted.sound and result.ok:
        with suppress(Exception):  # The note is a help, and nothing depends on it.
            _note(options, context, asked, result, noted, tell, show)
    return 0 if result.ok and not broken else 1


def _note(
    options: Any,
    context: Context,
    asked: Activation,
    result: engine.Result,
    noted: Noted,
    tell: Callable[[], None],
    show: Callable[[engine.Result], None],
) -> None:
    """Leave a note from which the same command is answered, where that can be."""
    from hatch_agentplugin.cli import _keep

    with noted:
        hosts = _hosts(options, asked.plugins, context, asked.place, [])
        following = _keep.following(result)
        if following is None or tuple(hosts) != asked.hosts:
            return
        with _keep.Taped() as said:
            tell()
            show(following)
    _keep.keep(options.arguments, noted, context, asked, result.outcome, said)


def _hosts(
    options: Any, known: _options.Known, context: Context, place: Place, notes: list[str]
) -> list[str]:
    """The hosts asked for, or those that are on this machine.

    What had to be settled first goes to the ``notes``.
    """
    named = _options.host_names(options.host, _options.hosts_of(known))
    if named is not None:
        return named
    if place.scope == "managed":
        from hatch_agentplugin.cli import _managed

        return _managed.hosts(known)
    from hatch_agentplugin.place.detect import Ours, presence
    from hatch_agentplugin.place.transaction import settle

    plans = {host: plan for _, one in known for host, plan in one.hosts.items()}
    ledger, settled = settle(context.state)
    notes += settled
    ours = Ours(ledger)
    present = [host for host in sorted(plans) if presence(plans[host], context.machine, ours, host)]
    if place.scope != "user":
        present = [host for host in present if place.scope in plans[host].scopes]
    if not present:
        raise Failure(
            f"none of the agents is on this machine: {', '.join(sorted(plans))}; --host names one"
        )
    return present
