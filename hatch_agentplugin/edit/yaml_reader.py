"""Read YAML with PyYAML, which records the position of each node in the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import yaml

from hatch_agentplugin.edit.lines import line_end
from hatch_agentplugin.edit.model import DocumentError, Json, Path
from hatch_agentplugin.edit.values import check_depth


class Mark(Protocol):
    """A place in the text; all numbers count from 0."""

    @property
    def index(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class Node(Protocol):
    """A node of PyYAML, which has no type hints."""

    @property
    def tag(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def start_mark(self) -> Mark: ...
    @property
    def end_mark(self) -> Mark: ...


def compose(text: str) -> Node | None:
    """Return the root mapping of `text`, or None if it holds nothing but comments.

    The text has no byte order mark, which PyYAML would count as a column. Raises DocumentError if
    the text is not YAML, holds several documents or has another root.
    """
    if not text.strip(" \r\n"):
        return None
    try:
        root = _compose(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = error.problem or str(error)
        if mark is None:
            raise DocumentError(reason) from None
        raise DocumentError(reason, mark.line + 1, mark.column + 1) from None
    except yaml.YAMLError as error:
        raise DocumentError(str(error).splitlines()[0]) from None
    except RecursionError:
        raise DocumentError("nested too deep") from None
    if root is not None and not isinstance(root, yaml.MappingNode):
        mark = root.start_mark
        raise DocumentError("the settings are not a mapping", mark.line + 1, mark.column + 1)
    return root


def _compose(text: str) -> Any:
    loader = getattr(yaml, "CSafeLoader", None)
    if loader is not None:  # Ten times as fast, but some builds of PyYAML lack it.
        try:
            return yaml.compose(text, Loader=loader)
        except yaml.YAMLError:
            pass  # The other loader accepts a little more, and its messages say more.
    return yaml.compose(text, Loader=yaml.SafeLoader)


def to_json(root: Node | None) -> dict[str, Json]:
    """Return the mapping as JSON values; dates and other odd scalars become strings.

    Raises DocumentError if a node contains itself.
    """
    if root is None:
        return {}
    constructor = yaml.constructor.SafeConstructor()
    done: dict[int, Json] = {}
    open_nodes: set[int] = set()

    def convert(node: Node) -> Json:
        if id(node) in done:
            return done[id(node)]
        if id(node) in open_nodes:
            raise DocumentError("a node contains itself", node.start_mark.line + 1)
        open_nodes.add(id(node))
        value: Json
        if isinstance(node, yaml.MappingNode):
            value = {str(key.value): convert(child) for key, child in node.value}
        elif isinstance(node, yaml.SequenceNode):
            value = [convert(child) for child in node.value]
        else:
            value = _scalar(constructor, node)
        open_nodes.discard(id(node))
        done[id(node)] = value
        return value

    try:
        result = convert(root)
    except RecursionError:
        raise DocumentError("nested too deep") from None
    check_depth(result)
    assert isinstance(result, dict)
    return result


def _scalar(constructor: Any, node: Node) -> Json:
    kind = node.tag.rpartition(":")[2]
    if kind in ("null", "bool", "int", "float"):
        try:
            value: Json = getattr(constructor, f"construct_yaml_{kind}")(node)
        except ValueError:
            return str(node.value)
        if value == value:  # A NaN does not equal itself.
            return value
    return str(node.value)


def child(node: Node, key: str) -> tuple[Node, Node] | None:
    """Return the key node and the value node of `key`; of equal keys the last one counts."""
    found = [pair for pair in node.value if pair[0].value == key]
    return found[-1] if found else None


def walk(text: str, root: Node, path: Path) -> Node:
    """Return the node at `path`, which exists. Raises DocumentError if the path has an alias."""
    node = root
    for key in path:
        pair = child(node, key)
        assert pair is not None
        key_node, node = pair
        # The node of an alias is elsewhere: at its anchor.
        if not key_node.end_mark.index <= node.start_mark.index < end_of_entry(text, node):
            raise DocumentError(f'"{key}" is an alias', key_node.start_mark.line + 1)
        between = text[key_node.end_mark.index : node.start_mark.index]
        if "*" in between:
            raise DocumentError(f'"{key}" is an alias', key_node.start_mark.line + 1)
    return node


def is_flow(node: Node) -> bool:
    """Return whether a node is written in brackets or braces."""
    return bool(getattr(node, "flow_style", False))


def end_of_content(node: Node) -> int:
    """Return the offset where the content of a node ends; the end mark of a block is too late."""
    children = node.value if isinstance(node.value, list) else []
    if is_flow(node) or not children:
        return int(node.end_mark.index)
    last = children[-1]
    if isinstance(last, tuple):
        key, value = last
        # The value of an alias is elsewhere; then the key is the last known content.
        last = value if value.start_mark.index >= key.end_mark.index else key
    return end_of_content(last)


def end_of_entry(text: str, node: Node) -> int:
    """Return the offset after the last line of a node and its line end."""
    end = end_of_content(node)
    if end and text[end - 1] in "\r\n" and not getattr(node, "style", None):
        return end
    return end if end and text[end - 1] == "\n" else line_end(text, end)


def has_comment(text: str, start: int, end: int, node: Node) -> bool:
    """Return whether a comment is between two offsets, which enclose `node`."""
    marks = [start, *_scalar_edges(node), end]
    return any("#" in text[left:right] for left, right in zip(marks[::2], marks[1::2], strict=True))


def _scalar_edges(node: Node) -> Iterator[int]:
    if not isinstance(node.value, list):
        yield node.start_mark.index
        yield node.end_mark.index
        return
    for entry in node.value:
        for part in entry if isinstance(entry, tuple) else (entry,):
            yield from _scalar_edges(part)
