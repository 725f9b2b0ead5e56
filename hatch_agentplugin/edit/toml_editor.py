"""The editor for TOML: statements say where things stand, the text is edited by whole lines."""

from __future__ import annotations

from collections.abc import Iterator

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.lines import (
    BOM,
    indent_of,
    line_start,
    newline_of,
    occurrences,
    starts_line,
)
from hatch_agentplugin.edit.model import DocumentError, Json, Op, Path, Record
from hatch_agentplugin.edit.structured import Splice, StructuredEditor
from hatch_agentplugin.edit.toml_reader import Source, Statement, elements, read
from hatch_agentplugin.edit.toml_writer import write, write_key, write_table


class TomlEditor(StructuredEditor[Source]):
    """Edits TOML: tables and arrays of tables as blocks of lines, the rest in place."""

    format = "toml"

    def _read(self, text: str) -> Source:
        return read(text)

    def _place(self, document: Source, op: Op, path: Path, depth: int, value: Json) -> Splice:
        text, found = document.text, document.statements()
        inline = [s for s in found if s.kind == "pair" and s.path == path[: len(s.path)]]
        holder = next((s for s in inline if len(s.path) <= depth), None)
        if holder is not None:
            if len(holder.path) < depth:
                raise DocumentError(f"{values.dotted(holder.path)} is an inline table")
            return _in_line(text, holder, path[depth:], op, value)
        if op == "item" and not isinstance(value, dict):
            op, value = "key", [value]
        if isinstance(value, dict):
            lines = list(write_table(path, value, op == "item"))
            return _block(text, _after_siblings(text, found, path), lines)
        return _pair(text, found, path, write(value))

    def _where(self, document: Source, path: Path) -> int:
        found = document.statements()
        return next((s.start for s in found if s.path[: len(path)] == path), 0)

    def _spots(self, document: Source, record: Record) -> Iterator[int]:
        return occurrences(document.text, "".join(record.pieces))

    def _cut(self, document: Source, record: Record) -> str:
        text, found = document.text, document.statements()
        if record.op == "key":
            return _cut_statements(text, _below(found, record.path))
        index = values.indexes(document.root, record)[0]
        pair = next((s for s in found if s.kind == "pair" and s.path == record.path), None)
        if pair is not None:
            return _cut_element(text, pair.value, index)
        heads = [i for i, s in enumerate(found) if s.kind == "array" and s.path == record.path]
        if index >= len(heads):
            return text
        group = [found[heads[index]]]
        for statement in found[heads[index] + 1 :]:
            is_inner = statement.section[: len(record.path)] == record.path
            if not is_inner or (statement.kind == "array" and statement.path == record.path):
                break
            group.append(statement)
        return _cut_statements(text, group)

    def _prune(self, document: Source, record: Record) -> str:
        text = document.text
        for length in sorted(record.owned, reverse=True):
            path, document = record.path[:length], read(text)
            root, found = document.root, document.statements()
            if length == 0:
                blank = not text.strip(BOM + " \t\r\n")
                return record.before if blank and record.before is not None else text
            below = _below(found, path)
            if values.look_up(root, path) not in ({}, []) or not below:
                continue
            following = next((s.start for s in found if s.start > below[-1].start), len(text))
            if "#" in text[below[0].start : following]:
                break
            text = _cut_statements(text, below)
        return text


def _block(text: str, place: int, lines: list[str]) -> Splice:
    """Insert a table as lines of its own, set off by a blank line."""
    newline = newline_of(text)
    body = newline.join(lines)
    if not text[:place].strip(BOM + " \t\r\n"):
        blank = not text.strip(BOM + " \t\r\n")
        return Splice(len(text) if blank else place, (body + newline,), blank)
    if not text.endswith("\n", 0, place):
        return Splice(place, (newline * 2 + body,))  # no last line end before, none after
    gap = "" if text.endswith(("\n\n", "\n\r\n"), 0, place) else newline
    return Splice(place, (gap + body + newline,))


def _after_siblings(text: str, found: list[Statement], path: Path) -> int:
    """Return the place behind the tables nearest to `path`, or the end of the file."""
    for length in range(len(path), 0, -1):
        last = None
        for statement in found:
            if statement.section and statement.section[:length] == path[:length]:
                last = statement
        if last is not None:
            return last.line_end
    return len(text)


def _pair(text: str, found: list[Statement], path: Path, value: str) -> Splice:
    """Insert a key under the table that it belongs to."""
    parent, newline = path[:-1], newline_of(text)
    same_table = [s for s in found if s.section == parent]
    dotted = [s for s in _below(found, parent) if s.kind == "pair"] if parent else []
    if parent and not same_table and not dotted:
        lines = [f"[{write_key(parent)}]", f"{write_key(path[-1:])} = {value}"]
        return _block(text, _after_siblings(text, found, parent), lines)
    if not same_table and not dotted:
        head = 1 if text.startswith(BOM) else 0
        line = f"{write_key(path)} = {value}{newline}"
        if not text.strip(BOM + " \t\r\n"):
            return Splice(len(text), (line,), blank=True)
        return Splice(head, (line if not found else line + newline,))
    near = (same_table or dotted)[-1]
    line = f"{indent_of(text, near.start)}{write_key(path[len(near.section) :])} = {value}"
    if text.endswith("\n", 0, near.line_end):
        return Splice(near.line_end, (line + newline,))
    return Splice(near.line_end, (newline + line,))


def _in_line(text: str, holder: Statement, rest: Path, op: Op, value: Json) -> Splice:
    """Insert into an array or a table that is written as a value."""

    spans, comma, end = elements(text, holder.value)
    item = write(value)
    if rest:
        item = f"{write_key(rest[:1])} = {write(values.nested(op, rest[1:], value))}"
    if not spans:
        inner = text[holder.value + 1 : end - 1]
        if inner.strip(" \t"):
            raise DocumentError(f"{values.dotted(holder.path)} holds nothing but a comment")
        pad = " " if rest and not inner else ""
        return Splice(holder.value + 1, (pad + item + pad,))
    lead = " "
    if starts_line(text, spans[-1][0]):
        lead = newline_of(text) + indent_of(text, spans[-1][0])
    if comma is not None:
        return Splice(comma + 1, (lead + item + ",",))
    return Splice(spans[-1][1], ("," + lead + item,))


def _below(found: list[Statement], path: Path) -> list[Statement]:
    return [s for s in found if s.path[: len(path)] == path]


def _cut_statements(text: str, group: list[Statement]) -> str:
    """Take out whole lines, but leave every comment, and one blank line before a header."""
    if not group:
        return text
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
        text = text[:start] + text[end:]
    return text


def _cut_element(text: str, start: int, index: int) -> str:
    """Take one element out of the array at `start`, with one comma."""

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
