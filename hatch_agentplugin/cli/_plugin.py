"""The plugin that ``simulate`` and ``inspect`` look into."""

from __future__ import annotations

from pathlib import Path

from hatch_agentplugin.cli import _options
from hatch_agentplugin.cli._ui import Failure
from hatch_agentplugin.place import store
from hatch_agentplugin.place.context import Context
from hatch_agentplugin.place.discover import Installed, discover
from hatch_agentplugin.place.ledger import load
from hatch_agentplugin.place.status import installed_by
from hatch_agentplugin.plan import PlanError
from hatch_agentplugin.simulate import Bundle


def find(name: str) -> tuple[Installed, Bundle]:
    """An installed or activated plugin by its name. Raises UsageFailure or Failure."""
    installed = {plugin.id: plugin for plugin in discover()[0]}
    state = Context.here().state
    for active, row in load(state)[0].plugins.items():
        if store.has(state, row.bundle):  # activated from a folder or an archive
            installed.setdefault(active, installed_by(row, active))
    plugin = installed[_options.plugin_id(name, list(installed))]
    try:
        return plugin, Bundle(Path(plugin.bundle), plugin.plan())
    except PlanError as error:
        raise Failure(f"{plugin.name}: its plan cannot be used: {error}") from None
