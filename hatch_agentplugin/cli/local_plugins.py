"""Plugins that are named by a path: folders and archives of Agent Plugins, ours or anybody's."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import Installed
from hatch_agentplugin.cli import options
from hatch_agentplugin.cli.ui import Failure
from hatch_agentplugin.plan import Plan
from hatch_agentplugin.transaction.ledger import load

Brought: TypeAlias = tuple[list[str], options.Known, list[str]]


@contextmanager
def brought(
    given: Sequence[str], ids: Collection[str], context: Context, replace: bool
) -> Iterator[Brought]:
    """The names among what is given, and the plugins that its paths hold, ready to be placed.

    What is the name of an installed plugin, of which there are ``ids``, is no path.

    Also gives a line for everything in those plugins that is skipped. What is not placed in the
    end leaves no trace. Raises Failure for a path that is no plugin.
    """
    names: list[str] = []
    plugins: list[tuple[Installed, Plan]] = []
    notes: list[str] = []
    new: list[str] = []
    try:
        for text in given:
            path = _path(text, ids)
            if path is None:
                names.append(text)
                continue
            installed, plan = _store(path, context, replace, notes, new)
            plugins.append((installed, plan))
        yield names, tuple(plugins), notes
    finally:
        if new:
            from hatch_agentplugin.activate import local_store

            rows = load(context.state)[0].plugins.values()
            local_store.drop(context.state, set(new) - {row.bundle for row in rows})


def _path(text: str, ids: Collection[str]) -> Path | None:
    """The folder or archive that an argument names; a plugin's name is none."""
    if options.is_name(text, ids):
        return None
    path = Path(text)
    if os.sep in text or "/" in text or text in (".", ".."):
        return path
    if text.lower().endswith((".zip", ".tar.gz", ".tgz")) or (path / "plugin.json").is_file():
        return path
    from hatch_agentplugin.activate import agent_plugins_wheels

    return agent_plugins_wheels.find(text)


def _store(
    path: Path, context: Context, replace: bool, notes: list[str], new: list[str]
) -> tuple[Installed, Plan]:
    from pathlib import Path

    from hatch_agentplugin.activate import local_store
    from hatch_agentplugin.agent_plugins.local_plugin import LocalPluginError, compile_folder

    if not path.exists():
        raise Failure(f"{path} does not exist")
    try:
        compiled = compile_folder(Path(os.path.abspath(path)))
    except LocalPluginError as error:
        raise Failure(str(error)) from None
    plugin = compiled.plan.plugin
    row = load(context.state)[0].plugins.get(plugin.id)
    if row is not None and not local_store.has(context.state, row.bundle) and not replace:
        raise Failure(
            f"{path}: a plugin called {plugin.id} is active from {row.environment} already; "
            "deactivate it first, or --replace it"
        )
    bundle, is_new = local_store.add(context.state, plugin.id, compiled.files)
    new.extend([str(bundle)] if is_new else [])
    notes.extend(f"{plugin.id}: {note}" for note in compiled.notes)
    return Installed(plugin.id, plugin.name, plugin.version, bundle), compiled.plan
