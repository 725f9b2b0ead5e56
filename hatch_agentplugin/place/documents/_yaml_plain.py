"""Reads the plain part of YAML, in which our own editor writes hooks, without PyYAML.

Importing PyYAML costs more than a whole run may, and it parses in Python. So block mappings and
lists, strings in double quotes, numbers, true, false, null and empty brackets are read here: nodes
and marks are those that PyYAML gives, to the character. Of anything else nothing is guessed:
comments, plain strings, anchors, tags, tabs, documents of several parts are left to PyYAML.
"""

from __future__ import annotations

from ._plain import NotPlain, decode, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._model import Json

_TAG = "tag:yaml.org,2002:"
_WORDS = {"true": ("bool", True), "false": ("bool", False), "null": ("null", None)}
_NOT_KEYS = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
_DEEPEST = 50
_LONGEST_KEY = 1000  # of 1024 characters; longer ones are no keys in YAML
_LONGEST_NUMBER = 18


class Mark:
    """A place in the text, counted from 0."""

    __slots__ = ("column", "index", "line")

    def __init__(self, index: int, line: int, column: int) -> None:
        self.index = index
        self.line = line
        self.column = column


class Node:
    """What PyYAML's nodes have, and the value as JSON."""

    __slots__ = ("end_mark", "flow_style", "id", "json", "start_mark", "style", "tag", "value")

    def __init__(
        self, id: str, tag: str, value: Any, json: Json, start: Mark, end: Mark,
        style: str | None = None, flow_style: bool | None = None,
    ) -> None:  # fmt: skip
        self.id = id
        self.tag = _TAG + tag
        self.value = value
        self.json = json
        self.start_mark = start
        self.end_mark = end
        self.style = style
        self.flow_style = flow_style


def is_plain_key(key: str) -> bool:
    """Tell whether a key needs no quotes: no reader of YAML takes it for anything but a string."""
    word = key.replace("-", "_")
    return (
        word.isascii()
        and word.isidentifier()
        and not key.startswith("-")
        and key.lower() not in _NOT_KEYS
    )


def compose(text: str) -> Node:
    """Return the root mapping of a plain text. Raises NotPlain for any other."""
    tokens = _tokens(text)
    if tokens[0][0] != "key":
        raise NotPlain
    root, at = _block(tokens, 0, 0)
    if tokens[at][0] != "end":
        raise NotPlain
    return root


def _tokens(text: str) -> list[Any]:
    """Split a text: `-`, `key`, `value` or `end`, where each begins, and its node if it has one."""
    tokens: list[Any] = []
    number, line = 0, ""
    for number, (line, start, _) in enumerate(lines(text)):
        if line.endswith(" "):  # such as a dash with nothing behind it
            raise NotPlain
        at = len(line) - len(line.lstrip(" "))
        if line:
            bare = at
            while line.startswith("- ", at):
                tokens.append(("-", Mark(start + at, number, at), None))
                at += 2
            tokens += _entry(line, at, start, number, in_list=at > bare)
    tokens.append(("end", Mark(len(text), number, len(line)), None))
    return tokens


def _entry(line: str, at: int, start: int, number: int, in_list: bool) -> list[Any]:
    """Read the rest of a line: a key, a key and its value, or in a list a value."""
    if line[at] == '"':
        name, end = decode(line, at)
        style, is_key = '"', end < len(line)
    else:
        end = line.find(":", at)
        name, style, is_key = line[at:end], None, end != -1
        if is_key and not is_plain_key(name):
            raise NotPlain
    if not is_key:
        if not in_list:
            raise NotPlain
        return [_value(line, at, start, number)]
    if line[end] != ":" or end - at > _LONGEST_KEY:
        raise NotPlain
    begin = Mark(start + at, number, at)
    key = Node("scalar", "str", name, name, begin, Mark(start + end, number, end), style)
    if end + 1 == len(line):
        return [("key", begin, key)]
    if line[end + 1] != " ":
        raise NotPlain
    return [("key", begin, key), _value(line, end + 2, start, number)]


def _value(line: str, at: int, start: int, number: int) -> Any:
    """Read the value that takes the rest of a line."""
    text, begin = line[at:], Mark(start + at, number, at)
    end = Mark(start + len(line), number, len(line))
    value: Json
    if text[0] == '"':
        value, closed = decode(line, at)
        if closed != len(line):
            raise NotPlain
        node = Node("scalar", "str", value, value, begin, end, '"')
    elif text == "[]":
        node = Node("sequence", "seq", [], [], begin, end, flow_style=True)
    elif text == "{}":
        node = Node("mapping", "map", [], {}, begin, end, flow_style=True)
    elif text in _WORDS:
        tag, value = _WORDS[text]
        node = Node("scalar", tag, text, value, begin, end)
    else:
        value = _number(text)
        node = Node("scalar", type(value).__name__, text, value, begin, end)
    return "value", begin, node


def _number(text: str) -> int | float:
    """Read a number as JSON and YAML both write it: with a point no exponent."""
    whole, point, rest = text.removeprefix("-").partition(".")
    if (
        not text.isascii()
        or len(text) > _LONGEST_NUMBER
        or not whole.isdigit()
        or (whole[0] == "0" and len(whole) > 1)
        or (point and not rest.isdigit())
    ):
        raise NotPlain
    return float(text) if point else int(text)


def _block(tokens: list[Any], at: int, depth: int) -> tuple[Node, int]:
    """Read the mapping or list that begins at a token. Returns it and the token after it."""
    kind, begin, _ = tokens[at]
    column = begin.column
    if depth > _DEEPEST:
        raise NotPlain
    entries: list[Any] = []
    while tokens[at][0] == kind and tokens[at][1].column == column:
        key, following = tokens[at][2], tokens[at + 1]
        if following[0] == "value":
            node, at = following[2], at + 2
        elif following[1].column > column and following[0] != "end":
            node, at = _block(tokens, at + 1, depth + 1)
        else:
            raise NotPlain
        entries.append(node if key is None else (key, node))
    end = tokens[at][1]
    if end.column >= column and tokens[at][0] != "end":
        raise NotPlain
    if kind == "key":
        pairs: Json = {key.json: node.json for key, node in entries}
        return Node("mapping", "map", entries, pairs, begin, end, flow_style=False), at
    items: Json = [node.json for node in entries]
    return Node("sequence", "seq", entries, items, begin, end, flow_style=False), at
