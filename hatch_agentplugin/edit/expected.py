"""Compute the expected value after insertions, and check the value after removals."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from hatch_agentplugin.edit.model import Entry, Json, Path
from hatch_agentplugin.edit.values import depth, same


class Grown:
    """A parsed value with entries inserted; the original value does not change.

    Each container is copied once, at the first insertion below it.
    """

    def __init__(self, root: dict[str, Json]) -> None:
        self.root: dict[str, Any] = dict(root)
        """The value with all insertions made so far."""
        self._copied = {id(self.root)}

    def add(self, entry: Entry) -> int:
        """Make an insertion. Return how many keys of the path existed. Raises WrongType."""
        existing = depth(self.root, entry.op, entry.path)
        node: Any = self.root
        steps = entry.path if entry.op == "item" else entry.path[:-1]
        for number, key in enumerate(steps):
            if number >= existing:
                is_array = number == len(entry.path) - 1
                node[key] = self._own([] if is_array else {})
            elif id(node[key]) not in self._copied:
                node[key] = self._own(node[key].copy())
            node = node[key]
        if entry.op == "item":
            node.append(entry.value)
        else:
            node[entry.path[-1]] = entry.value
        return existing

    def _own(self, container: Any) -> Any:
        self._copied.add(id(container))
        return container


class _Removals:
    """The values that a removal takes from one container and from the containers inside it."""

    def __init__(self) -> None:
        self.inner: dict[str, _Removals] = {}
        self.items: deque[Json] = deque()
        self.key: Entry | None = None
        self.is_created = False

    def at(self, path: Path) -> _Removals:
        node = self
        for key in path:
            node = node.inner.setdefault(key, _Removals())
        return node


def is_rest(now: Json, rest: Json, entries: Iterable[Entry], created: Iterable[Path]) -> bool:
    """Return whether `rest` is `now` without the entries and the created containers left empty."""
    removals = _Removals()
    for entry in entries:
        if entry.op == "item":
            removals.at(entry.path).items.append(entry.value)
        else:
            removals.at(entry.path).key = entry
    for path in created:
        removals.at(path).is_created = True
    return _fits(now, rest, removals)


def _fits(now: Any, rest: Any, removals: _Removals) -> bool:
    if isinstance(now, list):
        return isinstance(rest, list) and _fits_items(now, rest, deque(removals.items))
    if not isinstance(now, dict) or not isinstance(rest, dict) or not rest.keys() <= now.keys():
        return False
    for key, value in now.items():
        inner = removals.inner.get(key)
        if inner is None:
            if key not in rest or value != rest[key]:
                return False
        elif inner.key is not None:
            if key in rest or not same(value, inner.key.value):
                return False
        elif key in rest:
            if not _fits(value, rest[key], inner):
                return False
        elif not inner.is_created or not _fits(value, type(value)(), inner):
            return False
    return True


def _fits_items(now: list[Any], rest: list[Any], gone: deque[Json]) -> bool:
    at = 0
    for item in now:
        if at < len(rest) and same(item, rest[at]):
            at += 1
            continue
        index = next((i for i, value in enumerate(gone) if same(item, value)), None)
        if index is None:
            return False
        del gone[index]
    return at == len(rest) and not gone
