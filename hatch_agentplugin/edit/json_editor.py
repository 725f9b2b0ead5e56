"""The editor for JSON and for JSON with comments: one reader and one writer for both."""

from __future__ import annotations

from collections.abc import Iterator

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.json_reader import Container, Source, read
from hatch_agentplugin.edit.json_writer import document_style, fits_one_line, style_at
from hatch_agentplugin.edit.lines import BOM, decode, error_at, indent_of, starts_line
from hatch_agentplugin.edit.model import Json, Op, Path, Record
from hatch_agentplugin.edit.structured import Splice, StructuredEditor

#: From which size on, in characters, reading only a part of a document is worth the effort.
_WORTH_SPARING = 100_000


class JsonEditor(StructuredEditor[Source]):
    """Edits JSON. Comments and trailing commas are taken in both formats: users have them."""

    def __init__(self, name: str) -> None:
        """Make the editor for the format `name`, which its records carry."""
        super().__init__()
        self.format = name

    def _read(self, text: str) -> Source:
        return read(text)

    def _changed(self, document: Source, start: int, end: int, new: str) -> Source:
        if len(document.text) >= _WORTH_SPARING:
            from hatch_agentplugin.edit.json_change import changed

            made = changed(document, start, end, new)
            if made is not None:
                self._recent.append(made)
                return made
        return super()._changed(document, start, end, new)

    def _keeps_comments(self, before: Source, after: Source) -> bool:
        # A comma that moves to the end of a line comment would pass all other tests.
        return before.remarks() == after.remarks()

    def _place(self, source: Source, op: Op, path: Path, depth: int, value: Json) -> Splice:
        key = path[depth] if depth < len(path) else None
        content = value if key is None else values.nested(op, path[depth + 1 :], value)
        if source.start is None:
            return _document(source.text, {str(key): content})
        containers = source.walk(path[:depth])
        if containers[-1].entries:
            return _append(source, containers, key, content)
        return _fill(source, containers, key, content)

    def _where(self, source: Source, path: Path) -> int:
        if source.start is None or not path:
            return source.start or 0
        parent = source.walk(path[:-1])[-1]
        index = parent.last(path[-1])
        return source.start if index is None else parent.entries[index].start

    def line_of(self, data: bytes, at: Path, number: int) -> int | None:
        """See `Editor.line_of`."""
        source = self._document(decode(data))
        containers = source.walk(at) if source.start is not None else []
        if len(containers) <= len(at) or number >= len(containers[-1].entries):
            return None
        return error_at(source.text, containers[-1].entries[number].start, "").line

    def _spots(self, source: Source, record: Record) -> Iterator[int]:
        if source.start is None:
            return
        whole = "".join(record.pieces)
        # The first character of an entry, so that commas and white space before it can be told.
        lead = len(whole) - len(record.pieces[-1].lstrip(", \t\r\n"))
        for container in reversed(source.walk(record.path)):
            for entry in reversed(container.entries):
                yield entry.start - lead
        yield source.start - lead

    def _cut(self, source: Source, record: Record) -> str:
        steps = record.path if record.op == "item" else record.path[:-1]
        container = source.walk(steps)[-1]
        if record.op == "item":
            index: int | None = values.indexes(source.root, record)[0]
        else:
            index = container.last(record.path[-1])
        assert index is not None
        return _cut_entry(source, container, index)

    def _prune(self, source: Source, record: Record) -> str:
        for length in sorted(record.owned, reverse=True):
            if source.start is None:
                break
            containers = source.walk(record.path[:length])
            if len(containers) <= length or not _is_hollow(source, containers[-1]):
                break
            if length == 0:
                return _without_root(source, record)
            index = containers[-2].last(record.path[length - 1])
            assert index is not None
            source = read(_cut_entry(source, containers[-2], index))
        return source.text


def _cut_entry(source: Source, container: Container, index: int) -> str:
    # In the function: most of the time nothing is taken out, or the very text that we inserted.
    from hatch_agentplugin.edit.json_removal import cut_entry

    return cut_entry(source, container, index)


def _is_hollow(source: Source, container: Container) -> bool:
    return not source.text[container.start + 1 : container.end - 1].strip(" \t\r\n")


def _without_root(source: Source, record: Record) -> str:
    """Return the text of before, unless more than the root object has come since."""
    assert source.start is not None
    end = source.container(source.start).end
    rest, before = source.text[: source.start] + source.text[end:], record.before or ""
    return before if rest.strip(BOM).split() == before.strip(BOM).split() else rest


def _document(text: str, content: Json) -> Splice:
    """Write a whole document behind `text`, which is white space and comments or nothing."""
    style = document_style(text)
    lead = "" if text.endswith(("\n", "\r")) or text in ("", BOM) else style.newline
    return Splice(len(text), (lead + style.render(content, "") + style.newline,), blank=True)


def _append(source: Source, containers: list[Container], key: str | None, content: Json) -> Splice:
    """Insert after the last entry of a container that has some."""
    text, here = source.text, containers[-1]
    last, style = here.entries[-1], style_at(source, containers)
    comma = source.bare.find(",", last.end, here.end - 1)
    if not starts_line(text, last.start):
        item = style.member(key, content, None)
        if comma == -1:
            return Splice(last.end, (style.comma + item,))
        return Splice(comma + 1, (style.comma.lstrip()[1:] + item + ",",))
    indent = indent_of(text, last.start)
    one_line = fits_one_line(source, here, content, key is not None)
    line = style.newline + indent + style.member(key, content, None if one_line else indent)
    if comma != -1:
        return Splice(_after_comments(source, comma + 1, here.end - 1), (line + ",",))
    place = _after_comments(source, last.end, here.end - 1)
    if place == last.end:
        return Splice(place, ("," + line,))
    return Splice(last.end, (",", text[last.end : place], line))


def _after_comments(source: Source, at: int, end: int) -> int:
    """Return the end of the comments that follow `at` on its line: they belong to what is there."""
    for left, right in source.comments_in(at, end):
        if source.text[at:left].strip(" \t"):
            break
        at = right
    return at


def _fill(source: Source, containers: list[Container], key: str | None, content: Json) -> Splice:
    """Insert into an empty container, behind the comments in it."""
    text, here, style = source.text, containers[-1], style_at(source, containers)
    inner = text[here.start + 1 : here.end - 1]
    comments = source.comments_in(here.start, here.end)
    if _is_in_line(source, containers) and "\n" not in inner and "\r" not in inner:
        item = style.member(key, content, None)
        if comments:
            return Splice(comments[-1][1], (" " + item,))
        pad = style.bracket if key is None else style.brace
        return Splice(here.start + 1, (inner + item if inner else pad + item + pad,))
    place = comments[-1][1] if comments else here.start + 1
    outer = indent_of(text, here.start)
    indent = outer + style.unit
    line = style.newline + indent + style.member(key, content, indent)
    rest = text[place : here.end - 1]
    return Splice(place, (line if "\n" in rest or "\r" in rest else line + style.newline + outer,))


def _is_in_line(source: Source, containers: list[Container]) -> bool:
    """Tell whether the last container stands on one line with its neighbours."""
    if len(containers) < 2:
        return False
    parent, here = containers[-2:]
    entry = next(entry for entry in parent.entries if entry.value == here.start)
    return not starts_line(source.text, entry.start)
