"""Payloads as hosts have sent them, or as their manuals show them: data that an adapter brings along.

The file ``payloads/<host>.json`` in the adapter's package, or in one that it lies in, has them::

    {"pre-tool-use": {"basis": "witnessed", "version": "4.2", "payload": {...}, "event": {...}}}

The key is the slot, and more words where there are several for it. ``basis`` is what it rests on, in
the words of :class:`~hatch_agentplugin.adapter.Evidence`; ``event`` has the attributes of
:class:`~hatch_agentplugin.Event` that must come of it. Standard library only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatch_agentplugin.fire.incoming import selector_of
from hatch_agentplugin.fire.text import first

#: The folder in the adapter's package.
FOLDER = "payloads"
_BUILTIN = "agentplugin_adapters"

Case = Mapping[str, Any]


def cases(host: str) -> dict[str, Case]:
    """All that the adapter of a host brings along; empty where it has nothing that can be read."""
    for package in _packages():
        spec = _spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            file = Path(folder) / FOLDER / f"{host}.json"
            if file.is_file():
                return read(file)
    return {}


def read(file: Path) -> dict[str, Case]:
    """The cases of one file; empty where it can't be read."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def example(
    known: Mapping[str, Case], slot: str, table: Mapping[str, Any], tool: str | None
) -> dict[str, Any] | None:
    """A payload for a slot, and for a native tool of the same kind where the event has one."""
    for name, case in known.items():
        payload = case.get("payload")
        if name.partition(" ")[0] != slot or not isinstance(payload, dict):
            continue
        used = first(payload, table["fields"].get("tool") or [])
        if not table["tool_event"] or tool == used or _are_alike(table, tool, used):
            return deepcopy(payload)
    return None


def _are_alike(table: Mapping[str, Any], tool: str | None, other: Any) -> bool:
    kinds = [selector_of(str(name), table["tools"]) for name in (tool, other) if name]
    return len(kinds) == 2 and kinds[0] == kinds[1] is not None


def _packages() -> Iterator[str]:
    """The built-in adapters first: a scan for others costs more than all the rest."""
    yield _BUILTIN
    from importlib.metadata import entry_points

    from hatch_agentplugin.hosts.hookspec import ENTRY_POINT_GROUP

    for point in entry_points(group=ENTRY_POINT_GROUP):
        package = point.module
        while package and package.partition(".")[0] != _BUILTIN:
            yield package
            package = package.rpartition(".")[0]


def _spec(package: str) -> ModuleSpec | None:
    """Where a module is; None for one that can't be found, which is its adapter's fault."""
    try:
        return find_spec(package)
    except (ImportError, ValueError):
        return None
