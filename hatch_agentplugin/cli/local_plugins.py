"""Local plugins: folders and archives given to ``activate`` in place of a plugin's name."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hatch_agentplugin.activate import agent_plugins_wheels, local_store
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import Installed
from hatch_agentplugin.agent_plugins.local_plugin import LocalPluginError, compile_folder
from hatch_agentplugin.cli.errors import CommandError
from hatch_agentplugin.cli.lookup import is_plugin
from hatch_agentplugin.plan import Plan
from hatch_agentplugin.transaction.ledger import load


@dataclass
class LocalPlugins:
    """The arguments of ``activate``, sorted by kind."""

    names: list[str] = field(default_factory=list)
    """Arguments that name an installed plugin."""
    plugins: list[tuple[Installed, Plan]] = field(default_factory=list)
    """The plugins in the folders and archives, compiled and stored."""
    notes: list[str] = field(default_factory=list)
    """A line for each part of those plugins that is skipped."""


@contextmanager
def stored(
    arguments: Sequence[str], ids: Collection[str], context: Context, replace: bool
) -> Iterator[LocalPlugins]:
    """Compile and store the folders and archives among the arguments of ``activate``.

    ``ids`` are the installed plugins; an argument that names one is not a path. With ``replace`` a
    local plugin may take the name of an active installed one. On leaving, removes every stored
    bundle that the ledger does not name. Raises CommandError for a path without a usable plugin.
    """
    local = LocalPlugins()
    new: set[str] = set()
    try:
        for text in arguments:
            path = _path(text, ids)
            if path is None:
                local.names.append(text)
            else:
                _store(path, context, replace, local, new)
        yield local
    finally:
        if new:
            rows = load(context.state)[0].plugins.values()
            local_store.drop(context.state, new - {row.bundle for row in rows})


def _path(text: str, ids: Collection[str]) -> Path | None:
    """Return the folder or archive that an argument names, None for a plugin's name."""
    if is_plugin(text, ids):
        return None
    path = Path(text)
    if os.sep in text or "/" in text or text in (".", ".."):
        return path
    if text.lower().endswith((".zip", ".tar.gz", ".tgz")) or (path / "plugin.json").is_file():
        return path
    return agent_plugins_wheels.find(text)


def _store(path: Path, context: Context, replace: bool, local: LocalPlugins, new: set[str]) -> None:
    """Compile and store one folder or archive; a bundle that was not stored before is ``new``."""
    if not path.exists():
        raise CommandError(f"{path} does not exist")
    try:
        compiled = compile_folder(Path(os.path.abspath(path)))
    except LocalPluginError as error:
        raise CommandError(str(error)) from None
    plugin = compiled.plan.plugin
    row = load(context.state)[0].plugins.get(plugin.id)
    if row is not None and not local_store.has(context.state, row.bundle) and not replace:
        raise CommandError(
            f"{path}: a plugin called {plugin.id} is already active from {row.environment}; "
            "deactivate it first, or add --replace"
        )
    bundle, is_new = local_store.add(context.state, plugin.id, compiled.files)
    if is_new:
        new.add(str(bundle))
    local.notes += [f"{plugin.id}: {note}" for note in compiled.notes]
    installed = Installed(plugin.id, plugin.name, plugin.version, bundle)
    local.plugins.append((installed, compiled.plan))
