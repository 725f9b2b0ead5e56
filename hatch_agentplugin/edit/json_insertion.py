"""Place new entries in JSON text, with the commas and line breaks that they need."""

from __future__ import annotations

from dataclasses import dataclass

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.json_outline import Container, Member, Outline
from hatch_agentplugin.edit.json_writer import Style, document_style, fits_one_line, style_at
from hatch_agentplugin.edit.lines import BOM, indent_of, starts_line
from hatch_agentplugin.edit.model import Entry, Json, Splice


@dataclass(frozen=True)
class _Text:
    """A new entry as text, with the text before and after it."""

    lead: str
    key: str
    value: str
    tail: str = ""

    def piece(self) -> str:
        return self.lead + self.key + self.value + self.tail

    def member(self, start: int) -> Member:
        """Return the entry's offsets in the new text; the piece begins at `start`."""
        begin = start + len(self.lead)
        value = begin + len(self.key)
        return Member(begin, value, value + len(self.value))


def insert_entry(outline: Outline, entry: Entry, depth: int) -> Splice:
    """Insert an entry into the outline, where `depth` keys of its path exist.

    Returns the splice, with its offset in the text of just before.
    """
    path = entry.path
    key = path[depth] if depth < len(path) else None
    content = entry.value
    if key is not None:
        content = values.nested(entry.op, path[depth + 1 :], content)
    if outline.start is None:
        return _begin(outline, {str(key): content})
    containers = outline.walk(path[:depth])
    place = _append if len(containers[-1]) else _fill
    at, before, text = place(outline, containers, key, content)
    splice = Splice(at, (*before, text.piece()))
    outline.insert(containers, splice, key, text.member(at + sum(map(len, before))))
    return splice


def _begin(outline: Outline, content: Json) -> Splice:
    """Write a whole document after a text of white space and comments, or nothing."""
    text = outline.text
    style = document_style(text)
    lead = "" if text.endswith(("\n", "\r")) or text in ("", BOM) else style.newline
    splice = Splice(len(text), (lead + style.render(content, "") + style.newline,))
    outline.begin(splice, len(text) + len(lead))
    return splice


#: An offset, the pieces before the last one, and the last one.
_Placed = tuple[int, tuple[str, ...], _Text]


def _append(
    outline: Outline, containers: list[Container], key: str | None, content: Json
) -> _Placed:
    """Place an entry after the last one of a container."""
    text, here = outline.text, containers[-1]
    last, style = here[-1], style_at(outline, containers)
    comma = outline.bare.find(",", last.end, here.end - 1)
    if not starts_line(text, last.start):
        if comma == -1:
            return last.end, (), _text(style, style.comma, key, content, None)
        lead = style.comma.lstrip()[1:]
        return comma + 1, (), _text(style, lead, key, content, None, ",")
    indent = indent_of(text, last.start)
    lead = style.newline + indent
    inner = None if fits_one_line(outline, here, content, key is not None) else indent
    if comma != -1:
        place = _after_comments(outline, comma + 1, here.end - 1)
        return place, (), _text(style, lead, key, content, inner, ",")
    place = _after_comments(outline, last.end, here.end - 1)
    if place == last.end:
        return place, (), _text(style, "," + lead, key, content, inner)
    return last.end, (",", text[last.end : place]), _text(style, lead, key, content, inner)


def _text(
    style: Style, lead: str, key: str | None, value: Json, indent: str | None, tail: str = ""
) -> _Text:
    return _Text(lead, style.key(key), style.render(value, indent), tail)


def _after_comments(outline: Outline, at: int, end: int) -> int:
    """Return the end of the comments after `at` on its line; they belong to the entry before."""
    for left, right in outline.comments_in(at, end):
        if outline.text[at:left].strip(" \t"):
            break
        at = right
    return at


def _fill(outline: Outline, containers: list[Container], key: str | None, content: Json) -> _Placed:
    """Place an entry in an empty container, after the comments in it."""
    text, here, style = outline.text, containers[-1], style_at(outline, containers)
    inner = text[here.start + 1 : here.end - 1]
    comments = outline.comments_in(here.start, here.end)
    if _is_in_line(outline, containers) and "\n" not in inner and "\r" not in inner:
        if comments:
            return comments[-1][1], (), _text(style, " ", key, content, None)
        pad = style.bracket if key is None else style.brace
        lead, tail = (inner, "") if inner else (pad, pad)
        return here.start + 1, (), _text(style, lead, key, content, None, tail)
    place = comments[-1][1] if comments else here.start + 1
    outer = indent_of(text, here.start)
    indent = outer + style.unit
    rest = text[place : here.end - 1]
    tail = "" if "\n" in rest or "\r" in rest else style.newline + outer
    return place, (), _text(style, style.newline + indent, key, content, indent, tail)


def _is_in_line(outline: Outline, containers: list[Container]) -> bool:
    """Return whether the last container shares its line with its neighbours."""
    if len(containers) < 2:
        return False
    parent, here = containers[-2:]
    return not starts_line(outline.text, parent[here.index].start)
