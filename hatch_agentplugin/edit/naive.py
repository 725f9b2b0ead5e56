from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.editors import editor
from hatch_agentplugin.edit.model import MISSING, Record


@dataclass(frozen=True)
class Entry:
    op: str
    path: tuple[str, ...]
    value: Any


@dataclass(frozen=True)
class Patch:
    records: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Batch:
    entries: tuple[Entry, ...]
    patch: Patch


class Document:
    def __init__(self, data, format):
        self.data, self.format = data, format
        self.root = editor(format).get(data, ())
        if self.root is MISSING:
            self.root = {}

    def get(self, path):
        return editor(self.format).get(self.data, tuple(path))

    def line_of(self, path, number):
        return editor(self.format).line_of(self.data, tuple(path), number)

    def check(self, entry):
        if self.format == "text":
            return
        try:
            values.depth(self.root, entry.op, entry.path)
        except values.WrongType:
            ed = editor(self.format)
            (ed.insert_item if entry.op == "item" else ed.insert_key)(
                self.data, entry.path, entry.value
            )

    def find(self, entry):
        return editor(self.format).find(
            self.data,
            Record(
                self.format,
                entry.op,
                entry.path,
                entry.value,
                (entry.value,) if self.format == "text" else ("",),
            ),
        )


def read(data, format):
    return Document(data, format)


def insert(document, entries):
    data = document.data
    recs = []
    for e in entries:
        ed = editor(document.format)
        r = (ed.insert_item if e.op == "item" else ed.insert_key)(data, e.path, e.value)
        data = r.data
        recs.append(r.record.to_json())
    return Document(data, document.format), Batch(tuple(entries), Patch(tuple(recs)))


def rewrite(document, batches, changes, new):
    flat = []
    for b, batch in enumerate(batches):
        for i, e in enumerate(batch.entries):
            js = [Record.from_json(r) for r in batch.patch.records]
            m = [r for r in js if r.op == e.op and r.path == e.path and r.value == e.value]
            rec = (
                m[0]
                if m
                else Record(
                    document.format,
                    e.op,
                    e.path,
                    e.value,
                    (e.value,) if document.format == "text" else ("",),
                )
            )
            flat.append(((b, i), rec))
    from hatch_agentplugin.edit.entries import rework

    data, standing = rework(
        document.data,
        [r for _, r in flat],
        {n: changes[k] for n, (k, _) in enumerate(flat) if k in changes},
    )
    recs = [r for _, r in standing]
    out = []
    doc = Document(data, document.format)
    doc2, batch = insert(doc, new)
    allr = [r.to_json() for r in recs] + list(batch.patch.records)
    ents = [Entry(r.op, r.path, r.value) for r in recs] + list(new)
    return doc2.data, ([Batch(tuple(ents), Patch(tuple(allr)))] if ents else [])
