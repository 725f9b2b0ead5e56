"""Edit YAML: block mappings and lists by lines, those in brackets in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.lines import BOM, line_start, newline_of
from hatch_agentplugin.edit.model import DocumentError, Entry, Json, Path, Splice
from hatch_agentplugin.edit.values import last_index, look_up
from hatch_agentplugin.edit.yaml_reader import (
    Node,
    child,
    compose,
    end_of_entry,
    has_comment,
    is_flow,
    to_json,
    walk,
)
from hatch_agentplugin.edit.yaml_writer import write_inline, write_lines


@dataclass(frozen=True)
class YamlDocument(Document):
    """A YAML document."""

    body: str
    """The text without a byte order mark; the positions of nodes refer to it."""
    node: Node | None
    """The root mapping; None if the document holds no settings."""

    @classmethod
    def parse(cls, text: str) -> YamlDocument:
        """See `Document.parse`."""
        body = text[1:] if text.startswith(BOM) else text
        node = compose(body)
        return cls(text, to_json(node), body, node)

    @property
    def is_blank(self) -> bool:
        """See `Document.is_blank`."""
        return self.node is None

    def offset_of(self, path: Path) -> int:
        """See `Document.offset_of`."""
        node = self.node
        for key in path:
            pair = None if node is None else child(node, key)
            if pair is None:
                break
            node = pair[1]
        return int(node.start_mark.index) if node is not None else 0

    def place(self, entries: Sequence[tuple[Entry, int]]) -> list[Splice]:
        """See `Document.place`."""
        groups: dict[Path, _Group] = {}
        for entry, depth in entries:
            path = entry.path[:depth]
            group = next(
                (groups[p] for p in _starts(path) if p in groups and groups[p].has(entry)), None
            )
            if group is None:
                group = groups.setdefault(path, _Group(path))
            group.add(entry)
        if self.node is None:
            return [self._begin(group) for group in groups.values()]
        # Where several containers end in one place, the innermost comes first.
        placed = [(self._splice(self.node, group), -len(group.path)) for group in groups.values()]
        lead = len(self.text) - len(self.body)
        merged: dict[int, str] = {}
        for splice, _ in sorted(placed, key=lambda pair: (pair[0].offset, pair[1])):
            offset = splice.offset + lead
            merged[offset] = merged.get(offset, "") + splice.inserted
        return [Splice(offset, (text,)) for offset, text in merged.items()]

    def _begin(self, group: _Group) -> Splice:
        newline = newline_of(self.text)
        lead = "" if not self.body or self.body.endswith(("\n", "\r")) else newline
        lines = [line for key, value in group.members() for line in write_lines(key, value, "")]
        return Splice(len(self.text), (lead + newline.join(lines) + newline,))

    def _splice(self, root: Node, group: _Group) -> Splice:
        node = walk(self.body, root, group.path)
        if is_flow(node):
            return _in_flow(self.body, node, group)
        newline = newline_of(self.body)
        indent = " " * _column(node)
        place = end_of_entry(self.body, node)
        lines = [line for key, value in group.members() for line in write_lines(key, value, indent)]
        if self.body.endswith(("\n", "\r"), 0, place):
            return Splice(place, ("".join(line + newline for line in lines),))
        return Splice(place, ("".join(newline + line for line in lines),))

    def without_entry(self, entry: Entry) -> str:
        """See `Document.without_entry`."""
        assert self.node is not None
        steps = entry.path if entry.op == "item" else entry.path[:-1]
        parent = walk(self.body, self.node, steps)
        if entry.op == "item":
            return self._cut(parent, last_index(look_up(self.root, entry.path), entry.value))  # type: ignore[arg-type]
        return self._cut(parent, _last(parent, entry.path[-1]))

    def without_empty(self, path: Path, before: str | None) -> str:
        """See `Document.without_empty`."""
        if self.node is None:
            return self.text
        if path:
            parent = walk(self.body, self.node, path[:-1])
            return self._cut(parent, _last(parent, path[-1]))
        body, node = self.body, self.node
        rest = body[: node.start_mark.index] + body[node.end_mark.index :]
        if before is not None and not rest.strip(" \t\r\n"):
            return before
        return self.text[: len(self.text) - len(body)] + rest

    def _cut(self, parent: Node, index: int) -> str:
        return self.text[: len(self.text) - len(self.body)] + cut_entry(self.body, parent, index)


class _Group:
    """The new entries of one container, including those of the containers that they create."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._items: list[Json] = []
        self._created: dict[str, Any] = {}

    def has(self, entry: Entry) -> bool:
        """Return whether an entry goes into a container that this group creates."""
        rest = entry.path[len(self.path) :]
        return len(rest) > 0 and rest[0] in self._created

    def add(self, entry: Entry) -> None:
        rest = entry.path[len(self.path) :]
        if not rest:
            self._items.append(entry.value)
            return
        node = self._created
        for key in rest[:-1]:
            node = node.setdefault(key, {})
        if entry.op == "item":
            node.setdefault(rest[-1], []).append(entry.value)
        else:
            node[rest[-1]] = entry.value

    def members(self) -> list[tuple[str | None, Json]]:
        """Return keys with values, or items without a key."""
        return [*self._created.items(), *((None, item) for item in self._items)]


def _starts(path: Path) -> list[Path]:
    return [path[:length] for length in range(len(path))]


def _in_flow(text: str, node: Node, group: _Group) -> Splice:
    """Insert before the closing bracket."""
    close = node.end_mark.index - 1
    body = ", ".join(write_inline(key, value) for key, value in group.members())
    if not node.value:
        if text[node.start_mark.index + 1 : close].strip():
            raise DocumentError("cannot edit brackets that hold nothing but a comment")
        return Splice(node.start_mark.index + 1, (body,))
    last = node.value[-1]
    end = (last[1] if isinstance(last, tuple) else last).end_mark.index
    if not node.start_mark.index < end <= close or text[end:close].strip():
        raise DocumentError("cannot edit brackets that end in a comment, a comma or an alias")
    return Splice(end, (", " + body,))


def _column(node: Node) -> int:
    """Return the column of the entries of a block."""
    first = node.value[0]
    return int((first[0] if isinstance(first, tuple) else node).start_mark.column)


def _last(parent: Node, key: str) -> int:
    """Return the position of the member `key`; of equal keys the last one."""
    return max(index for index, pair in enumerate(parent.value) if pair[0].value == key)


def cut_entry(text: str, parent: Node, index: int) -> str:
    """Return the text without entry `index` of a mapping or list.

    The last entry of a block leaves an empty pair of brackets. Raises DocumentError if the entry
    holds a comment or shares its lines.
    """
    pairs = [entry if isinstance(entry, tuple) else (entry, entry) for entry in parent.value]
    spans = [(first.start_mark.index, last) for first, last in pairs]
    start, node = spans[index]
    if is_flow(parent):
        end = node.end_mark.index
        if index + 1 < len(spans):
            return text[:start] + text[spans[index + 1][0] :]
        if index > 0:
            start = spans[index - 1][1].end_mark.index
        return text[:start] + text[end:]
    begin, end = line_start(text, start), end_of_entry(text, node)
    if has_comment(text, start, end, node):
        raise DocumentError("the entry holds a comment that we did not write; remove it by hand")
    if len(spans) > 1:
        return _cut_lines(text, parent, begin, start, end)
    newline = newline_of(text) if text.endswith(("\n", "\r"), 0, end) else ""
    empty = "{}" if isinstance(parent.value[0], tuple) else "[]"
    above = text[:begin].rstrip(" \t\r\n")
    if not above:
        return text[:begin] + empty + newline + text[end:]
    return f"{above} {empty}{newline}{text[end:]}"


def _cut_lines(text: str, parent: Node, begin: int, start: int, end: int) -> str:
    if text[begin:start].strip(" -"):
        raise DocumentError("the entry does not begin a line of its own")
    if text[begin:start].count("-") != (0 if isinstance(parent.value[0], tuple) else 1):
        raise DocumentError("the entry shares its line with a list item")
    if end == len(text) and not text.endswith(("\n", "\r")):
        begin = len(text[:begin].rstrip("\r\n"))
    return text[:begin] + text[end:]
