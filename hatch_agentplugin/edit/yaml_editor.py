"""The editor for YAML: nodes say where things stand, the text is edited by whole lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.lines import BOM, line_start, newline_of, occurrences
from hatch_agentplugin.edit.model import DocumentError, Json, Op, Path, Record
from hatch_agentplugin.edit.structured import Splice, StructuredEditor
from hatch_agentplugin.edit.yaml_reader import (
    Node,
    Source,
    child,
    compose,
    end_of_entry,
    has_comment,
    has_content,
    is_flow,
    read,
    to_json,
    walk,
)

_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_UNPRINTABLE = "[\x7f-\x84\x86-\x9f\u2028\u2029\ufeff\ufffe\uffff]"


class YamlEditor(StructuredEditor[Source]):
    """Edits YAML: block mappings and lists by lines, those in brackets in place."""

    format = "yaml"

    def _read(self, text: str) -> Source:
        return read(text)

    def _place(self, document: Source, op: Op, path: Path, depth: int, value: Json) -> Splice:
        text, root = document.text, document.node
        newline = newline_of(text)
        key = path[depth] if depth < len(path) else None
        content = value if key is None else values.nested(op, path[depth + 1 :], value)
        if root is None:
            lead = "" if text in ("", BOM) or text.endswith(("\n", "\r")) else newline
            body = newline.join(_entry(key, content, ""))
            return Splice(len(text), (lead + body + newline,), blank=True)
        node = walk(text, root, path[:depth])
        if is_flow(node):
            return _in_flow(text, node, key, content)
        indent = " " * _column(node)
        place = end_of_entry(text, node)
        body = newline.join(_entry(key, content, indent))
        if text.endswith(("\n", "\r"), 0, place):
            return Splice(place, (body + newline,))
        return Splice(place, (newline + body,))  # no last line end before, none after

    def _where(self, document: Source, path: Path) -> int:
        node = document.node
        for key in path:
            pair = None if node is None else child(node, key)
            if pair is None:
                break
            node = pair[1]
        return int(node.start_mark.index) if node is not None else 0

    def _spots(self, document: Source, record: Record) -> Iterator[int]:
        return occurrences(document.text, "".join(record.pieces))

    def _cut(self, document: Source, record: Record) -> str:
        text, root = document.text, document.node
        assert root is not None  # or there would be nothing of ours in it
        steps = record.path if record.op == "item" else record.path[:-1]
        parent = walk(text, root, steps)
        if record.op == "item":
            index = values.indexes(document.root, record)[0]
        else:
            keys = [pair[0].value for pair in parent.value]
            index = max(i for i, key in enumerate(keys) if key == record.path[-1])
        return _cut_entry(text, parent, index)

    def _prune(self, document: Source, record: Record) -> str:
        text = document.text
        for length in sorted(record.owned, reverse=True):
            root, path = compose(text), record.path[:length]
            if root is None or values.look_up(to_json(root), path) not in ({}, []):
                continue
            if length == 0:
                rest = text[: root.start_mark.index] + text[root.end_mark.index :]
                return rest if has_content(rest) or record.before is None else record.before
            parent = walk(text, root, path[:-1])
            keys = [pair[0].value for pair in parent.value]
            text = _cut_entry(text, parent, keys.index(path[-1]))
        return text


def _column(node: Node) -> int:
    """Return the column of the entries; PyYAML counts a byte order mark in the first line."""
    first = node.value[0]
    mark = (first[0] if isinstance(first, tuple) else node).start_mark
    return int(mark.column)


def _key(key: str) -> str:
    return key if is_plain_key(key) else _scalar(key)


def _scalar(value: Json) -> str:
    text = _ENCODE(value)
    if text.isprintable():
        return text
    return re.sub(_UNPRINTABLE, lambda m: f"\\u{ord(m.group()):04x}", text)


def _entry(key: str | None, value: Json, indent: str) -> list[str]:
    """Return the lines of a list item, or with a key of a member of a mapping."""
    lead = f"{indent}-" if key is None else f"{indent}{_key(key)}:"
    if not isinstance(value, (dict, list)) or not value:
        return [f"{lead} {_scalar(value)}"]
    inner = indent + "  "
    lines: list[str] = []
    if isinstance(value, dict):
        for name, content in value.items():
            lines += _entry(name, content, inner)
    else:
        for content in value:
            lines += _entry(None, content, inner)
    if key is None:
        return [f"{lead} {lines[0].lstrip(' ')}", *lines[1:]]
    return [lead, *lines]


def _in_flow(text: str, node: Node, key: str | None, content: Json) -> Splice:
    """Insert before the closing bracket."""
    close = node.end_mark.index - 1
    item = _scalar(content) if key is None else f"{_scalar(key)}: {_scalar(content)}"
    if not node.value:
        if text[node.start_mark.index + 1 : close].strip():
            raise DocumentError("cannot edit brackets that hold nothing but a comment")
        return Splice(node.start_mark.index + 1, (item,))
    last = node.value[-1]
    end = (last[1] if isinstance(last, tuple) else last).end_mark.index
    if not node.start_mark.index < end <= close or text[end:close].strip():
        raise DocumentError("cannot edit brackets that end in a comment, a comma or an alias")
    return Splice(end, (", " + item,))


def _cut_entry(text: str, parent: Node, index: int) -> str:
    """Take one entry out. The last one of a block leaves an empty pair of brackets behind."""
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
        raise DocumentError("somebody has put a comment into the entry; take it out by hand")
    if len(spans) > 1:
        if text[begin:start].strip(" -"):
            raise DocumentError("the entry does not begin a line of its own")
        if text[begin:start].count("-") != (0 if isinstance(parent.value[0], tuple) else 1):
            raise DocumentError("the entry shares its line with a list item")
        if end == len(text) and not text.endswith(("\n", "\r")):
            begin = len(text[:begin].rstrip("\r\n"))
        return text[:begin] + text[end:]
    newline = newline_of(text) if text.endswith(("\n", "\r"), 0, end) else ""
    empty = "{}" if isinstance(parent.value[0], tuple) else "[]"
    above = text[:begin].rstrip(" \t\r\n")
    if not above.strip(BOM):
        return text[:begin] + empty + newline + text[end:]
    return f"{above} {empty}{newline}{text[end:]}"


#: Words that some reader of YAML takes for something else than a string.
_NOT_KEYS = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def is_plain_key(key: str) -> bool:
    """Tell whether a key needs no quotes: no reader of YAML takes it for anything but a string."""
    word = key.replace("-", "_")
    return (
        word.isascii()
        and word.isidentifier()
        and not key.startswith("-")
        and key.lower() not in _NOT_KEYS
    )
