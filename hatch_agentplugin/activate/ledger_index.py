"""What is placed: the ledger's entries as they will be, found by file and by host without a search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hatch_agentplugin.transaction.ledger import Placed


def key_of(placed: Placed) -> tuple[object, ...]:
    """What stays the same when a placement's record or version changes."""
    key = placed.placement.get("key")
    return placed.plugin, placed.host, placed.scope, placed.project, placed.path, key


class Placements:
    """Placements in the order in which they were entered; one that is swapped keeps its place."""

    def __init__(self, entries: Iterable[Placed] = ()) -> None:
        self._all: dict[int, Placed] = {}
        self._last = 0
        self._at: dict[str, list[int]] = {}
        self._of: dict[tuple[str, str], list[int]] = {}
        for placed in entries:
            self.append(placed)

    def __iter__(self) -> Iterator[Placed]:
        return iter([*self._all.values()])

    def at(self, path: str) -> list[Placed]:
        """Those in one file."""
        return [self._all[number] for number in self._at.get(path, ())]

    def of(self, plugin: str, host: str) -> list[Placed]:
        """Those of one plugin in one host, in every scope."""
        return [self._all[number] for number in self._of.get((plugin, host), ())]

    def append(self, placed: Placed) -> None:
        """Enter one, as the last."""
        self._last += 1
        self._all[self._last] = placed
        self._at.setdefault(placed.path, []).append(self._last)
        self._of.setdefault((placed.plugin, placed.host), []).append(self._last)

    def swap(self, old: Placed, new: Placed) -> None:
        """Put another in the place of one; both are of the same file, plugin and host."""
        for number in self._numbers(old):
            self._all[number] = new

    def strike(self, old: Placed) -> None:
        """Take one out."""
        for number in self._numbers(old):
            self._drop(number)

    def put(self, path: str, left: Iterable[Placed]) -> None:
        """Replace the entries of one document, at the places that they had."""
        rest = iter(left)
        for number in [*self._at.get(path, ())]:
            old = self._all[number]
            if old.record is None:
                continue
            new = next(rest, None)
            if new is None:
                self._drop(number)
                continue
            self._all[number] = new
            self._of[old.plugin, old.host].remove(number)
            numbers = self._of.setdefault((new.plugin, new.host), [])
            numbers.append(number)
            numbers.sort()
        for new in rest:
            self.append(new)

    def _numbers(self, placed: Placed) -> list[int]:
        key = key_of(placed)
        return [one for one in self._at.get(placed.path, ()) if key_of(self._all[one]) == key]

    def _drop(self, number: int) -> None:
        old = self._all.pop(number)
        self._at[old.path].remove(number)
        self._of[old.plugin, old.host].remove(number)
