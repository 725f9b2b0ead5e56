"""Several insertions into one document: take some out and keep the others.

With nobody else at work the result is what the others alone would have given, to the byte.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from hatch_agentplugin.edit.editors import editor
from hatch_agentplugin.edit.model import MISSING, DocumentError, Found, Record


def unwind(data: bytes, records: Sequence[Record]) -> bytes | None:
    """Undo `records`, given in the order of insertion, from the last to the first.

    Returns the bytes of before the first, or None if somebody's edit makes that impossible.
    """
    before: bytes | None = data
    for record in reversed(records):
        if before is None:
            break
        before = editor(record.format).undo(before, record)
    return before


def replay(data: bytes, records: Sequence[Record]) -> tuple[bytes, list[Record]]:
    """Insert the values of `records` in order. Returns the new bytes and the new records.

    Raises DocumentError if one of them cannot be inserted.
    """
    renewed = []
    for record in records:
        editing = editor(record.format)
        insert = editing.insert_item if record.op == "item" else editing.insert_key
        edit = insert(data, record.path, record.value)
        data = edit.data
        renewed.append(edit.record)
    return data, renewed


def take_out(
    data: bytes, records: Sequence[Record], which: int | Collection[int]
) -> tuple[bytes, list[Record]]:
    """Take `records[which]` out of `data`; `records` are in the order of insertion.

    Returns the new bytes and the records of those that stay. Where others have edited the document
    around ours, nothing but the entries themselves is touched, so that all else keeps its place.
    An entry that somebody has changed is left to him. Raises DocumentError like the editors do.
    """
    chosen = {which} if isinstance(which, int) else set(which)
    if not chosen:
        return data, list(records)
    first = min(chosen)
    stay = [record for i, record in enumerate(records) if i >= first and i not in chosen]
    before = unwind(data, records[first:])
    if before is not None:
        try:
            result, renewed = replay(before, stay)
        except DocumentError:
            pass  # what stays depended on what goes
        else:
            return result, [*records[:first], *renewed]
    left = list(enumerate(records))
    for index in sorted(chosen, reverse=True):
        editing, record = editor(records[index].format), dict(left)[index]
        if editing.find(data, record) is not Found.PRESENT:
            left = [(i, other) for i, other in left if i != index]
            continue
        data = editing.remove(data, record)
        left = [(i, other) for i, other in left if i != index]
        others = _inherit(data, record, [other for _, other in left])
        left = [(i, other) for (i, _), other in zip(left, others, strict=True)]
    return data, [record for _, record in left]


def _inherit(data: bytes, gone: Record, others: list[Record]) -> list[Record]:
    """Give the containers that `gone` created to one of the others that stand in them.

    Else the last one out would leave them behind, empty.
    """
    others = list(others)
    for length in gone.owned:
        path = gone.path[:length]
        if editor(gone.format).get(data, path) is MISSING:
            continue
        for index, other in enumerate(others):
            reach = len(other.path) if other.op == "item" else len(other.path) - 1
            if reach >= length and other.path[:length] == path:
                owned = tuple(sorted({*other.owned, length}))
                before = gone.before if length == 0 else other.before
                others[index] = replace(other, owned=owned, before=before)
                break
    return others
