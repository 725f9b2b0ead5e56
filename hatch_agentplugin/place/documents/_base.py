"""What all structured formats do alike: check, splice, parse again, compare."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from . import _values
from ._lines import decode, error_at
from ._model import DocumentError, Edit, Found, Json, Missing, Op, Path, Record


@dataclass(frozen=True)
class Splice:
    """Where to insert and what: inserted and kept text in turn, as in `Record.pieces`."""

    offset: int
    pieces: tuple[str, ...]
    blank: bool = False
    """True if the document held no settings, so that the whole of it is ours."""

    def apply(self, text: str) -> str:
        """Return `text` with the insertion made."""
        end = self.offset + sum(map(len, self.pieces[1::2]))
        return text[: self.offset] + "".join(self.pieces) + text[end:]


class StructuredEditor(ABC):
    """An `Editor` for a format that has a tree of objects and arrays."""

    format: str

    @abstractmethod
    def _parse(self, text: str) -> dict[str, Json]:
        """Return the root object, empty for a document without settings.

        Raises DocumentError for anything that is not a well-formed document with an object.
        """

    @abstractmethod
    def _place(self, text: str, op: Op, path: Path, depth: int, value: Json) -> Splice:
        """Say where and how to insert; `depth` keys of the path exist already."""

    @abstractmethod
    def _where(self, text: str, path: Path) -> int:
        """Return the offset of the value at `path`, for messages."""

    @abstractmethod
    def _spots(self, text: str, record: Record) -> Iterator[int]:
        """Yield the offsets where the record's text may begin, the likeliest first."""

    @abstractmethod
    def _cut(self, text: str, record: Record) -> str:
        """Take out a value that somebody has moved or re-formatted, and our empty containers."""

    def insert_item(self, data: bytes, at: Path, value: Json) -> Edit:
        """See `Editor.insert_item`."""
        return self._insert(data, "item", at, value)

    def insert_key(self, data: bytes, at: Path, value: Json) -> Edit:
        """See `Editor.insert_key`."""
        return self._insert(data, "key", at, value)

    def find(self, data: bytes, record: Record) -> Found:
        """See `Editor.find`."""
        return _values.state(self._parse(decode(data)), record)

    def get(self, data: bytes, at: Path) -> Json | Missing:
        """See `Editor.get`."""
        return _values.look_up(self._parse(decode(data)), at)

    def remove(self, data: bytes, record: Record) -> bytes:
        """See `Editor.remove`."""
        text = decode(data)
        root = self._parse(text)
        if _values.state(root, record) is not Found.PRESENT:
            return data
        allowed = _values.without(root, record)
        result = self._cut_exact(text, record, allowed)
        if result is None:
            result = self._cut(text, record)
            if self._parse(result) not in allowed:
                raise DocumentError(f"cannot take the entry out of {_values.dotted(record.path)}")
        else:
            result = self._prune(result, record)
        return result.encode()

    def undo(self, data: bytes, record: Record) -> bytes | None:
        """See `Editor.undo`."""
        text = decode(data)
        root = self._parse(text)
        if _values.state(root, record) is not Found.PRESENT:
            return None
        result = self._cut_exact(text, record, _values.without(root, record))
        if result is None:
            return None
        before = result.encode()
        # The text may stand and yet not be where we would put it now: somebody appended after it.
        try:
            again = self._insert(before, record.op, record.path, record.value)
        except DocumentError:
            return None
        return before if again == Edit(data, record) else None

    @abstractmethod
    def _prune(self, text: str, record: Record) -> str:
        """Take out the containers that we created and that hold nothing any more."""

    def _insert(self, data: bytes, op: Op, path: Path, value: Json) -> Edit:
        if not path:
            raise ValueError("the root itself cannot be inserted")
        text = decode(data)
        root = self._parse(text)
        try:
            depth = _values.depth(root, op, path)
        except _values.WrongType as error:
            raise error_at(text, self._where(text, error.path), error.reason) from None
        splice = self._place(text, op, path, depth, value)
        result = splice.apply(text)
        if self._parse(result) != _values.inserted(root, op, path, value):
            raise DocumentError(f"cannot insert {_values.dotted(path)} without changing the rest")
        last = len(path) if op == "item" else len(path) - 1
        owned = tuple(range(depth + 1, last + 1))
        record = Record(
            format=self.format,
            op=op,
            path=path,
            value=value,
            pieces=splice.pieces,
            owned=(0, *owned) if splice.blank else owned,
            before=text if splice.blank else None,
            offset=splice.offset,
        )
        return Edit(result.encode(), record)

    def _cut_exact(self, text: str, record: Record, allowed: list[Json]) -> str | None:
        """Return `text` without the very text that we inserted; None if it does not stand."""
        whole = "".join(record.pieces)
        tried = set()
        for offset in (record.offset, *self._spots(text, record)):
            if offset in tried or not text.startswith(whole, offset):
                continue
            tried.add(offset)
            result = text[:offset] + record.kept + text[offset + len(whole) :]
            try:
                if self._parse(result) in allowed:
                    return result
            except DocumentError:
                continue
        return None
