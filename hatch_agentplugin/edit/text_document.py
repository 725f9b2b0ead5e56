"""Edit plain text: blocks of lines at the end, set off by a blank line.

The path of a block is in the ledger only, never in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.lines import BOM, newline_of
from hatch_agentplugin.edit.model import DocumentError, Entry, Found, Path, Splice


@dataclass(frozen=True)
class TextDocument(Document):
    """A text without structure: its value is always empty."""

    has_tree = False

    @classmethod
    def parse(cls, text: str) -> TextDocument:
        """See `Document.parse`."""
        return cls(text, {})

    @property
    def is_blank(self) -> bool:
        """Return False: a text has no containers that could be ours."""
        return False

    def offset_of(self, path: Path) -> int:
        """See `Document.offset_of`."""
        return 0

    def find(self, entry: Entry) -> Found:
        """Return the state of a block. It is changed if only its first line is left."""
        if self._block(entry) is not None:
            return Found.PRESENT
        first = next((line.strip() for line in _lines(entry) if line.strip()), "")
        stands = any(line.strip() == first for line in self.text.splitlines())
        return Found.CHANGED if stands else Found.ABSENT

    def accepts(self, start: int, end: int) -> bool:
        """Return whether a range begins and ends at line ends."""
        text = self.text
        starts = start == 0 or text[start - 1] in "\r\n" + BOM or text[start] in "\r\n"
        ends = end == len(text) or text[end] in "\r\n" or text[end - 1] in "\r\n"
        return starts and ends

    def place(self, entries: Sequence[tuple[Entry, int]]) -> list[Splice]:
        """See `Document.place`."""
        newline, tail = newline_of(self.text), self.text
        pieces: list[str] = []
        for entry, _ in entries:
            if entry.op == "item":
                raise DocumentError("a text file has no arrays to append to")
            block = newline.join(_lines(entry))
            if not block.strip():
                raise DocumentError("only a text that is not blank can be appended to a text file")
            if not tail.strip(BOM + " \t\r\n"):
                starts_line = tail in ("", BOM) or tail.endswith(("\n", "\r"))
                piece = ("" if starts_line else newline) + block + newline
            elif tail.endswith(("\n", "\r")):
                gap = "" if tail.endswith((newline * 2, "\n\n")) else newline
                piece = gap + block + newline
            else:
                piece = newline * 2 + block  # No last line end before, none after.
            pieces.append(piece)
            tail = piece
        return [Splice(len(self.text), ("".join(pieces),))]

    def without_entry(self, entry: Entry) -> str:
        """Return the text without a block, and with one blank line where it stood."""
        place = self._block(entry)
        assert place is not None
        start, end = place
        newline = newline_of(self.text)
        if self.text.startswith(newline, end):
            end += len(newline)
        if self.text.endswith(newline * 2, 0, start):
            start -= len(newline)
        return self.text[:start] + self.text[end:]

    def without_empty(self, path: Path, before: str | None) -> str:
        """See `Document.without_empty`."""
        return self.text

    def count(self, entry: Entry) -> int:
        """Return how often a block stands in the text."""
        return sum(1 for _ in self._blocks(entry))

    def _block(self, entry: Entry) -> tuple[int, int] | None:
        """Return where the last block with the lines of `entry` stands."""
        return next(self._blocks(entry), None)

    def _blocks(self, entry: Entry) -> Iterator[tuple[int, int]]:
        """Yield where the lines of `entry` stand, whatever their line ends; the last one first."""
        lines = _lines(entry)
        for block in dict.fromkeys(newline.join(lines) for newline in ("\n", "\r\n", "\r")):
            offset = self.text.rfind(block) if block else -1
            while offset != -1:
                if self.accepts(offset, offset + len(block)):
                    yield offset, offset + len(block)
                offset = self.text.rfind(block, 0, offset)


def _lines(entry: Entry) -> list[str]:
    value = entry.value
    return value.strip("\r\n").splitlines() if isinstance(value, str) else []
