"""The interface of one entry at a time, on top of the new one; goes when nobody uses it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from hatch_agentplugin.edit.formats import FORMATS, read
from hatch_agentplugin.edit.insertion import draft, insert
from hatch_agentplugin.edit.model import (
    MISSING,
    Batch,
    Entry,
    Found,
    Json,
    Missing,
    Op,
    Patch,
    Path,
    Splice,
)  # fmt: skip
from hatch_agentplugin.edit.removal import undo
from hatch_agentplugin.edit.rewriting import rewrite
from hatch_agentplugin.edit.splices import apply


@dataclass(frozen=True)
class Record:
    format: str
    op: Op
    path: Path
    value: Json
    pieces: tuple[str, ...]
    owned: tuple[int, ...] = ()
    before: str | None = None
    offset: int = field(default=0, compare=False)

    @property
    def inserted(self) -> str:
        return "".join(self.pieces[0::2])

    @property
    def kept(self) -> str:
        return "".join(self.pieces[1::2])

    def batch(self) -> Batch:
        entry = Entry(self.op, self.path, self.value)
        created = tuple(self.path[:length] for length in self.owned)
        if not self.inserted or self.pieces == ("?",):
            return Batch((entry,), Patch((), created, self.before))
        return Batch((entry,), Patch((Splice(self.offset, self.pieces),), created, self.before))

    def to_json(self) -> dict[str, Json]:
        return {
            "format": self.format, "op": self.op, "path": list(self.path), "value": self.value,
            "pieces": list(self.pieces), "owned": list(self.owned), "before": self.before,
            "offset": self.offset,
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any) -> Record:
        if data["op"] not in ("item", "key"):
            raise ValueError(f"unknown operation {data['op']!r}")
        return cls(
            data["format"], data["op"], tuple(data["path"]), data["value"], tuple(data["pieces"]),
            tuple(data["owned"]), data["before"], data["offset"],
        )  # fmt: skip


def record(format: str, batch: Batch, index: int = 0) -> Record:
    entry, patch = batch.entries[index], batch.patch
    splice = patch.splices[0] if patch.splices else Splice(0, ("",))
    owned = tuple(sorted({len(path) for path in patch.created if entry.path[: len(path)] == path}))
    return Record(
        format, entry.op, entry.path, entry.value, splice.pieces, owned, patch.before, splice.offset
    )


@dataclass(frozen=True)
class Edit:
    data: bytes
    record: Record


class Editor:
    def __init__(self, format: str) -> None:
        read(b"", format)
        self.format = format

    def insert_item(self, data: bytes, at: Path, value: Json) -> Edit:
        document, batch = insert(read(data, self.format), [Entry("item", at, value)])
        return Edit(document.data, record(self.format, batch))

    def insert_key(self, data: bytes, at: Path, value: Json) -> Edit:
        document, batch = insert(read(data, self.format), [Entry("key", at, value)])
        return Edit(document.data, record(self.format, batch))

    def find(self, data: bytes, record: Record) -> Found:
        return read(data, self.format).find(record.batch().entries[0])

    def remove(self, data: bytes, record: Record) -> bytes:
        return rewrite(read(data, self.format), [record.batch()], {(0, 0): MISSING}).document.data

    def undo(self, data: bytes, record: Record) -> bytes | None:
        document, batch = read(data, self.format), record.batch()
        rest = undo(document, [batch])
        if rest is None or apply(rest.text, draft(rest, batch.entries).splices) != document.text:
            return None
        return rest.data

    def get(self, data: bytes, at: Path) -> Json | Missing:
        return read(data, self.format).get(at)

    def line_of(self, data: bytes, at: Path, number: int) -> int | None:
        return read(data, self.format).line_of(at, number)


def editor(format: str) -> Editor:
    return Editor(format)


def value_at(data: bytes, format: str, at: Path) -> Json | Missing:
    return read(data, format).get(at)


def unwind(data: bytes, records: Sequence[Record]) -> bytes | None:
    before: bytes | None = data
    for one in reversed(records):
        before = None if before is None else editor(one.format).undo(before, one)
    return before


def replay(data: bytes, records: Sequence[Record]) -> tuple[bytes, list[Record]]:
    renewed = []
    for one in records:
        editing = editor(one.format)
        put = editing.insert_item if one.op == "item" else editing.insert_key
        edit = put(data, one.path, one.value)
        data = edit.data
        renewed.append(edit.record)
    return data, renewed


def take_out(
    data: bytes, records: Sequence[Record], which: int | Collection[int]
) -> tuple[bytes, list[Record]]:
    chosen = {which} if isinstance(which, int) else set(which)
    if not chosen:
        return data, list(records)
    first = min(chosen)
    before = unwind(data, records[first:])
    stay = [one for i, one in enumerate(records) if i >= first and i not in chosen]
    if before is not None:
        result, renewed = replay(before, stay)
        return result, [*records[:first], *renewed]
    name = records[0].format
    rewritten = rewrite(
        read(data, name),
        [one.batch() for one in records],
        {(index, 0): MISSING for index in chosen},
    )
    return rewritten.document.data, [record(name, batch) for batch in rewritten.batches]


__all__ = ["FORMATS"]
