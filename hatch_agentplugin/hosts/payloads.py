"""Payloads that hosts have sent, or that their manuals show: ``payloads.json`` beside an adapter's module.

::

    {"pre-tool-use": {"basis": "witnessed", "version": "4.2", "payload": {...}, "event": {...}}}

A key is the slot, followed by more words if a slot has several payloads. ``basis`` is a word of
:class:`~hatch_agentplugin.adapter.Evidence`. ``event`` has the attributes of
:class:`~hatch_agentplugin.Event` that the payload must produce.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from hatch_agentplugin.fire.incoming import selector_of
from hatch_agentplugin.fire.text import first
from hatch_agentplugin.hosts.adapters import adapter_folder

FILE = "payloads.json"

Case = Mapping[str, Any]


def cases(host: str) -> dict[str, Case]:
    """Return the payloads of a host's adapter; empty if it has none."""
    folder = adapter_folder(host)
    return read(folder / FILE) if folder else {}


def read(file: Path) -> dict[str, Case]:
    """Return the payloads in a file; empty if there is no file.

    Raises ValueError that names the file if it is not a JSON object.
    """
    if not file.exists():
        return {}
    try:
        found = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{file}: not a JSON object")
    return found


def example(
    known: Mapping[str, Case], slot: str, table: Mapping[str, Any], tool: str | None
) -> dict[str, Any] | None:
    """Return a payload for a slot; for a tool event, of a tool of the same kind."""
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
