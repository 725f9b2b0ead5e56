"""The plugin that ``simulate`` and ``inspect`` look into."""

from __future__ import annotations

from pathlib import Path

from hatch_agentplugin.activate import local_store
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import Installed, discover
from hatch_agentplugin.cli import options
from hatch_agentplugin.cli.ui import Failure
from hatch_agentplugin.inspect.status import installed_by
from hatch_agentplugin.plan import PlanError
from hatch_agentplugin.simulate import Bundle
from hatch_agentplugin.transaction.ledger import load


def find(name: str) -> tuple[Installed, Bundle]:
    """An installed or activated plugin by its name. Raises UsageFailure or Failure."""
    installed = {plugin.id: plugin for plugin in discover()[0]}
    state = Context.here().state
    for active, row in load(state)[0].plugins.items():
        if local_store.has(state, row.bundle):  # activated from a folder or an archive
            installed.setdefault(active, installed_by(row, active))
    plugin = installed[options.plugin_id(name, list(installed))]
    try:
        return plugin, Bundle(Path(plugin.bundle), plugin.plan())
    except PlanError as error:
        raise Failure(f"{plugin.name}: its plan cannot be used: {error}") from None
