"""What tells launchers where their plugin is placed: one line of words ``HOST.SCOPE``."""

from __future__ import annotations

import os
from collections.abc import Iterable

from hatch_agentplugin.place.context import Context
from hatch_agentplugin.place.ledger import Placed
from hatch_agentplugin.place.work import Work

#: Name in the plugin's folder.
FILE = "placed"


def text(entries: Iterable[Placed], plugin: str) -> bytes:
    """The line for a plugin."""
    words = {f"{placed.host}.{placed.scope}" for placed in entries if placed.plugin == plugin}
    return (" ".join(sorted(words)) + "\n").encode()


def write(work: Work, plugin: str, group: str, context: Context) -> None:
    """Have the line say what is placed now."""
    path = context.state.plugin(plugin) / FILE
    data = text(work.placed, plugin)
    if work.desk.read(path) != data:
        work.desk.write(path, data, group, private=True)


def is_for_all(context: Context, plugin: str, host: str) -> bool:
    """Whether the administrator of this machine has placed a plugin in a host for all users."""
    folder = context.everybodys(plugin)
    try:
        with open(os.path.join(folder, FILE) if folder else os.devnull, "rb") as file:
            return f"{host}.managed".encode() in file.read().split()
    except OSError:
        return False
