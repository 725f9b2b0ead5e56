"""Find the positions of statements in TOML text, and track them while entries are inserted.

The text is cut after each statement's last line. New statements are pieces between the old ones,
so no insertion moves anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from hatch_agentplugin.edit.lines import BOM, indent_of, newline_of
from hatch_agentplugin.edit.model import Path, Splice
from hatch_agentplugin.edit.toml_reader import statements
from hatch_agentplugin.edit.toml_writer import Inline


class Piece:
    """A part of the text, up to the end of a statement's line."""

    __slots__ = ("following", "indent", "inline", "is_new", "section", "start", "text")

    def __init__(self, text: str, start: int, is_new: bool, section: Path = ()) -> None:
        self.text = text
        self.start = start
        """Where it begins in the old text; for a new piece, no offset."""
        self.is_new = is_new
        self.section = section
        """The table of its last statement."""
        self.indent = ""
        self.inline: Inline | None = None
        """The new elements of a value in brackets that the piece holds."""
        self.following: Piece | None = None

    def insert_after(self, text: str, section: Path = ()) -> Piece:
        """Insert a new piece behind this one and return it."""
        piece = Piece(text, -1, True, section)
        piece.following = self.following
        self.following = piece
        return piece


class Outline:
    """The pieces of a text, and for each table and key the piece to insert after."""

    def __init__(self, text: str) -> None:
        self.newline = newline_of(text)
        """The line end that the text uses."""
        self.is_blank = not text.strip(BOM + " \t\r\n")
        """Whether the old text is nothing but white space."""
        self._ending = "" if self.is_blank or text.endswith("\n") else self.newline
        """The line end that the last line lacks; added while we work."""
        self.text = text + self._ending
        """The old text, with a line end after its last line."""
        head = 1 if text.startswith(BOM) else 0
        self.head = Piece(text[:head], 0, False)
        """The piece that new statements at the top go after."""
        self.has_statements = False
        """Whether the text holds a header or a pair, new ones included."""
        self.last_below: dict[Path, Piece] = {}
        """For each table, the last piece that belongs to it or to a table inside."""
        self.last_of: dict[Path, Piece] = {}
        """For each table, the last piece that belongs to it alone."""
        self.last_dotted: dict[Path, Piece] = {}
        """For each table written as dotted keys of another one, its last piece."""
        self.pairs: dict[Path, tuple[Piece, int]] = {}
        """For each pair, its piece and the offset of the value in it."""
        self.end = self._read(head)
        """The last piece of the old text, which new statements at the end go after."""

    def _read(self, at: int) -> Piece:
        last = self.head
        for statement in statements(self.text):
            piece = Piece(self.text[at : statement.line_end], at, False, statement.section)
            piece.indent = indent_of(self.text, statement.start)
            last.following = piece
            self.register(piece)
            if statement.kind == "pair":
                self.register_pair(piece, statement.path, statement.value - at)
            last, at = piece, statement.line_end
        if at < len(self.text):
            last.following = Piece(self.text[at:], at, False)
            last = last.following
        return last

    def register(self, piece: Piece) -> None:
        """Register a piece that is the last one so far."""
        self.has_statements = True
        self.last_of[piece.section] = piece
        for length in range(1, len(piece.section) + 1):
            self.last_below[piece.section[:length]] = piece

    def register_after(self, near: Piece, piece: Piece) -> None:
        """Register a new piece that follows `near`: it now ends the tables that ended there."""
        _follow(self.last_of, piece.section, near, piece)
        for length in range(1, len(piece.section) + 1):
            _follow(self.last_below, piece.section[:length], near, piece)

    def register_pair(
        self, piece: Piece, path: Path, value: int, near: Piece | None = None
    ) -> None:
        """Register a key and value that end a piece; `near` is the piece before it, if any."""
        self.pairs.setdefault(path, (piece, value))
        for length in range(len(piece.section) + 1, len(path)):
            if near is None:
                self.last_dotted[path[:length]] = piece
            else:
                _follow(self.last_dotted, path[:length], near, piece)

    def last(self) -> Piece:
        """Return the last piece."""
        while self.end.following is not None:
            self.end = self.end.following
        return self.end

    def ends_with_blank_line(self) -> bool:
        """Return whether the text now ends with a blank line."""
        last = self.last()
        return (last.text if last.is_new else self.text).endswith(("\n\n", "\n\r\n"))

    def splices(self) -> list[Splice]:
        """Return the insertions made, in the order of their offsets."""
        merged: dict[int, str] = {}
        for offset, text in self._inserted():
            merged[offset] = merged.get(offset, "") + text
        size = len(self.text) - len(self._ending)
        if self._ending and (tail := merged.pop(len(self.text), "")):
            merged[size] = (self._ending + tail)[: -len(self._ending)]
        return [Splice(offset, (text,)) for offset, text in merged.items()]

    def _inserted(self) -> Iterator[tuple[int, str]]:
        at, piece = 0, self.head
        while piece is not None:
            if piece.is_new:
                text = piece.text if piece.inline is None else piece.inline.applied(piece.text)
                yield at, text
            else:
                if piece.inline is not None and (text := piece.inline.inserted()):
                    yield at + piece.inline.at, text
                at += len(piece.text)
            piece = piece.following  # type: ignore[assignment]


def _follow(lasts: dict[Path, Piece], table: Path, near: Piece, piece: Piece) -> None:
    if lasts.get(table) in (None, near):
        lasts[table] = piece
