"""The special cases of ``activate`` in the managed scope: its hosts, images and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import Installed
from hatch_agentplugin.activate.locate import LocateError
from hatch_agentplugin.cli.errors import CommandError
from hatch_agentplugin.cli.permissions import permission_notes
from hatch_agentplugin.cli.plugins import Plugins
from hatch_agentplugin.invocation import call
from hatch_agentplugin.plan import Plan, PlanError

#: A note lists at most this many agents.
_MOST_NAMED = 8


def context_in_image(context: Context) -> Context:
    """Return the context with the environment's paths in the image. Raises CommandError."""
    try:
        return context.in_image()
    except LocateError as error:
        raise CommandError(str(error)) from None


def plugins_in_image(plugins: Plugins, context: Context) -> Plugins:
    """Return the plugins as they are installed in the image. Raises CommandError."""
    try:
        return tuple(_in_image(plugin, plan, context) for plugin, plan in plugins)
    except LocateError as error:
        raise CommandError(str(error)) from None


def _in_image(plugin: Installed, plan: Plan, context: Context) -> tuple[Installed, Plan]:
    """Return one plugin from the image, whose version may differ from the one on this machine."""
    bundle = Path(context.named(str(plugin.bundle)))
    if bundle == plugin.bundle:
        return plugin, plan
    plugin = replace(plugin, bundle=bundle)
    try:
        plan = plugin.plan()
    except PlanError as error:
        raise CommandError(
            f"{plugin.name}: its plan in the image cannot be used: {error}"
        ) from None
    return replace(plugin, version=plan.plugin.version), plan


def managed_hosts(plugins: Plugins) -> list[str]:
    """Return every host with a managed scope, installed or not: a user may install it later.

    Raises CommandError if no host has one.
    """
    found = {
        host for _, plan in plugins for host, one in plan.hosts.items() if "managed" in one.scopes
    }
    if not found:
        raise CommandError(_no_managed_scope(_unmanaged_hosts(plugins)))
    return sorted(found)


def managed_notes(
    plugins: Plugins, chosen: list[str], were_named: bool, context: Context
) -> Iterator[str]:
    """Yield notes for an administrator, to show before the hooks are placed.

    ``chosen`` are the hosts; ``were_named`` says that the administrator has named them.
    """
    left_out = [host for host in _unmanaged_hosts(plugins) if host not in chosen]
    if left_out and not were_named:
        yield _no_managed_scope(left_out)
    if not context.has_interpreter(context.python):
        yield (
            f"{context.inside(context.python)} links to a program that {context.machine.image} "
            "does not contain yet; hooks in Python do nothing until it does"
        )
    yield from permission_notes(context)


def _unmanaged_hosts(plugins: Plugins) -> list[str]:
    """Return the hosts that have other scopes, but no managed scope."""
    plans = [(host, one) for _, plan in plugins for host, one in plan.hosts.items()]
    return sorted({host for host, one in plans if one.scopes and "managed" not in one.scopes})


def _no_managed_scope(hosts: list[str]) -> str:
    named = ", ".join(hosts[:_MOST_NAMED])
    text = f"no settings for all users are known for {named}"
    if len(hosts) <= _MOST_NAMED:
        return text
    more = len(hosts) - _MOST_NAMED
    return f"{text} and {more} more agents; {call('hosts')} lists the scopes of each agent"
