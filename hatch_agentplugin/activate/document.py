"""One document during a run: parsed once, queried and changed as values, written once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hatch_agentplugin import codec, edit
from hatch_agentplugin.activate.insertion import Insertion, canonical, contains
from hatch_agentplugin.activate.ledger_index import Identity, identity
from hatch_agentplugin.activate.result import Refused
from hatch_agentplugin.edit import MISSING, Found, Json, Missing, longest_string
from hatch_agentplugin.transaction.ledger import Inserted, LedgerEntry

#: A value in one list, or of one block of text.
_Value = tuple[tuple[str, ...], str]


class Document:
    """A document and our entries in it."""

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
        """Our keys by path; the path of a block of text exists only in the ledger."""
        self._counts: dict[tuple[str, ...], Counter[str]] = {}
        """How often each item of a list, or each block of text, will be in the document."""
        self._new_keys: dict[tuple[str, ...], Json | Missing] = {}
        self._present: Counter[_Value] = Counter()
        """Our values in the file as it was before this run."""
        self._planned: Counter[_Value] = Counter()
        """Our values as they will be."""
        self.is_changed = False
        for entry in entries:
            if entry.inserted is not None:
                self._own_known(entry, entry.inserted)

    # --- queries

    def get(self, at: tuple[str, ...]) -> Json | Missing:
        """Return the value at a path, or MISSING; a list as it was before this run."""
        if at in self._new_keys:
            return self._new_keys[at]
        found: Json | Missing = self._parsed.get(at)
        return found

    def items(self, at: tuple[str, ...]) -> list[Json]:
        """Return the list at a path as it was before this run; empty if it is not a list."""
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

    def is_ours(self, entry: edit.Entry) -> bool:
        """Return whether some entry of ours has this place and value."""
        return self._planned[self._value(entry)] > 0

    def foreign_items(self, at: tuple[str, ...]) -> Iterator[Json]:
        """Yield the items that a list had before this run and that are not ours."""
        return (one for one in self.items(at) if not self._present[at, canonical(one)])

    def shareable(self, plugin: str, entry: edit.Entry, keep: bool = False) -> Insertion | None:
        """Return our key at the place of an entry if a plugin can use it too, else None.

        It has the same value, or any value if `keep`, or it is the plugin's own and can be updated.
        """
        ours = self.keys.get(entry.path)
        if ours is None or keep or canonical(ours.value) == canonical(entry.value):
            return ours
        is_own = all(owner[0] == plugin for owner in ours.owners)
        return ours if is_own and self._found(ours.planned) is Found.PRESENT else None

    def copies(self, entry: LedgerEntry) -> int:
        """Return how many equal items the list has beside ours."""
        insertion = self._of[identity(entry)]
        if insertion.entry.op != "item":
            return 0
        return max(0, self._count(insertion.entry) - self._planned[self._value(insertion.entry)])

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
            if contains(item, text):
                return item
        return MISSING

    # --- changes

    def insert(self, owner: Identity, entry: edit.Entry) -> None:
        """Insert an entry of ours; `check` says whether that is possible."""
        self._own(owner, Insertion(entry, None, owner, {}, entry.value))
        self._record(entry, added=True)

    def share(self, owner: Identity, insertion: Insertion) -> None:
        """Add an owner to an insertion that already exists."""
        insertion.owners[owner] = None
        self._of[owner] = insertion

    def adopt(self, owner: Identity, entry: edit.Entry) -> None:
        """Take over an entry that is in the document but missing in the ledger."""
        self.is_changed = True
        self._own(owner, Insertion(entry, len(self._patches), owner, {}, entry.value))

    def recognise(self, entry: LedgerEntry, value: Json) -> None:
        """Treat the user's value of an entry as ours, to be able to replace it."""
        insertion = self._of[identity(entry)]
        self._set_value(insertion, value)
        self._present[self._value(insertion.entry)] -= 1
        insertion.entry = replace(insertion.entry, value=value)
        self._present[self._value(insertion.entry)] += 1

    def insert_foreign(self, at: tuple[str, ...], value: Json) -> None:
        """Insert an item that belongs to the user, not to us. Raises Refused."""
        entry = edit.Entry("item", at, value)
        self._record(entry, added=True)
        self._parsed = self._checked(lambda: edit.insert(self._parsed, [entry])[0])

    def change(self, entry: LedgerEntry, value: Json) -> None:
        """Give an entry of ours a new value, for all plugins that share it."""
        insertion = self._of[identity(entry)]
        insertion.changed_by = identity(entry)
        self._record(insertion.planned, added=False)
        self._record(replace(insertion.entry, value=value), added=True)
        self._set_value(insertion, value)

    def remove(self, entry: LedgerEntry) -> None:
        """Remove an entry of ours, unless other plugins share it."""
        if (insertion := self._released(entry)) is not None:
            insertion.changed_by = identity(entry)
            self._record(insertion.planned, added=False)
            self._set_value(insertion, MISSING)

    def disown(self, entry: LedgerEntry) -> None:
        """Leave an entry to the user: it stays in the document and is no longer ours."""
        if (insertion := self._released(entry)) is not None:
            self._set_value(insertion, MISSING)
            self._present[self._value(insertion.entry)] -= insertion.batch is not None
            self._insertions.remove(insertion)

    def _released(self, entry: LedgerEntry) -> Insertion | None:
        """Take an owner off its insertion. Returns the insertion if that was the last one."""
        owner = identity(entry)
        insertion = self._of.pop(owner)
        del insertion.owners[owner]
        return None if insertion.owners else insertion

    # --- the result

    def rewritten(self) -> tuple[bytes, tuple[dict[str, Any], ...], dict[Identity, Inserted]]:
        """Return the new bytes, the patches, and what each ledger entry now has inserted.

        Raises Refused if the text cannot be changed safely.
        """
        old, batches = self._batches()
        new = self._new()
        changes = _changes(old)
        entries = [one.planned for one in new]
        result = self._checked(lambda: edit.rewrite(self._parsed, batches, changes, entries))
        inserted: dict[Identity, Inserted] = {}
        for (number, index), (batch, _) in result.moved.items():
            one = [*old, new][number][index]
            row = Inserted(self.format, one.entry.path, one.value, batch)
            inserted.update(dict.fromkeys(one.owners, row))
        patches = tuple(codec.plain(batch.patch) for batch in result.batches)
        return result.document.data, patches, inserted

    def culprits(self, error: Refused) -> dict[Identity, str]:
        """Return the ledger entries whose changes cannot be made, and why, after `rewritten` failed.

        Each change is tried alone. If none of them fails, they cannot be made together.
        """
        old, batches = self._batches()
        changed, new = _changes(old), self._new()
        tries: list[tuple[Insertion, Mapping[edit.Address, Any], list[edit.Entry]]] = [
            (old[number][index], {(number, index): value}, [])
            for (number, index), value in changed.items()
        ] + [(one, {}, [one.planned]) for one in new]
        failed: dict[Identity, str] = {}
        for one, change, entries in tries:
            try:
                edit.rewrite(self._parsed, batches, change, entries)
            except edit.DocumentError as why:
                failed[one.changed_by] = f"{self.path}: {why}; nothing was changed"
        return failed or {one.changed_by: str(error) for one, _, _ in tries}

    def _batches(self) -> tuple[list[list[Insertion]], list[edit.Batch]]:
        """Return what is in the file already, by batch, in the order of insertion."""
        known: dict[int, list[Insertion]] = {}
        for one in self._insertions:
            if one.batch is not None:
                known.setdefault(one.batch, []).append(one)
        numbers = sorted(known)
        batches = [
            edit.Batch(tuple(one.entry for one in known[number]), self._patch(number))
            for number in numbers
        ]
        return [known[number] for number in numbers], batches

    def _new(self) -> list[Insertion]:
        return [one for one in self._insertions if one.batch is None and one.value is not MISSING]

    def _patch(self, number: int) -> edit.Patch:
        """Return the patch of a batch; adopted entries have none."""
        if number < len(self._patches):
            return codec.decode(edit.Patch, self._patches[number])
        return edit.Patch()

    # --- inside

    def _own_known(self, entry: LedgerEntry, inserted: Inserted) -> None:
        at, is_key = inserted.at, entry.kind == "key"
        shared = self.keys.get(at) if is_key else None
        if shared and (shared.batch, shared.value) == (inserted.batch, inserted.value):
            self.share(identity(entry), shared)
            return
        own, owner = edit.Entry("key" if is_key else "item", at, inserted.value), identity(entry)
        self._own(owner, Insertion(own, inserted.batch, owner, {}, inserted.value))

    def _own(self, owner: Identity, insertion: Insertion) -> None:
        self._insertions.append(insertion)
        self.share(owner, insertion)
        self._planned[self._value(insertion.planned)] += 1
        self._present[self._value(insertion.entry)] += insertion.batch is not None
        if insertion.entry.op == "key":
            self.keys[insertion.entry.path] = insertion

    def _set_value(self, insertion: Insertion, value: Json | Missing) -> None:
        """Give an insertion a new value; MISSING means that it is no longer ours."""
        self._planned[self._value(insertion.planned)] -= 1
        insertion.value = value
        if not isinstance(value, Missing):
            self._planned[self._value(insertion.planned)] += 1
        elif self.keys.get(insertion.entry.path) is insertion:
            del self.keys[insertion.entry.path]

    def _value(self, entry: edit.Entry) -> _Value:
        """Return the value of an entry with its place; a block of text has none."""
        return (() if self.format == "text" else entry.path), canonical(entry.value)

    def _found(self, entry: edit.Entry) -> Found:
        if entry.op == "key" and self.format != "text":
            value = self.get(entry.path)
            if value is MISSING:
                return Found.ABSENT
            return Found.PRESENT if canonical(value) == canonical(entry.value) else Found.CHANGED
        if self._count(entry) > 0:
            return Found.PRESENT
        if self.format == "text":
            is_edited = self._parsed.find(entry) is Found.CHANGED
        else:
            needle = longest_string(entry.value)
            is_edited = bool(needle) and self.item_with(entry.path, needle) is not MISSING
        return Found.CHANGED if is_edited else Found.ABSENT

    def _count(self, entry: edit.Entry, more: int = 0) -> int:
        """Return how often an item or a block will be in the document, after `more` of it."""
        at, value = self._value(entry)
        if at not in self._counts:
            self._counts[at] = Counter(map(canonical, self.items(at)))
        counts = self._counts[at]
        if self.format == "text" and value not in counts:
            counts[value] = self._parsed.count(entry)
        counts[value] += more
        return counts[value]

    def _record(self, entry: edit.Entry, *, added: bool) -> None:
        """Record that an entry is added to the document, or removed from it."""
        self.is_changed = True
        if entry.op == "item" or self.format == "text":
            self._count(entry, 1 if added else -1)
        else:
            self._new_keys[entry.path] = entry.value if added else MISSING

    def _checked(self, step: Callable[[], Any]) -> Any:
        try:
            return step()
        except edit.DocumentError as error:
            raise Refused(f"{self.path}: {error}; nothing was changed") from None


def _changes(batches: Sequence[Sequence[Insertion]]) -> dict[edit.Address, Json | Missing]:
    """Return what becomes of the insertions that this run changes."""
    return {
        (number, index): one.value
        for number, some in enumerate(batches)
        for index, one in enumerate(some)
        if one.is_changed
    }
