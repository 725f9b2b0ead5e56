"""Place new entries in TOML text: tables as blocks of lines, pairs under their table."""

from __future__ import annotations

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.model import DocumentError, Entry, Json, Path
from hatch_agentplugin.edit.toml_inline import Inline
from hatch_agentplugin.edit.toml_outline import Outline, Piece
from hatch_agentplugin.edit.toml_writer import write, write_key, write_table


def insert_entry(outline: Outline, entry: Entry, depth: int) -> None:
    """Insert an entry into the outline, where `depth` keys of its path exist.

    Raises DocumentError if an inline table is in the way or TOML cannot say the value.
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
    """Insert the first pair outside of all tables. Return its piece and what leads to the value."""
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
