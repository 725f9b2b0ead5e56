"""Compute the effect of insertions and removals on parsed values. Pure functions, no text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hatch_agentplugin.edit.model import (
    MISSING,
    DocumentError,
    Entry,
    Found,
    Json,
    Missing,
    Op,
    Path,
)


def same(left: Json, right: Json) -> bool:
    """Return whether two values are equal; true and 1 are not."""
    return left == right and _alike(left, right)


def _alike(left: Any, right: Any) -> bool:
    """Return whether two equal values have true and false in the same places."""
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
    """Return the value at `path`, or `MISSING`."""
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
    """Return how many leading keys of `path` exist, as containers that can take the entry.

    Raises WrongType if one of them is another value, or if the key to set exists.
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
        raise WrongType(path, f"{dotted(path)} already exists")
    if not isinstance(value, list):
        raise WrongType(path, f"{dotted(path)} is {kind(value)}, not an array")
    return len(path)


def nested(op: Op, rest: Path, value: Json) -> Json:
    """Wrap `value` in the objects and the array that `rest`, the missing end of a path, needs."""
    wrapped: Json = [value] if op == "item" else value
    for key in reversed(rest):
        wrapped = {key: wrapped}
    return wrapped


def strings(value: Json) -> Iterator[str]:
    """Yield all strings of a value, without the keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for child in value.values() if isinstance(value, dict) else value:
            yield from strings(child)


def longest_string(value: Json) -> str:
    """Return the longest string in a value; in a hook's entry that is its command."""
    return max(strings(value), key=len, default="")


def state(root: Json, entry: Entry) -> Found:
    """Return the state of an entry.

    An item has no name: a changed one is known by its longest string, which for a hook is its
    command.
    """
    value = look_up(root, entry.path)
    if isinstance(value, Missing):
        return Found.ABSENT
    if entry.op == "key":
        return Found.PRESENT if same(value, entry.value) else Found.CHANGED
    if not isinstance(value, list):
        return Found.ABSENT
    if any(same(item, entry.value) for item in value):
        return Found.PRESENT
    mark = longest_string(entry.value)
    if mark and any(mark in strings(item) for item in value):
        return Found.CHANGED
    return Found.ABSENT


def last_index(items: Json, value: Json) -> int:
    """Return the position of the last item of an array that equals `value`, which it holds."""
    assert isinstance(items, list)
    return max(index for index, item in enumerate(items) if same(item, value))


def check_depth(root: Json, limit: int = 500) -> None:
    """Raise DocumentError if `root` is nested deeper than `limit` levels."""
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
