"""A parsed document; each format has a subclass that edits it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hatch_agentplugin.edit.lines import error_at
from hatch_agentplugin.edit.model import Entry, Found, Json, Missing, Path, Splice
from hatch_agentplugin.edit.values import WrongType, look_up, state


@dataclass(frozen=True)
class Document(ABC):
    """A settings file: its text and its parsed value. Never changes."""

    has_tree: ClassVar[bool] = True
    """False if the format has neither keys nor arrays; then the value is always empty."""

    text: str
    """The whole text, with byte order mark and line ends."""
    root: dict[str, Json]
    """The parsed value; empty for a document without settings. Do not change it."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Document:
        """Parse a text. Raises DocumentError."""

    @property
    def data(self) -> bytes:
        """The document as bytes."""
        return self.text.encode()

    @property
    @abstractmethod
    def is_blank(self) -> bool:
        """True if the document holds no settings: at most white space and comments."""

    def get(self, path: Path) -> Json | Missing:
        """Return the value at `path`, or `MISSING`."""
        return look_up(self.root, path)

    def line_of(self, path: Path, number: int) -> int | None:
        """Return the line of item `number` of the array at `path`, or None if unknown."""
        return None

    def find(self, entry: Entry) -> Found:
        """Return the state of an entry."""
        return state(self.root, entry)

    def comments(self) -> Sequence[str]:
        """Return the comments in order, if the format cannot guarantee that it keeps them."""
        return ()

    def accepts(self, start: int, end: int) -> bool:
        """Return whether we may have inserted a range of the text."""
        return True

    @abstractmethod
    def place(self, entries: Sequence[tuple[Entry, int]]) -> list[Splice]:
        """Return the splices that insert all entries, in the order of their offsets.

        Each entry comes with the number of keys of its path that exist after the entries before
        it are inserted. The result is the same as inserting one by one. Raises DocumentError.
        """

    @abstractmethod
    def without_entry(self, entry: Entry) -> str:
        """Return the text without an entry that is present. Raises DocumentError."""

    @abstractmethod
    def without_empty(self, path: Path, before: str | None) -> str:
        """Return the text without the empty container at `path`, or unchanged if it must stay.

        For the empty path, the container is the document; `before` is the text before our first
        entry.
        """

    def misfit(self, error: WrongType) -> Exception:
        """Return the error for a value that cannot take an entry, with its line."""
        return error_at(self.text, self.offset_of(error.path), error.reason)

    @abstractmethod
    def offset_of(self, path: Path) -> int:
        """Return the offset of the value at `path`, for messages."""
