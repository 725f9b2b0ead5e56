"""Recognise entries of ours that somebody has changed, and what somebody has added to them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.model import MISSING, Entry, Json, Missing
from hatch_agentplugin.edit.values import strings


def like(document: Document, entry: Entry, needle: str, ours: Collection[Json]) -> Entry | None:
    """Return the first item at the entry's path that holds a text and is not one of `ours`."""
    items = document.get(entry.path)
    for item in items if isinstance(items, list) else []:
        if any(needle in text for text in strings(item)) and item not in ours:
            return replace(entry, value=item)
    return None


def edited(document: Document, entry: Entry, ours: Collection[Json]) -> Entry | None:
    """Return an entry of ours as somebody has changed it, or None if it cannot be recognised.

    A key is known by its path, an item by its longest string, which is its command. `ours` are the
    values of all our entries in the document.
    """
    if entry.op == "key":
        value = document.get(entry.path)
        return None if isinstance(value, Missing) else replace(entry, value=value)
    needle = _needle(entry)
    return like(document, entry, needle, ours) if needle else None


def others(value: Json, entry: Entry) -> Json | Missing:
    """Return what somebody has added to an item of ours, or `MISSING`.

    `value` is the item as it is now. The result is that item without what is ours, such as a group
    with a handler that somebody has put beside ours.
    """
    needle = _needle(entry)
    if entry.op != "item" or not needle or not isinstance(value, dict):
        return MISSING
    for key, children in value.items():
        if not isinstance(children, list):
            continue
        theirs = [child for child in children if needle not in strings(child)]
        if 0 < len(theirs) < len(children) and any(isinstance(one, dict) for one in theirs):
            return {**value, key: theirs}
    return MISSING


def _needle(entry: Entry) -> str:
    return max(strings(entry.value), key=len, default="")
