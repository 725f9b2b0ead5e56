"""What all structured formats do alike: check, splice, parse again, compare."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Generic, Protocol, TypeVar

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.lines import decode, error_at
from hatch_agentplugin.edit.model import (
    DocumentError,
    Edit,
    Found,
    Json,
    Missing,
    Op,
    Path,
    Record,
)


class Document(Protocol):
    """A document that has been read once; each format adds what it needs."""

    @property
    def text(self) -> str:
        """The whole text."""

    @property
    def root(self) -> dict[str, Json]:
        """The parsed value; empty for a document without settings."""


D = TypeVar("D", bound=Document)


@dataclass(frozen=True)
class Splice:
    """Where to insert and what: inserted and kept text in turn, as in `Record.pieces`."""

    offset: int
    pieces: tuple[str, ...]
    blank: bool = False
    """True if the document held no settings, so that the whole of it is ours."""


class StructuredEditor(ABC, Generic[D]):
    """An `Editor` for a format that has a tree of objects and arrays."""

    format: str

    def __init__(self) -> None:
        # One edit reads its result to check it, and the next edit begins with that very text.
        self._recent: deque[D] = deque(maxlen=3)

    def _document(self, text: str) -> D:
        """Read the document, or give one that was read lately; nobody changes it."""
        for document in self._recent:
            if document.text == text:
                return document
        document = self._read(text)
        self._recent.append(document)
        return document

    @abstractmethod
    def _read(self, text: str) -> D:
        """Read the document.

        Raises DocumentError for anything that is not a well-formed document with an object.
        """

    def _changed(self, document: D, start: int, end: int, new: str) -> D:
        """Read the document with the text from `start` to `end` replaced. Raises DocumentError."""
        return self._document(document.text[:start] + new + document.text[end:])

    @abstractmethod
    def _place(self, document: D, op: Op, path: Path, depth: int, value: Json) -> Splice:
        """Say where and how to insert; `depth` keys of the path exist already."""

    @abstractmethod
    def _where(self, document: D, path: Path) -> int:
        """Return the offset of the value at `path`, for messages."""

    @abstractmethod
    def _spots(self, document: D, record: Record) -> Iterator[int]:
        """Yield the offsets where the record's text may begin, the likeliest first."""

    @abstractmethod
    def _cut(self, document: D, record: Record) -> str:
        """Take out a value that somebody has moved or re-formatted, and our empty containers."""

    def insert_item(self, data: bytes, at: Path, value: Json) -> Edit:
        """See `Editor.insert_item`."""
        return self._insert(data, "item", at, value)

    def insert_key(self, data: bytes, at: Path, value: Json) -> Edit:
        """See `Editor.insert_key`."""
        return self._insert(data, "key", at, value)

    def find(self, data: bytes, record: Record) -> Found:
        """See `Editor.find`."""
        return values.state(self._document(decode(data)).root, record)

    def get(self, data: bytes, at: Path) -> Json | Missing:
        """See `Editor.get`."""
        return values.look_up(self._document(decode(data)).root, at)

    def line_of(self, data: bytes, at: Path, number: int) -> int | None:
        """See `Editor.line_of`."""
        return None

    def remove(self, data: bytes, record: Record) -> bytes:
        """See `Editor.remove`."""
        document = self._document(decode(data))
        if values.state(document.root, record) is not Found.PRESENT:
            return data
        allowed = values.without(document.root, record)
        exact = self._cut_exact(document, record, allowed)
        rest = exact or self._document(self._cut(document, record))
        result = rest.text
        if self._owns_an_empty_one(rest, record):
            result = self._prune(rest, record)
            rest = self._document(result)
        if rest.root not in allowed or not self._keeps_comments(document, rest):
            raise DocumentError(f"cannot take the entry out of {values.dotted(record.path)}")
        return result.encode()

    def undo(self, data: bytes, record: Record) -> bytes | None:
        """See `Editor.undo`."""
        document = self._document(decode(data))
        if values.state(document.root, record) is not Found.PRESENT:
            return None
        rest = self._cut_exact(document, record, values.without(document.root, record))
        if rest is None:
            return None
        before = rest.text.encode()
        # The text may stand and yet not be where we would put it now: somebody appended after it.
        try:
            again = self._insert(before, record.op, record.path, record.value)
        except DocumentError:
            return None
        return before if again == Edit(data, record) else None

    @abstractmethod
    def _prune(self, document: D, record: Record) -> str:
        """Take out the containers that we created and that hold nothing any more."""

    def _keeps_comments(self, before: D, after: D) -> bool:
        """Tell whether a removal has left the comments alone, where a format cannot be sure."""
        return True

    def _owns_an_empty_one(self, document: D, record: Record) -> bool:
        return any(
            values.look_up(document.root, record.path[:length]) in ({}, [])
            for length in record.owned
        )

    def _insert(self, data: bytes, op: Op, path: Path, value: Json) -> Edit:
        if not path:
            raise ValueError("the root itself cannot be inserted")
        document = self._document(decode(data))
        text, root = document.text, document.root
        try:
            depth = values.depth(root, op, path)
        except values.WrongType as error:
            raise error_at(text, self._where(document, error.path), error.reason) from None
        splice = self._place(document, op, path, depth, value)
        made = self._applied(document, splice)
        if made is None or made.root != values.inserted(root, op, path, value):
            raise DocumentError(f"cannot insert {values.dotted(path)} without changing the rest")
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
        return Edit(made.text.encode(), record)

    def _applied(self, document: D, splice: Splice) -> D | None:
        """Make an insertion; None where no document comes of it, or none that is UTF-8."""
        new = "".join(splice.pieces)
        end = splice.offset + sum(map(len, splice.pieces[1::2]))
        try:
            new.encode()
            return self._changed(document, splice.offset, end, new)
        except (DocumentError, UnicodeEncodeError):
            return None

    def _cut_exact(self, document: D, record: Record, allowed: list[Json]) -> D | None:
        """Return what is left without the very text that we inserted; None if it is gone."""
        text, whole = document.text, "".join(record.pieces)
        tried = set()
        for offset in chain((record.offset,), self._spots(document, record)):
            if offset in tried or not text.startswith(whole, offset):
                continue
            tried.add(offset)
            try:
                rest = self._changed(document, offset, offset + len(whole), record.kept)
            except DocumentError:
                continue
            if rest.root in allowed and self._keeps_comments(document, rest):
                return rest
        return None
