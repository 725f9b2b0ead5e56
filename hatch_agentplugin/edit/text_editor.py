"""The editor for plain text: a block of lines at the end, set off by a blank line."""

from __future__ import annotations

from hatch_agentplugin.edit.lines import BOM, decode, newline_of
from hatch_agentplugin.edit.model import (
    MISSING,
    DocumentError,
    Edit,
    Found,
    Json,
    Missing,
    Path,
    Record,
)


class TextEditor:
    """Appends blocks to text. The key of a block is in the ledger only, never in the text."""

    format = "text"

    def insert_item(self, data: bytes, at: Path, value: Json) -> Edit:
        """Refuse: text has no arrays."""
        raise DocumentError("a text file has no arrays to append to")

    def insert_key(self, data: bytes, at: Path, value: Json) -> Edit:
        """Append the text `value` as a block of lines. Raises DocumentError if it is blank."""
        text = decode(data)
        if not isinstance(value, str) or not value.strip():
            raise DocumentError("only a text that is not blank can be appended to a text file")
        newline = newline_of(text)
        block = newline.join(value.strip("\r\n").splitlines())
        if not text.strip(BOM + " \t\r\n"):
            piece = block + newline
        elif text.endswith(("\n", "\r")):
            ends_blank = text.endswith((newline * 2, "\n\n"))
            piece = ("" if ends_blank else newline) + block + newline
        else:
            piece = newline * 2 + block  # no last line end before, none after
        record = Record("text", "key", at, value, (piece,), offset=len(text))
        return Edit((text + piece).encode(), record)

    def find(self, data: bytes, record: Record) -> Found:
        """Say whether the block stands; one whose first line alone stands has been changed."""
        text = decode(data)
        if _block_at(text, record) is not None:
            return Found.PRESENT
        first = next(line.strip() for line in record.inserted.splitlines() if line.strip())
        stands = any(line.strip() == first for line in text.splitlines())
        return Found.CHANGED if stands else Found.ABSENT

    def remove(self, data: bytes, record: Record) -> bytes:
        """Take the block out, with one blank line if others have come to stand around it."""
        text = decode(data)
        whole = record.inserted
        for offset in (record.offset, text.rfind(whole)):
            if offset >= 0 and _is_lines(text, whole, offset):
                return (text[:offset] + text[offset + len(whole) :]).encode()
        place = _block_at(text, record)
        if place is None:
            return data
        start, end = place
        newline = newline_of(text)
        if text.startswith(newline, end):
            end += len(newline)
        if text.endswith(newline * 2, 0, start):
            start -= len(newline)
        return (text[:start] + text[end:]).encode()

    def undo(self, data: bytes, record: Record) -> bytes | None:
        """See `Editor.undo`."""
        text = decode(data)
        if not text.endswith(record.inserted):
            return None
        before = text[: len(text) - len(record.inserted)].encode()
        return before if self.insert_key(before, record.path, record.value).data == data else None

    def get(self, data: bytes, at: Path) -> Json | Missing:
        """Return MISSING: text has no keys."""
        decode(data)
        return MISSING

    def line_of(self, data: bytes, at: Path, number: int) -> int | None:
        """Return None: text has no arrays."""
        return None


def _is_lines(text: str, whole: str, offset: int) -> bool:
    """Tell whether `whole` stands at `offset` and is not the middle of a longer line."""
    end = offset + len(whole)
    starts = offset == 0 or whole[0] in "\r\n" or text[offset - 1] in "\r\n" + BOM
    ends = end == len(text) or whole[-1] in "\r\n" or text[end] in "\r\n"
    return text.startswith(whole, offset) and starts and ends


def _block_at(text: str, record: Record) -> tuple[int, int] | None:
    """Find the lines of the block, whatever line ends they have now."""
    lines = record.inserted.strip("\r\n").splitlines()
    for newline in ("\n", "\r\n", "\r"):
        block = newline.join(lines)
        offset = text.rfind(block)
        while offset != -1:
            if _is_lines(text, block, offset):
                return offset, offset + len(block)
            offset = text.rfind(block, 0, offset)
    return None
