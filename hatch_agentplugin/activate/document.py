"""One document as a run changes it: parsed once, asked and changed as values, written once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hatch_agentplugin import codec, edit
from hatch_agentplugin.activate.ledger_index import Identity, identity
from hatch_agentplugin.activate.result import Refused
from hatch_agentplugin.edit import MISSING, Found, Json, Missing
from hatch_agentplugin.templates import strings
from hatch_agentplugin.transaction.ledger import Inserted, LedgerEntry


@dataclass(eq=False)
class Insertion:
    """One entry of ours in the document, and the ledger entries that stand for it.

    A key that several plugins need is inserted once and goes with the last of them.
    """

    entry: edit.Entry
    """As the ledger has it; for one that the user has changed, as it is in the file."""
    batch: int | None
    """Number of its batch; None if this run inserts it."""
    owners: dict[Identity, None] = field(default_factory=dict)
    value: Json | Missing = MISSING
    """As it will be."""

    @property
    def planned(self) -> edit.Entry:
        """The entry as it will be."""
        return replace(self.entry, value=self.value)


class Document:
    """A document, and what is ours in it."""

    def __init__(
        self,
        path: Path,
        format: str,
        data: bytes | None,
        entries: Sequence[LedgerEntry],
        patches: Sequence[dict[str, Any]],
    ) -> None:
        """Parse `data`; None is a missing file. Raises Refused for one that cannot be parsed."""
        self.path = path
        self.format = format
        self.is_missing = data is None
        self._patches = patches
        self._parsed = self._checked(lambda: edit.read(data or b"", format))
        self._insertions: list[Insertion] = []
        self._of: dict[Identity, Insertion] = {}
        self.keys: dict[tuple[str, ...], Insertion] = {}
        """Our keys by their place; a block of text has one in the ledger only."""
        self._counts: dict[tuple[str, ...], Counter[str]] = {}
        self._new_keys: dict[tuple[str, ...], Json | Missing] = {}
        self._ours: Counter[str] = Counter()
        self.is_changed = False
        for entry in entries:
            if entry.inserted is not None:
                self._own_known(entry, entry.inserted)

    # --- questions

    def get(self, at: tuple[str, ...]) -> Json | Missing:
        """Return the value at a place, or MISSING. A list is as it was before this run."""
        if at in self._new_keys:
            return self._new_keys[at]
        found: Json | Missing = self._parsed.get(at)
        return found

    def items(self, at: tuple[str, ...]) -> list[Json]:
        """Return the list at a place as it was before this run; empty if it is not a list."""
        found = self._parsed.get(at)
        return found if isinstance(found, list) else []

    def found(self, entry: LedgerEntry) -> Found:
        """Return whether an entry of ours is present, changed by the user, or absent."""
        return self._found(self._of[identity(entry)].planned)

    def check(self, entry: edit.Entry) -> None:
        """Raise Refused if something on the path of an entry has the wrong type."""
        self._checked(lambda: edit.check(self._parsed, entry))

    def has(self, entry: edit.Entry) -> bool:
        """Return whether an equal entry is in the document, whoever wrote it."""
        return self._found(entry) is Found.PRESENT

    def is_ours(self, value: Json) -> bool:
        """Return whether some entry of ours has this value."""
        return self._ours[_canonical(value)] > 0

    def foreign_items(self, at: tuple[str, ...]) -> Iterator[Json]:
        """Yield the items of a list that are not ours."""
        return (item for item in self.items(at) if not self.is_ours(item))

    def copies(self, entry: LedgerEntry) -> int:
        """Return how many equal items the list has beside ours."""
        insertion = self._of[identity(entry)]
        if insertion.entry.op != "item":
            return 0
        canonical = _canonical(insertion.entry.value)
        return max(0, self._count(insertion.entry.path)[canonical] - self._ours[canonical])

    def edited(self, entry: LedgerEntry) -> Json | Missing:
        """Return the item of ours that the user has changed, as it is now; MISSING if none is.

        It is recognised by our longest string, which is its command.
        """
        own = self._of[identity(entry)].entry
        needle = longest_string(own.value)
        if own.op != "item" or not needle:
            return MISSING
        return self.item_with(own.path, needle)

    def item_with(self, at: tuple[str, ...], text: str) -> Json | Missing:
        """Return the first foreign item with a string that contains a text, or MISSING."""
        for item in self.foreign_items(at):
            if any(text in one for one in strings(item)):
                return item
        return MISSING

    # --- changes

    def insert(self, owner: Identity, entry: edit.Entry) -> None:
        """Insert an entry of ours; `check` says whether that is possible."""
        self._own(owner, Insertion(entry, None, {}, entry.value))
        self._add(entry)

    def share(self, owner: Identity, insertion: Insertion) -> None:
        """Make a further ledger entry stand for an insertion."""
        insertion.owners[owner] = None
        self._of[owner] = insertion

    def adopt(self, owner: Identity, entry: edit.Entry) -> None:
        """Take over an entry that is in the document but missing in the ledger."""
        self.is_changed = True
        self._own(owner, Insertion(entry, len(self._patches), {}, entry.value))

    def recognise(self, entry: LedgerEntry, value: Json) -> None:
        """Take the value that the user has given an entry as ours, so that it can be replaced."""
        insertion = self._of[identity(entry)]
        self._set_value(insertion, value)
        insertion.entry = replace(insertion.entry, value=value)

    def insert_foreign(self, at: tuple[str, ...], value: Json) -> None:
        """Give something of the user's an item of its own, which is not ours. Raises Refused."""
        entry = edit.Entry("item", at, value)
        self._add(entry)
        self._parsed = self._checked(lambda: edit.insert(self._parsed, [entry])[0])

    def change(self, entry: LedgerEntry, value: Json) -> None:
        """Give an entry of ours a new value, for all who share it."""
        insertion = self._of[identity(entry)]
        self._take(insertion.planned)
        self._add(replace(insertion.entry, value=value))
        self._set_value(insertion, value)

    def remove(self, entry: LedgerEntry) -> None:
        """Take an entry of ours out, unless others share it."""
        owner = identity(entry)
        insertion = self._of.pop(owner)
        del insertion.owners[owner]
        if not insertion.owners:
            self._take(insertion.planned)
            self._set_value(insertion, MISSING)

    def disown(self, entry: LedgerEntry) -> None:
        """Leave an entry to the user: it stays in the document and is not ours any more."""
        owner = identity(entry)
        insertion = self._of.pop(owner)
        del insertion.owners[owner]
        if not insertion.owners:
            self._set_value(insertion, MISSING)
            self._insertions.remove(insertion)

    # --- the result

    def rewritten(self) -> tuple[bytes, tuple[dict[str, Any], ...], dict[Identity, Inserted]]:
        """Return the new bytes, the patches, and what each ledger entry now has inserted.

        Raises Refused if the text cannot be changed safely.
        """
        known: dict[int, list[Insertion]] = {}
        for one in self._insertions:
            if one.batch is not None:
                known.setdefault(one.batch, []).append(one)
        old = [known[number] for number in sorted(known)]
        new = [one for one in self._insertions if one.batch is None and one.value is not MISSING]
        batches = [
            edit.Batch(tuple(one.entry for one in some), self._patch(number))
            for number, some in sorted(known.items())
        ]
        changes = {
            (number, index): one.value
            for number, some in enumerate(old)
            for index, one in enumerate(some)
            if one.value is MISSING or one.value != one.entry.value
        }
        entries = [one.planned for one in new]
        result = self._checked(lambda: edit.rewrite(self._parsed, batches, changes, entries))
        inserted: dict[Identity, Inserted] = {}
        for (number, index), (batch, _) in result.moved.items():
            one = [*old, new][number][index]
            row = Inserted(self.format, one.entry.path, one.value, batch)
            inserted.update(dict.fromkeys(one.owners, row))
        patches = tuple(codec.plain(batch.patch) for batch in result.batches)
        return result.document.data, patches, inserted

    def _patch(self, number: int) -> edit.Patch:
        """Return the patch of a batch; adopted entries have none."""
        if number < len(self._patches):
            return codec.decode(edit.Patch, self._patches[number])
        return edit.Patch()

    # --- inside

    def _own_known(self, entry: LedgerEntry, inserted: Inserted) -> None:
        at, is_key = inserted.at, entry.kind == "key"
        shared = self.keys.get(at) if is_key else None
        if shared is not None:
            self.share(identity(entry), shared)
            return
        own = edit.Entry("key" if is_key else "item", at, inserted.value)
        self._own(identity(entry), Insertion(own, inserted.batch, {}, inserted.value))

    def _own(self, owner: Identity, insertion: Insertion) -> None:
        self._insertions.append(insertion)
        self.share(owner, insertion)
        self._ours[_canonical(insertion.value)] += 1
        if insertion.entry.op == "key":
            self.keys[insertion.entry.path] = insertion

    def _set_value(self, insertion: Insertion, value: Json | Missing) -> None:
        """Give an insertion a new value; with MISSING it is ours no longer."""
        self._ours[_canonical(insertion.value)] -= 1
        insertion.value = value
        if not isinstance(value, Missing):
            self._ours[_canonical(value)] += 1
        elif self.keys.get(insertion.entry.path) is insertion:
            del self.keys[insertion.entry.path]

    def _found(self, entry: edit.Entry) -> Found:
        if self.format == "text":
            return self._found_block(entry)
        if entry.op == "key":
            value = self.get(entry.path)
            if value is MISSING:
                return Found.ABSENT
            return Found.PRESENT if _canonical(value) == _canonical(entry.value) else Found.CHANGED
        if self._count(entry.path)[_canonical(entry.value)] > 0:
            return Found.PRESENT
        needle = longest_string(entry.value)
        changed = needle and self.item_with(entry.path, needle) is not MISSING
        return Found.CHANGED if changed else Found.ABSENT

    def _found_block(self, entry: edit.Entry) -> Found:
        if self.is_ours(entry.value) and any(
            one.batch is None and one.entry.value == entry.value for one in self._insertions
        ):
            return Found.PRESENT
        gone = any(
            one.value is MISSING and one.entry.value == entry.value for one in self._insertions
        )
        return Found.ABSENT if gone else self._parsed.find(entry)

    def _count(self, at: tuple[str, ...]) -> Counter[str]:
        """Return how often each item is in a list as it will be."""
        if at not in self._counts:
            self._counts[at] = Counter(map(_canonical, self.items(at)))
        return self._counts[at]

    def _add(self, entry: edit.Entry) -> None:
        """Note that an entry comes into the document."""
        self.is_changed = True
        if entry.op == "item":
            self._count(entry.path)[_canonical(entry.value)] += 1
        elif self.format != "text":
            self._new_keys[entry.path] = entry.value

    def _take(self, entry: edit.Entry) -> None:
        """Note that an entry leaves the document."""
        self.is_changed = True
        if entry.op == "item":
            self._count(entry.path)[_canonical(entry.value)] -= 1
        elif self.format != "text":
            self._new_keys[entry.path] = MISSING

    def _checked(self, step: Callable[[], Any]) -> Any:
        try:
            return step()
        except edit.DocumentError as error:
            raise Refused(f"{self.path}: {error}; nothing was changed") from None


def _canonical(value: Json | Missing) -> str:
    """Return a text that is the same for equal values, and keeps true and 1 apart."""
    return "" if isinstance(value, Missing) else json.dumps(value, sort_keys=True)


def longest_string(value: Json) -> str:
    """Return the longest string in a value: of a hook's entry that is its command."""
    return max(strings(value), key=len, default="")
