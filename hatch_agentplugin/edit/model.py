"""The words that all document editors share: paths, values, records, results and the one error."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Path: TypeAlias = tuple[str, ...]
Op: TypeAlias = "Literal['item', 'key']"


class Missing(enum.Enum):
    """The type of `MISSING`, so that a missing value and a null can be told apart."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


class Found(enum.Enum):
    """What has become of something we inserted."""

    PRESENT = "present"
    """The value stands exactly as we wrote it, whatever its layout is now."""
    CHANGED = "changed"
    """Something of ours is there, with another value: somebody has edited it."""
    ABSENT = "absent"
    """Nothing of ours is there."""


class DocumentError(Exception):
    """A document that we refuse to edit. It has not been changed.

    The message is made of the attributes: ``line 12: reason``.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.reason = reason
        self.line = line
        """Counted from 1; None when the fault has no place."""
        self.column = column
        """Counted from 1, in characters."""


@dataclass(frozen=True)
class Record:
    """One insertion, with all that is needed to take it out again. A line of the ledger."""

    format: str
    """The name of the editor that made it."""
    op: Op
    """`item`: appended to the array at `path`; `key`: set at `path`."""
    path: Path
    """Keys from the root."""
    value: Json
    """What was inserted."""
    pieces: tuple[str, ...]
    """Inserted text, then text that was there before, then inserted text, and so on."""
    owned: tuple[int, ...] = ()
    """Containers that we created, as lengths of `path`; 0 is the document itself."""
    before: str | None = None
    """The whole text of before, where it held no settings."""
    offset: int = field(default=0, compare=False)
    """Where in the text it was inserted: the first place to look, no proof."""

    @property
    def inserted(self) -> str:
        """All the text that we added, without what was there before."""
        return "".join(self.pieces[0::2])

    @property
    def kept(self) -> str:
        """The text between the pieces that was there before."""
        return "".join(self.pieces[1::2])

    def to_json(self) -> dict[str, Json]:
        """Return the record as a JSON object that `from_json` reads."""
        return {
            "format": self.format,
            "op": self.op,
            "path": list(self.path),
            "value": self.value,
            "pieces": list(self.pieces),
            "owned": list(self.owned),
            "before": self.before,
            "offset": self.offset,
        }

    @classmethod
    def from_json(cls, data: Any) -> Record:
        """Read what `to_json` wrote. Raises KeyError, TypeError or ValueError on anything else."""
        if data["op"] not in ("item", "key"):
            raise ValueError(f"unknown operation {data['op']!r}")
        return cls(
            format=str(data["format"]),
            op=data["op"],
            path=tuple(map(str, data["path"])),
            value=data["value"],
            pieces=tuple(map(str, data["pieces"])),
            owned=tuple(map(int, data["owned"])),
            before=None if data["before"] is None else str(data["before"]),
            offset=int(data["offset"]),
        )


@dataclass(frozen=True)
class Edit:
    """The result of an insertion."""

    data: bytes
    """The whole new document."""
    record: Record
    """What to keep in order to take the insertion out again."""


class Editor(Protocol):
    """Edits one kind of document. Bytes in, bytes out; knows no disk.

    Every method raises `DocumentError` for a document that cannot be edited safely.
    """

    def insert_item(self, data: bytes, at: Path, value: Json) -> Edit:
        """Append `value` to the array at `at`; what is missing on the way is created."""

    def insert_key(self, data: bytes, at: Path, value: Json) -> Edit:
        """Set the key `at`, which must not exist; what is missing on the way is created."""

    def find(self, data: bytes, record: Record) -> Found:
        """Say whether the insertion of `record` still stands."""

    def remove(self, data: bytes, record: Record) -> bytes:
        """Take the insertion out. A changed or absent one leaves the data as it is."""

    def undo(self, data: bytes, record: Record) -> bytes | None:
        """Return the bytes from which inserting again gives `data`; None if there are none."""

    def get(self, data: bytes, at: Path) -> Json | Missing:
        """Return the parsed value at `at`, or `MISSING`."""

    def line_of(self, data: bytes, at: Path, number: int) -> int | None:
        """Return the line of an item of the array at `at`; None where the editor can't tell."""
