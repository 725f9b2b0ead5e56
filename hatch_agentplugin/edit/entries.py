"""Our entries in one document: keep, change, drop and append them. Bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from hatch_agentplugin.edit import (
    MISSING,
    Edit,
    Found,
    Json,
    Missing,
    Record,
    editor,
    replay,
    take_out,
    unwind,
    value_at,
)
from hatch_agentplugin.edit import (
    values as _values,
)
from hatch_agentplugin.templates import strings


def rework(
    data: bytes, records: Sequence[Record], changes: Mapping[int, Json | Missing]
) -> tuple[bytes, list[tuple[int, Record]]]:
    """Give some of our entries new values, or drop them.

    ``records`` are all of ours in the document, in the order of insertion. Where nobody else has
    written after ours, a changed entry keeps its place; else it is taken out and appended, so that
    entries of others never move. Returns the new bytes and the records that stand, in the new order
    of insertion, each with its old position. Raises DocumentError.
    """
    if not changes:
        return data, list(enumerate(records))
    values = {index: value for index, value in changes.items() if not isinstance(value, Missing)}
    dropped = set(changes) - set(values)
    before = unwind(data, records[min(changes) :]) if values else None
    if before is None:
        return _move(data, records, dropped, values)
    first = min(changes)
    stay = [index for index in range(first, len(records)) if index not in dropped]
    again = [replace(records[i], value=values.get(i, records[i].value)) for i in stay]
    data, renewed = replay(before, again)
    return data, [*enumerate(records[:first]), *zip(stay, renewed, strict=True)]


def insert(data: bytes, kind: str, format: str, at: tuple[str, ...], value: Json) -> Edit:
    """Append an item or set a key. Raises DocumentError."""
    editing = editor(format)
    return (editing.insert_key if kind == "key" else editing.insert_item)(data, at, value)


def state(data: bytes, record: Record) -> Found:
    """What has become of an entry. Raises DocumentError."""
    return editor(record.format).find(data, record)


def standing(
    data: bytes, kind: str, format: str, at: tuple[str, ...], value: Json
) -> Record | None:
    """A record for an equal entry that stands there already, or None. Raises DocumentError."""
    pieces = (value,) if format == "text" and isinstance(value, str) else ("",)
    record = Record(format, "key" if kind == "key" else "item", at, value, pieces)
    return record if state(data, record) is Found.PRESENT else None


def edited(data: bytes, record: Record, ours: Sequence[Json]) -> Record | None:
    """A record for an item of ours that somebody has changed, known by its longest string.

    That is its command. ``ours`` are the values of all our entries in the document.
    Raises DocumentError.
    """
    needle = _needle(record)
    if record.op != "item" or not needle:
        return None
    return like(data, record, needle, ours)


def others(value: Json, record: Record) -> Json | Missing:
    """What somebody has put into an item of ours, such as a handler of his beside ours in a group:
    the item as it is now without what is ours; `MISSING` where there is nothing else in it."""
    needle = _needle(record)
    if record.op != "item" or not needle or not isinstance(value, dict):
        return MISSING
    for key, children in value.items():
        if not isinstance(children, list):
            continue
        theirs = [child for child in children if needle not in strings(child)]
        if 0 < len(theirs) < len(children) and any(isinstance(one, dict) for one in theirs):
            return {**value, key: theirs}
    return MISSING


def as_it_is(data: bytes, record: Record) -> Record | None:
    """A record for the key with the value that it has now; None where it has none."""
    if record.op != "key" or record.format == "text":
        return None
    value = _values.look_up(_root(data, record.format), record.path)
    return None if isinstance(value, Missing) else replace(record, value=value, pieces=("",))


def like(data: bytes, record: Record, needle: str, ours: Sequence[Json]) -> Record | None:
    """A record for an item at the record's place that holds a text and is not one of ``ours``."""
    for item in items(data, record.format, record.path):
        if item not in ours and any(needle in text for text in strings(item)):
            return replace(record, value=item, pieces=("",))
    return None


def items(data: bytes, format: str, at: tuple[str, ...]) -> list[Json]:
    """The list at a place, empty where there is none. Raises DocumentError."""
    value = _values.look_up(_root(data, format), at)
    return value if isinstance(value, list) else []


def is_list(data: bytes, format: str, at: tuple[str, ...]) -> bool:
    """Whether there is a list at a place. Raises DocumentError."""
    return isinstance(_values.look_up(_root(data, format), at), list)


def is_there(data: bytes, format: str, at: tuple[str, ...]) -> bool:
    """Whether there is a value at a place. Raises DocumentError."""
    return not isinstance(_values.look_up(_root(data, format), at), Missing)


@lru_cache(maxsize=32)
def _root(data: bytes, format: str) -> Json:
    """The parsed document, which nobody may change: many questions are asked of each."""
    root = value_at(data, format, ())
    return {} if isinstance(root, Missing) else root


def _needle(record: Record) -> str:
    """What an entry of ours is known by when somebody has changed it."""
    return max(strings(record.value), key=len, default="")


def _move(
    data: bytes, records: Sequence[Record], dropped: set[int], values: Mapping[int, Json]
) -> tuple[bytes, list[tuple[int, Record]]]:
    """Take the changed entries out and append them anew."""
    gone = dropped | set(values)
    data, left = take_out(data, records, gone)
    stay = [index for index in range(len(records)) if index not in gone]
    result = list(zip(stay, left, strict=True))
    for index, value in values.items():
        old = records[index]
        edit = insert(data, old.op, old.format, old.path, value)
        data = edit.data
        result.append((index, edit.record))
    return data, result
