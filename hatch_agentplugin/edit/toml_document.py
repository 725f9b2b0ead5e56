"""Edit TOML: tables and arrays of tables as blocks of lines, the rest in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.lines import BOM, line_start
from hatch_agentplugin.edit.model import DocumentError, Entry, Json, Path, Splice
from hatch_agentplugin.edit.toml_outline import Outline, Piece
from hatch_agentplugin.edit.toml_reader import Statement, elements, parse, statements
from hatch_agentplugin.edit.toml_writer import Inline, write, write_key, write_table
from hatch_agentplugin.edit.values import dotted, last_index, look_up


@dataclass(frozen=True)
class TomlDocument(Document):
    """A TOML document."""

    @classmethod
    def parse(cls, text: str) -> TomlDocument:
        """See `Document.parse`."""
        return cls(text, parse(text))

    @property
    def is_blank(self) -> bool:
        """See `Document.is_blank`. A text of comments is not blank: new text goes around them."""
        return not self.text.strip(BOM + " \t\r\n")

    def offset_of(self, path: Path) -> int:
        """See `Document.offset_of`."""
        return next((s.start for s in statements(self.text) if _is_below(s, path)), 0)

    def place(self, entries: Sequence[tuple[Entry, int]]) -> list[Splice]:
        """See `Document.place`."""
        outline = Outline(self.text)
        for entry, depth in entries:
            insert_entry(outline, entry, depth)
        return outline.splices()

    def without_entry(self, entry: Entry) -> str:
        """See `Document.without_entry`."""
        found = statements(self.text)
        if entry.op == "key":
            group = [s for s in found if _is_below(s, entry.path)]
        else:
            index = last_index(look_up(self.root, entry.path), entry.value)  # type: ignore[arg-type]
            pair = next((s for s in found if s.kind == "pair" and s.path == entry.path), None)
            if pair is not None:
                return cut_element(self.text, pair.value, index)
            group = _table_of_array(found, entry.path, index)
        if not group:
            raise DocumentError(f"cannot find {dotted(entry.path)} in the text; remove it by hand")
        return cut_statements(self.text, group)

    def without_empty(self, path: Path, before: str | None) -> str:
        """See `Document.without_empty`. A table with a comment in it stays."""
        if not path:
            return before if self.is_blank and before is not None else self.text
        found = statements(self.text)
        group = [s for s in found if _is_below(s, path)]
        if not group:
            return self.text
        end = next((s.start for s in found if s.start > group[-1].start), len(self.text))
        if "#" in self.text[group[0].start : end]:
            return self.text
        return cut_statements(self.text, group)


def _is_below(statement: Statement, path: Path) -> bool:
    return statement.path[: len(path)] == path


def _table_of_array(found: list[Statement], path: Path, index: int) -> list[Statement]:
    """Return the statements of one table of an array of tables."""
    heads = [i for i, s in enumerate(found) if s.kind == "array" and s.path == path]
    if index >= len(heads):
        return []
    group = [found[heads[index]]]
    for statement in found[heads[index] + 1 :]:
        is_inner = statement.section[: len(path)] == path
        if not is_inner or (statement.kind == "array" and statement.path == path):
            break
        group.append(statement)
    return group


def cut_statements(text: str, group: list[Statement]) -> str:
    """Return the text without whole statements, but with all comments.

    One of the blank lines around a removed header stays.
    """
    for statement in reversed(group):
        start, end = line_start(text, statement.start), statement.line_end
        comment = text[statement.end : end]
        if comment.strip():
            end -= len(comment.lstrip())
        if statement.kind != "pair":
            for blank in ("\r\n\r\n", "\n\n"):
                if text.endswith(blank, 0, start):
                    start -= len(blank) // 2
                    break
            if text[:start].strip(BOM) in ("\n", "\r\n"):  # A blank line before everything else.
                start = len(BOM) if text.startswith(BOM) else 0
        text = text[:start] + text[end:]
    return text


def cut_element(text: str, start: int, index: int) -> str:
    """Return the text without one element of the array at `start`, and one comma less."""
    spans, comma, _ = elements(text, start)
    left, right = spans[index]
    if index + 1 < len(spans):
        following = spans[index + 1][0]
        if "#" in text[right:following]:
            at = text.index(",", right, following)
            return text[:left] + text[right:at] + text[at + 1 :]
        return text[:left] + text[following:]
    if comma is not None:
        lead = len(text[:left].rstrip(" \t\r\n"))
        safe = "#" not in text[line_start(text, lead) : lead]
        return text[: lead if safe else left] + text[right:comma] + text[comma + 1 :]
    if index == 0:
        return text[:left] + text[right:]
    previous = spans[index - 1][1]
    if "#" in text[previous:left]:
        at = text.index(",", previous)
        return text[:at] + text[at + 1 : left] + text[right:]
    return text[:previous] + text[right:]


def insert_entry(outline: Outline, entry: Entry, depth: int) -> None:
    """Insert an entry into the outline, where `depth` keys of its path exist.

    Raises DocumentError if an inline table is in the way or TOML cannot express the value.
    """
    path, value = entry.path, entry.value
    for length in range(1, depth + 1):
        if path[:length] in outline.pairs:
            _insert_inline(outline, path[:length], entry, depth)
            return
    if isinstance(value, dict):
        lines = write_table(path, value, entry.op == "item")
        _insert_block(outline, path, outline.newline.join(lines))
    else:
        _insert_pair(outline, path, [value] if entry.op == "item" else value)


def _insert_inline(outline: Outline, holder: Path, entry: Entry, depth: int) -> None:
    name, rest = values.dotted(holder), entry.path[depth:]
    if len(holder) < depth:
        raise DocumentError(f"{name} is an inline table")
    piece, start = outline.pairs[holder]
    if piece.inline is None:
        piece.inline = Inline(piece.text, start, name)
    item = write(entry.value)
    if rest:
        item = f"{write_key(rest[:1])} = {write(values.nested(entry.op, rest[1:], entry.value))}"
    piece.inline.append(item)


def _insert_block(outline: Outline, path: Path, body: str) -> Piece:
    """Insert a table after the tables nearest to `path`, or at the end of the file."""
    body, newline = body + outline.newline, outline.newline
    near = next(
        (
            outline.last_below[path[:length]]
            for length in range(len(path), 0, -1)
            if path[:length] in outline.last_below
        ),
        None,
    )
    if near is not None:
        piece = near.insert_after(newline + body, path)
        outline.last_of[path] = piece
        outline.register_after(near, piece)
        return piece
    is_first = outline.is_blank and not outline.has_statements
    gap = "" if is_first or outline.ends_with_blank_line() else newline
    piece = outline.last().insert_after(gap + body, path)
    outline.register(piece)
    return piece


def _insert_pair(outline: Outline, path: Path, value: Json) -> None:
    """Insert a key under the table that it belongs to."""
    parent, newline = path[:-1], outline.newline
    near = outline.last_of.get(parent) or outline.last_dotted.get(parent)
    if near is not None:
        lead = f"{near.indent}{write_key(path[len(near.section) :])} = "
        piece = near.insert_after(lead + write(value) + newline, near.section)
        piece.indent = near.indent
        outline.register_after(near, piece)
    elif parent:
        lead = f"[{write_key(parent)}]{newline}{write_key(path[-1:])} = "
        piece = _insert_block(outline, parent, lead + write(value))
        lead = piece.text[: piece.text.index(lead) + len(lead)]
    else:
        piece, lead = _insert_at_top(outline, path, value)
    outline.register_pair(piece, path, len(lead), near)


def _insert_at_top(outline: Outline, path: Path, value: Json) -> tuple[Piece, str]:
    """Insert the first pair outside all tables. Return its piece and the text before its value."""
    lead = f"{write_key(path)} = "
    line = lead + write(value) + outline.newline
    if outline.is_blank and not outline.has_statements:
        piece = outline.last().insert_after(line)
    else:
        if outline.has_statements:
            outline.head.insert_after(outline.newline)
        piece = outline.head.insert_after(line)
    outline.register(piece)
    return piece, lead
