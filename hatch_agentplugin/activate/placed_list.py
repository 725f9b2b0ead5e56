"""The file that tells a launcher where its plugin is placed: one line of words ``HOST.SCOPE``."""

from __future__ import annotations

import os

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.workspace import Workspace

#: Name in the plugin's folder.
FILE = "placed"


def update(workspace: Workspace, plugin: str, group: str, context: Context) -> None:
    """Write the current placements of a plugin into its file."""
    path = context.state.plugin(plugin) / FILE
    words = {f"{entry.host}.{entry.scope}" for entry in workspace.entries.of_plugin(plugin)}
    data = (" ".join(sorted(words)) + "\n").encode()
    if workspace.read(path) != data:
        workspace.write(path, data, group, private=True)


def managed_hosts(context: Context, plugin: str) -> frozenset[str]:
    """Return the hosts in which an administrator has placed a plugin for all users."""
    folder = context.managed_folder(plugin)
    if not folder:
        return frozenset()
    try:
        with open(os.path.join(folder, FILE), encoding="utf-8", errors="replace") as file:
            words = file.read().split()
    except OSError:
        return frozenset()
    return frozenset(word.removesuffix(".managed") for word in words if word.endswith(".managed"))
