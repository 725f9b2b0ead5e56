"""Detects a plugin that the user has installed as a host package too. Reads only."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import LocateError, Place, locate
from hatch_agentplugin.activate.result import Refused
from hatch_agentplugin.edit import Json, Missing
from hatch_agentplugin.hosts.files import Seen
from hatch_agentplugin.plan import HostPlan
from hatch_agentplugin.transaction.problem import FileProblem

#: Returns the value at a place of a document; MISSING if either does not exist.
Get: TypeAlias = Callable[[Path, str, Sequence[str]], "Json | Missing"]


def package_seen(plan: HostPlan, plugin: str, context: Context, get: Get) -> str | None:
    """Return where the host records the plugin as a package, or None if it does not.

    A package that is switched off does not count, nor does a record that cannot be read.
    """
    for seen in plan.packages:
        try:
            path = locate(seen.file, context.machine, Place("user"))
        except LocateError:
            continue
        if not seen.at:
            if found := _existing(path, seen.inside):
                return found
        elif key := _key(seen, plugin, path, get):
            return f'"{key}" in {path}'
    return None


def _key(seen: Seen, plugin: str, path: Path, get: Get) -> str | None:
    try:
        table = get(path, seen.format, seen.at)
    except (FileProblem, Refused):
        return None
    for item in table if isinstance(table, list) else ():
        if isinstance(item, str) and _package_name(item) == plugin:
            return item
        named = isinstance(item, Mapping) and plugin in (item.get("id"), item.get("name"))
        if named and not _is_off(item):
            return plugin
    for key, value in table.items() if isinstance(table, Mapping) else ():
        if key.partition("@")[0] == plugin and not _is_off(value):
            return str(key)
    return None


def _existing(path: Path, inside: str) -> str | None:
    """Return a path that exists, or one `inside` some folder of it."""
    if not inside:
        return str(path) if os.path.lexists(path) else None
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return None
    paths = (os.path.join(path, name, inside) for name in names)
    return next((path for path in paths if os.path.lexists(path)), None)


def _package_name(source: str) -> str:
    """Return the name in a source: ``npm:NAME@1.0``, ``../folder/NAME``, ``file://...``."""
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2]
    return name.partition("@")[0]


def _is_off(value: Any) -> bool:
    return value is False or (isinstance(value, Mapping) and value.get("enabled") is False)
