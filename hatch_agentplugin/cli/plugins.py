"""The plugins that a command works with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from hatch_agentplugin.activate import local_store
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import BadMarker, Installed, discover
from hatch_agentplugin.cli.errors import CommandError
from hatch_agentplugin.cli.lookup import plugin_id
from hatch_agentplugin.cli.terminal import say, say_error
from hatch_agentplugin.inspect.status import installed_by
from hatch_agentplugin.invocation import quoted
from hatch_agentplugin.plan import Plan, PlanError
from hatch_agentplugin.simulate import Bundle
from hatch_agentplugin.sources import is_stale
from hatch_agentplugin.transaction.ledger import load

#: What `discover` returns: the installed plugins, and the markers that cannot be used.
Discovered: TypeAlias = tuple[list[Installed], list[BadMarker]]
#: Plugins with their plans.
Plugins: TypeAlias = tuple[tuple[Installed, Plan], ...]


def usable_plugins(names: Sequence[str], discovered: Discovered) -> tuple[Plugins, bool]:
    """Return the installed plugins with these names, or all, and whether any cannot be used.

    A plugin that cannot be used is reported and left out. Raises UsageError for an unknown name.
    """
    installed, bad_marks = discovered
    for mark in bad_marks:
        say_error(f"{mark.path}: {mark.reason}")
    ids = [plugin.id for plugin in installed]
    chosen = [plugin_id(name, ids) for name in names] or ids
    usable = []
    broken = bool(bad_marks)
    for plugin in installed:
        if plugin.id not in chosen:
            continue
        try:
            usable.append((plugin, plugin.plan()))
        except PlanError as error:
            say_error(f"{plugin.name}: its plan cannot be used: {error}")
            broken = True
    return tuple(usable), broken


def need_plugins(plugins: Plugins, broken: bool, environment: str) -> None:
    """Raise CommandError if there is no plugin to work with; ``broken`` says why."""
    if plugins:
        return
    if broken:
        raise CommandError("none of the installed plugins can be used")
    raise CommandError(f"no plugin is installed in this environment: {environment}")


def warn_if_stale(plugins: Plugins) -> None:
    """Warn about editable installs whose project has changed since its hooks were compiled."""
    for plugin, plan in plugins:
        if plugin.source and is_stale(plan.inputs, plugin.bundle, plugin.source):
            say(
                f"note: {plugin.name}: its declaration has changed since it was installed; "
                f"update it with: pip install -e {quoted(str(plugin.source))}"
            )


def hosts_of(plugins: Plugins) -> set[str]:
    """Return every host in the plans, also hosts for which a plugin has no hooks."""
    return {host for _, plan in plugins for host in plan.hosts} | {
        cell.host for _, plan in plugins for cell in plan.report
    }


def find_plugin(name: str) -> tuple[Installed, Bundle]:
    """Return the installed plugin, or the active local plugin, with this name.

    Raises UsageError for an unknown name and CommandError for a plan that cannot be used.
    """
    installed = {plugin.id: plugin for plugin in discover()[0]}
    state = Context.here().state
    for active, row in load(state)[0].plugins.items():
        if local_store.has(state, row.bundle):
            installed.setdefault(active, installed_by(row, active))
    plugin = installed[plugin_id(name, installed)]
    try:
        return plugin, Bundle(Path(plugin.bundle), plugin.plan())
    except PlanError as error:
        raise CommandError(f"{plugin.name}: its plan cannot be used: {error}") from None
