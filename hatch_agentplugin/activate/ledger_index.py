"""The ledger entries of a run as they will be, found by file, by plugin and by identity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from hatch_agentplugin.transaction.ledger import LedgerEntry

#: What stays the same when the value or version of a placement changes.
Identity = tuple[str, str, str, str | None, str, str]
#: Plugin, host, scope and project: how an identity begins.
OwnerId = tuple[str, str, str, str | None]


def identity(entry: LedgerEntry) -> Identity:
    """Return the identity of a ledger entry: no two entries of a ledger share it."""
    return entry.plugin, entry.host, entry.scope, entry.project, entry.path, entry.key


class LedgerIndex:
    """Ledger entries in the order in which they were added; a replaced one keeps its place."""

    def __init__(self, entries: Iterable[LedgerEntry] = ()) -> None:
        self._numbers = count()
        self._entries: dict[Identity, tuple[int, LedgerEntry]] = {}
        self._by_path: dict[str, set[Identity]] = {}
        self._by_owner: dict[tuple[str, str], set[Identity]] = {}
        self._by_plugin: dict[str, set[Identity]] = {}
        for entry in entries:
            self.put(entry)

    def __iter__(self) -> Iterator[LedgerEntry]:
        return iter(self._in_order(self._entries))

    def get(self, key: Identity) -> LedgerEntry:
        """Return the entry with an identity. Raises KeyError."""
        return self._entries[key][1]

    def at(self, path: str) -> list[LedgerEntry]:
        """Return the entries of one file."""
        return self._in_order(self._by_path.get(path, ()))

    def of(self, plugin: str, host: str) -> list[LedgerEntry]:
        """Return the entries of one plugin in one host, in every scope."""
        return self._in_order(self._by_owner.get((plugin, host), ()))

    def of_owner(self, owner: OwnerId) -> list[LedgerEntry]:
        """Return the entries of one plugin in one host, scope and project."""
        return [one for one in self.of(owner[0], owner[1]) if identity(one)[:4] == owner]

    def of_plugin(self, plugin: str) -> list[LedgerEntry]:
        """Return the entries of one plugin in all hosts."""
        return self._in_order(self._by_plugin.get(plugin, ()))

    def put(self, entry: LedgerEntry) -> LedgerEntry:
        """Add an entry, or replace the one with its identity. Returns it."""
        key = identity(entry)
        before = self._entries.get(key)
        self._entries[key] = (next(self._numbers) if before is None else before[0]), entry
        self._by_path.setdefault(entry.path, set()).add(key)
        self._by_owner.setdefault((entry.plugin, entry.host), set()).add(key)
        self._by_plugin.setdefault(entry.plugin, set()).add(key)
        return entry

    def remove(self, entry: LedgerEntry) -> None:
        """Remove the entry with this identity, if it exists."""
        key = identity(entry)
        if self._entries.pop(key, None) is not None:
            self._by_path[entry.path].discard(key)
            self._by_owner[entry.plugin, entry.host].discard(key)
            self._by_plugin[entry.plugin].discard(key)

    def _in_order(self, found: Iterable[Identity]) -> list[LedgerEntry]:
        return [entry for _, entry in sorted((self._entries[one] for one in found), key=_number)]


def _number(numbered: tuple[int, LedgerEntry]) -> int:
    return numbered[0]
