"""Parsed values: what an insertion or a removal must make of them. Pure, no text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hatch_agentplugin.edit.model import (
    MISSING,
    DocumentError,
    Found,
    Json,
    Missing,
    Op,
    Path,
    Record,
)


def same(left: Json, right: Json) -> bool:
    """Tell whether two values are equal, keeping true and 1 apart."""
    return left == right and _alike(left, right)


def _alike(left: Any, right: Any) -> bool:
    """Tell whether two equal values have true and false in the same places."""
    if isinstance(left, dict):
        for key, value in left.items():
            if not _alike(value, right[key]):
                return False
    elif isinstance(left, list):
        for one, other in zip(left, right, strict=True):
            if not _alike(one, other):
                return False
    elif isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return True


def look_up(root: Json, path: Path) -> Json | Missing:
    """Return the value at `path`, or `MISSING` if a key or an object on the way is not there."""
    value: Json = root
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return MISSING
        value = value[key]
    return value


def dotted(path: Path) -> str:
    """Name a path for a message: `"hooks.Stop"`."""
    return '"' + ".".join(path) + '"'


def kind(value: Json) -> str:
    """Name the type of a value for a message."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return "a string" if isinstance(value, str) else "a plain value"


class WrongType(Exception):
    """A value on the path has a type that cannot take the insertion."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


def depth(root: Json, op: Op, path: Path) -> int:
    """Count the leading keys of `path` that exist as containers able to take the insertion.

    Raises WrongType if one of them is something else, or if the key to set is there already.
    """
    value: Json = root
    for length, key in enumerate(path):
        if not isinstance(value, dict):
            here = path[:length]
            raise WrongType(here, f"{dotted(here)} is {kind(value)}, not an object")
        if key not in value:
            return length
        value = value[key]
    if op == "key":
        raise WrongType(path, f"{dotted(path)} is there already")
    if not isinstance(value, list):
        raise WrongType(path, f"{dotted(path)} is {kind(value)}, not an array")
    return len(path)


def nested(op: Op, rest: Path, value: Json) -> Json:
    """Wrap `value` in the objects and the array that `rest`, the missing end of a path, needs."""
    wrapped: Json = [value] if op == "item" else value
    for key in reversed(rest):
        wrapped = {key: wrapped}
    return wrapped


def replaced(root: Json, path: Path, value: Json | Missing) -> Json:
    """Return `root` with `value` at `path`; MISSING takes the key out. Copies the path only."""
    if not path:
        return {} if isinstance(value, Missing) else value
    assert isinstance(root, dict)
    key, rest = path[0], path[1:]
    if not rest and isinstance(value, Missing):
        return {k: v for k, v in root.items() if k != key}
    return {**root, key: replaced(root.get(key, {}), rest, value)}


def inserted(root: Json, op: Op, path: Path, value: Json) -> Json:
    """Return `root` with the insertion made. The path has been checked by `depth`."""
    if op == "key":
        return replaced(root, path, value)
    items = look_up(root, path)
    return replaced(root, path, [*items, value] if isinstance(items, list) else [value])


def _text_leaves(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for child in value.values() if isinstance(value, dict) else value:
            yield from _text_leaves(child)


def state(root: Json, record: Record) -> Found:
    """Compare what is at the record's path with what we put there.

    An item has no name, so an edited one is known by its longest string: for a hook, its command.
    """
    value = look_up(root, record.path)
    if isinstance(value, Missing):
        return Found.ABSENT
    if record.op == "key":
        return Found.PRESENT if same(value, record.value) else Found.CHANGED
    if not isinstance(value, list):
        return Found.ABSENT
    if any(same(item, record.value) for item in value):
        return Found.PRESENT
    mark = max(_text_leaves(record.value), key=len, default="")
    if mark and any(mark in _text_leaves(item) for item in value):
        return Found.CHANGED
    return Found.ABSENT


def indexes(root: Json, record: Record) -> list[int]:
    """Return the places in the array that hold the record's item, last first."""
    items = look_up(root, record.path)
    assert isinstance(items, list)
    return [i for i in reversed(range(len(items))) if same(items[i], record.value)]


def without(root: Json, record: Record) -> list[Json]:
    """Return all that a removal may leave: with more and more of the empty containers gone."""
    bases: list[Json]
    if record.op == "key":
        bases, length = [replaced(root, record.path, MISSING)], len(record.path) - 1
    else:
        items, length = look_up(root, record.path), len(record.path)
        assert isinstance(items, list)
        bases = [
            replaced(root, record.path, items[:i] + items[i + 1 :]) for i in indexes(root, record)
        ]
    results: list[Json] = []
    for value in bases:
        results.append(value)
        for end in range(length, 0, -1):
            if look_up(value, record.path[:end]) not in ([], {}):
                break
            value = replaced(value, record.path[:end], MISSING)
            results.append(value)
    return results


def check_depth(root: Json, limit: int = 500) -> None:
    """Raise DocumentError if `root` is nested deeper than `limit`. Takes one pass, no recursion."""
    level: list[Json] = [root]
    for _ in range(limit + 1):
        level = [
            child
            for value in level
            for child in (value.values() if isinstance(value, dict) else value)  # type: ignore[union-attr]
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return
    raise DocumentError(f"nested deeper than {limit} levels")
