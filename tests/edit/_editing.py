"""Edits of one entry at a time, from bytes to bytes, for tests that show exact texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from hatch_agentplugin.edit import (
    MISSING,
    Batch,
    Entry,
    Found,
    Json,
    Missing,
    Path,
    insert,
    read,
    rewrite,
)


class Edit(NamedTuple):
    """The result of an insertion."""

    data: bytes
    batch: Batch


class Editing:
    """Reads, edits and writes documents of one format."""

    def __init__(self, format: str) -> None:
        self.format = format

    def insert(self, data: bytes, *entries: Entry) -> Edit:
        """Insert all entries in one write."""
        document, batch = insert(read(data, self.format), entries)
        return Edit(document.data, batch)

    def item(self, data: bytes, path: Path, value: Any) -> Edit:
        """Append an item."""
        return self.insert(data, Entry("item", path, value))

    def key(self, data: bytes, path: Path, value: Any) -> Edit:
        """Set a key."""
        return self.insert(data, Entry("key", path, value))

    def get(self, data: bytes, path: Path) -> Json | Missing:
        """Read a value."""
        return read(data, self.format).get(path)

    def find(self, data: bytes, batch: Batch) -> Found:
        """Return the state of the only entry of a batch."""
        (entry,) = batch.entries
        return read(data, self.format).find(entry)

    def remove(self, data: bytes, batch: Batch) -> bytes:
        """Remove all entries of a batch, which is the only one of ours."""
        return self.take_out(data, [batch], [0])[0]

    def take_out(
        self, data: bytes, batches: Sequence[Batch], which: Iterable[int]
    ) -> tuple[bytes, list[Batch]]:
        """Remove all entries of some batches. Return the bytes and the batches that stay."""
        gone = [(i, j) for i in which for j in range(len(batches[i].entries))]
        result = rewrite(read(data, self.format), batches, dict.fromkeys(gone, MISSING))
        return result.document.data, list(result.batches)
