"""The switches of a plugin: files that make its launcher ignore all events, or one of them."""

from __future__ import annotations

import os
from pathlib import Path

from hatch_agentplugin.activate import placed_list
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.cli.arguments import Parser
from hatch_agentplugin.cli.errors import CommandError
from hatch_agentplugin.cli.ledgers import managed_views
from hatch_agentplugin.cli.lookup import plugin_id
from hatch_agentplugin.invocation import call
from hatch_agentplugin.transaction.state import State

#: The name of the switch for every event.
ALL = "all"


def add_switch(parser: Parser) -> None:
    """Add the plugin and the event whose switch a command sets."""
    parser.add_argument("plugin", metavar="PLUGIN")
    parser.add_argument("event", nargs="?", metavar="EVENT", help="(default: every event)")


def switch_folder(name: str) -> Path:
    """Return the folder for the switches of a plugin, which may not exist yet.

    Raises UsageError for an unknown plugin and CommandError for one that is not active.
    """
    context = Context.here()
    active = _active_plugins(context.state)
    installed = [plugin.id for plugin in discover()[0]]
    plugin = plugin_id(name, {*active, *installed})
    if plugin in active:
        return Path(context.state.plugin(plugin), "disabled")
    if any(plugin in view.ledger.plugins for view in managed_views(context)):
        raise CommandError(
            f"{plugin} was activated for all users; ask your administrator to remove it with "
            f"{call('deactivate', '--scope', 'managed', plugin)}"
        )
    raise CommandError(f"{plugin} is not active; {call('activate', plugin)} activates it")


def _active_plugins(state: State) -> list[str]:
    try:
        names = os.listdir(state.root)
    except OSError:
        return []
    return [name for name in names if (state.root / name / placed_list.FILE).is_file()]
