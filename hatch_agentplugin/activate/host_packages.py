"""Sees whether the user has a plugin by the host's own plugin system too. Reads only."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import LocateError, Place, locate
from hatch_agentplugin.edit import DocumentError, value_at
from hatch_agentplugin.plan import HostPlan, SeenPlan
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader

Read: TypeAlias = Callable[[Path], bytes | None]


def package_seen(
    plan: HostPlan, plugin: str, context: Context, read: Read | None = None
) -> str | None:
    """Where the host notes that the user has the plugin as a package; None where it does not.

    A package that is switched off does not count; what can't be read is as if it were not there.
    ``read`` is a `Reader`'s, where one has looked at these files already.
    """
    read = read or Reader({}).read
    for seen in plan.packages:
        for target in seen.files:
            try:
                path = locate(target, context.machine, Place("user"))
            except LocateError:
                continue
            if not seen.at:
                if found := _there(path, seen.inside):
                    return found
            elif key := _key(seen, plugin, path, read):
                return f'"{key}" in {path}'
    return None


def _key(seen: SeenPlan, plugin: str, path: Path, read: Read) -> str | None:
    try:
        data = read(path)
        table = None if data is None else value_at(data, seen.format, seen.at)
    except (FileProblem, DocumentError):
        return None
    for item in table if isinstance(table, list) else ():
        if isinstance(item, str) and _package(item) == plugin:
            return item
        named = isinstance(item, Mapping) and plugin in (item.get("id"), item.get("name"))
        if named and not _is_off(item):
            return plugin
    for key, value in table.items() if isinstance(table, Mapping) else ():
        if key.partition("@")[0] == plugin and not _is_off(value):
            return str(key)
    return None


def _there(path: Path, inside: str) -> str | None:
    """The file or folder, or what is inside one of its folders, where it is there."""
    if not inside:
        return str(path) if os.path.lexists(path) else None
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return None
    paths = (os.path.join(path, name, inside) for name in names)
    return next((path for path in paths if os.path.lexists(path)), None)


def _package(source: str) -> str:
    """The name of a package by its source: ``npm:NAME@1.0``, ``../folder/NAME``, ``file://...``."""
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2]
    return name.partition("@")[0]


def _is_off(value: Any) -> bool:
    return value is False or (isinstance(value, Mapping) and value.get("enabled") is False)
