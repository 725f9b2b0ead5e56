"""The types of this package: paths, values, entries, patches, batches and one error."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Path: TypeAlias = tuple[str, ...]
Op: TypeAlias = Literal["item", "key"]


class Missing(enum.Enum):
    """The type of `MISSING`, which tells a missing value from a null."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


class Found(enum.Enum):
    """The state of an entry in a document."""

    PRESENT = "present"
    """The document holds the value that we inserted, in whatever layout."""
    CHANGED = "changed"
    """The document holds the entry with another value: somebody has edited it."""
    ABSENT = "absent"
    """The document no longer holds the entry."""


class DocumentError(Exception):
    """A document that cannot be read or edited safely. The document is unchanged.

    The message is made of the attributes: ``line 12: reason``.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.reason = reason
        self.line = line
        """Counted from 1; None if the problem has no place."""
        self.column = column
        """Counted from 1, in characters."""


@dataclass(frozen=True)
class Entry:
    """One value to insert into a document."""

    op: Op
    """`item` appends to the array at `path`; `key` sets the key at `path`."""
    path: Path
    """The keys from the root."""
    value: Any
    """The value, as JSON. In a text document: the block of lines, as a string."""


@dataclass(frozen=True)
class Splice:
    """Text inserted at one place of a document."""

    offset: int
    """Where the first piece begins, in characters of the text before the patch."""
    pieces: tuple[str, ...]
    """Inserted text, then text that was there before, then inserted text, and so on."""

    @property
    def whole(self) -> str:
        """All pieces: the text that the document must contain to undo the splice."""
        return "".join(self.pieces)

    @property
    def inserted(self) -> str:
        """The text that the splice adds."""
        return "".join(self.pieces[::2])

    @property
    def kept(self) -> str:
        """The text between the inserted pieces, which was there before."""
        return "".join(self.pieces[1::2])


@dataclass(frozen=True)
class Patch:
    """The text that one write added to a document; enough to remove it again."""

    splices: tuple[Splice, ...] = ()
    """In the order of their offsets. Empty if the entries were found in the document."""
    created: tuple[Path, ...] = ()
    """The containers that the patch created; the empty path is the document itself."""
    before: str | None = None
    """The whole text before the patch, if it held no settings."""


@dataclass(frozen=True)
class Batch:
    """The entries that one write inserted, with their patch; the ledger keeps one per write."""

    entries: tuple[Entry, ...]
    """In the order of insertion."""
    patch: Patch = Patch()
    """How to remove all of them by text."""
