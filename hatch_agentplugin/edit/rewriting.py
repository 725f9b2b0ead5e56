"""Rewrite our entries in a document: remove some, change some, insert new ones, in one write.

If nobody else has edited the document, the result is the same as if only the remaining entries
had ever been inserted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from hatch_agentplugin.edit import removal
from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.insertion import draft, insert
from hatch_agentplugin.edit.model import (
    MISSING,
    Batch,
    DocumentError,
    Entry,
    Found,
    Json,
    Missing,
    Path,
)
from hatch_agentplugin.edit.splices import apply
from hatch_agentplugin.edit.substitution import substitute

#: An entry in a list of batches: the position of the batch, and of the entry in the batch.
Address: TypeAlias = tuple[int, int]
Changes: TypeAlias = Mapping[Address, "Json | Missing"]


@dataclass(frozen=True)
class Rewritten:
    """The result of `rewrite`."""

    document: Document
    """The new document."""
    batches: tuple[Batch, ...]
    """The batches of all our entries that the document holds now, in the order of insertion."""
    moved: Mapping[Address, Address]
    """Old address to new address, for each entry in the new batches.

    The old address of a new entry is its address in an imaginary batch after the last one.
    """


@dataclass
class _State:
    """A document while it is rewritten."""

    document: Document
    kept: list[tuple[list[Address], Batch]]
    """The batches that stay, with the old addresses of their entries."""
    pending: list[tuple[Address, Entry]] = field(default_factory=list)
    """Entries to insert, with their old addresses."""
    created: list[Path] = field(default_factory=list)
    """Containers created by the batches that were removed, in whole or in part."""
    before: str | None = None
    """The original text, if such a batch has created the document."""


def rewrite(
    document: Document,
    batches: Sequence[Batch],
    changes: Changes,
    new: Sequence[Entry] = (),
) -> Rewritten:
    """Remove entries (`MISSING`), give others new values, and insert new ones.

    `batches` are all batches of ours in the document, in the order of insertion. Entries of others
    never move. An entry that somebody has changed or removed is left as it is and dropped from the
    batches. Raises DocumentError if an entry cannot be inserted or removed.
    """
    added = [((len(batches), number), entry) for number, entry in enumerate(new)]
    if not changes:
        return _finished(_State(document, list(_addressed(batches)), added))
    unwound = _unwound(document, batches, changes)
    if unwound is not None:
        unwound.pending += added
        try:
            return _finished(unwound)
        except DocumentError:
            pass  # Entries that stay depend on others that go.
    result = _cut(document, batches, changes)
    result.pending += added
    return _finished(result)


def _addressed(batches: Sequence[Batch]) -> Iterable[tuple[list[Address], Batch]]:
    for number, batch in enumerate(batches):
        yield [(number, index) for index in range(len(batch.entries))], batch


def _unwound(document: Document, batches: Sequence[Batch], changes: Changes) -> _State | None:
    """Remove all batches from the first changed one on, by their text.

    Returns None if that is impossible, or if inserting them again would not give the document:
    then somebody has written after us, and their text would move.
    """
    first = min(number for number, _ in changes)
    pairs = list(_addressed(batches))
    kept = pairs[:first] + [pair for pair in pairs[first:] if not pair[1].patch.splices]
    gone = [pair for pair in pairs[first:] if pair[1].patch.splices]
    if any(address in changes for addresses, _ in kept for address in addresses):
        return None
    rest = removal.undo(document, [batch for _, batch in gone])
    if rest is None:
        return None
    entries = [pair for a, b in gone for pair in zip(a, b.entries, strict=True)]
    pending = [(a, _changed(e, changes.get(a, e.value))) for a, e in entries]
    staying = [(address, entry) for address, entry in pending if entry is not None]
    if staying and not _gives(rest, [entry for _, entry in entries], document):
        return None
    result = _State(rest, kept, staying)
    _retire(result, [batch for _, batch in gone])
    return result


def _gives(rest: Document, entries: Sequence[Entry], document: Document) -> bool:
    """Return whether inserting the entries gives the text of `document`."""
    try:
        return apply(rest.text, draft(rest, entries).splices) == document.text
    except DocumentError:
        return False


def _cut(document: Document, batches: Sequence[Batch], changes: Changes) -> _State:
    """Remove the changed entries one by one; nothing else moves."""
    result = _State(document, [])
    touched = [b for a, b in _addressed(batches) if any(address in changes for address in a)]
    whole = [
        batch
        for addresses, batch in _addressed(batches)
        if batch.patch.splices and all(changes.get(address) is MISSING for address in addresses)
    ]
    undone = removal.undo(document, whole) if whole else None
    if undone is not None:
        result.document = undone
    for addresses, batch in reversed(list(_addressed(batches))):
        if not any(address in changes for address in addresses):
            result.kept.insert(0, (addresses, batch))
        elif undone is None or not any(batch is one for one in whole):
            _cut_batch(result, addresses, batch, changes)
    result.pending.reverse()
    _retire(result, touched)
    return result


def _cut_batch(result: _State, addresses: list[Address], batch: Batch, changes: Changes) -> None:
    """Change or remove some entries of a batch: by its text, or each entry by its value."""
    pairs = list(zip(addresses, batch.entries, strict=True))
    wanted = [(a, _changed(entry, changes.get(a, entry.value))) for a, entry in pairs]
    left = [(address, entry) for address, entry in wanted if entry is not None]
    moved = substitute(result.document, batch, [entry for _, entry in left])
    if moved is not None:
        result.document, batch = moved
        if left:
            result.kept.insert(0, ([address for address, _ in left], batch))
        return
    for address, entry in reversed(pairs):
        if address in changes and result.document.find(entry) is Found.PRESENT:
            result.document = removal.cut(result.document, entry)
            changed = _changed(entry, changes[address])
            if changed is not None:
                result.pending.append((address, changed))
    stay = [(address, entry) for address, entry in pairs if address not in changes]
    if stay:
        # The patch can no longer be undone as a whole.
        rest = Batch(tuple(entry for _, entry in stay), replace(batch.patch, splices=()))
        result.kept.insert(0, ([address for address, _ in stay], rest))


def _changed(entry: Entry, value: Json | Missing) -> Entry | None:
    return None if isinstance(value, Missing) else replace(entry, value=value)


def _retire(result: _State, touched: Sequence[Batch]) -> None:
    """Remove the empty containers of these batches, and remember the others."""
    result.created = [path for batch in touched for path in batch.patch.created]
    result.before = next((b.patch.before for b in touched if () in b.patch.created), None)
    result.document = removal.prune(result.document, result.created, result.before)


def _finished(result: _State) -> Rewritten:
    """Insert the pending entries, and give the containers of removed batches to other batches."""
    entries = [entry for _, entry in result.pending]
    document, batch = insert(result.document, entries)
    kept = list(result.kept)
    if entries:
        kept.append(([address for address, _ in result.pending], batch))
    batches = [one for _, one in kept]
    for path in result.created:
        if document.is_blank or isinstance(document.get(path), Missing):
            continue
        heir = next((i for i, one in enumerate(batches) if _reaches(one, path)), None)
        if heir is not None:
            batches[heir] = _with_created(batches[heir], path, result.before)
    moved = {
        address: (number, index)
        for number, (addresses, _) in enumerate(kept)
        for index, address in enumerate(addresses)
    }
    return Rewritten(document, tuple(batches), moved)


def _reaches(batch: Batch, path: Path) -> bool:
    """Return whether an entry of the batch is in the container at `path`."""
    return any(
        entry.path[: len(path)] == path and len(entry.path) - (entry.op == "key") >= len(path)
        for entry in batch.entries
    )


def _with_created(batch: Batch, path: Path, before: str | None) -> Batch:
    if path in batch.patch.created:
        return batch
    patch = replace(batch.patch, created=(path, *batch.patch.created))
    return replace(batch, patch=patch if path else replace(patch, before=before))
