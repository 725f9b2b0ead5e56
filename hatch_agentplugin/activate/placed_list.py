"""What tells launchers where their plugin is placed: one line of words ``HOST.SCOPE``."""

from __future__ import annotations

import os
from collections.abc import Iterable

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.workspace import Work
from hatch_agentplugin.transaction.ledger import Placed

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


def for_all(context: Context, plugin: str) -> frozenset[str]:
    """The hosts in which the administrator of this machine has placed a plugin for all users."""
    folder = context.everybodys(plugin)
    if not folder:
        return frozenset()
    try:
        with open(os.path.join(folder, FILE), encoding="utf-8", errors="replace") as file:
            words = file.read().split()
    except OSError:
        return frozenset()
    return frozenset(word.removesuffix(".managed") for word in words if word.endswith(".managed"))
