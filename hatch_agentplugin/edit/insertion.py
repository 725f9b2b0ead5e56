"""Insert entries into a document: one parse before, one parse to check the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.expected import Grown
from hatch_agentplugin.edit.model import Batch, DocumentError, Entry, Json, Patch, Path, Splice
from hatch_agentplugin.edit.splices import apply
from hatch_agentplugin.edit.values import WrongType, dotted


@dataclass(frozen=True)
class Draft:
    """An insertion that has been computed, but not checked."""

    root: Mapping[str, Json]
    """The value that the new document must have."""
    splices: tuple[Splice, ...]
    """The new text."""
    created: tuple[Path, ...]
    """The containers that are new; the empty path if the document was blank."""


def insert(document: Document, entries: Sequence[Entry]) -> tuple[Document, Batch]:
    """Insert all entries; create the containers that are missing.

    Returns the new document, and the batch that `rewrite` needs to remove the entries. The
    bytes are the same as if the entries were inserted one by one. Raises DocumentError if an entry
    does not fit; then nothing is inserted.
    """
    if not entries:
        return document, Batch(())
    made = draft(document, entries)
    try:
        text = apply(document.text, made.splices)
        text.encode()
        result: Document | None = document.parse(text)
    except (DocumentError, UnicodeEncodeError):
        result = None
    if result is None or result.root != made.root or result.comments() != document.comments():
        names = ", ".join(dict.fromkeys(dotted(entry.path) for entry in entries))
        raise DocumentError(f"cannot insert {names} without changing the rest")
    before = document.text if document.is_blank else None
    return result, Batch(tuple(entries), Patch(made.splices, made.created, before))


def check(document: Document, entry: Entry) -> None:
    """Raise DocumentError if something on the path of an entry has the wrong type."""
    _grow(document, [entry])


def draft(document: Document, entries: Sequence[Entry]) -> Draft:
    """Compute an insertion. Raises DocumentError if an entry does not fit."""
    grown, steps = _grow(document, entries)
    splices = tuple(document.place(steps))
    if not document.has_tree:
        return Draft(grown.root, splices, ())
    created = _created(steps)
    return Draft(grown.root, splices, ((), *created) if document.is_blank else created)


def _grow(document: Document, entries: Sequence[Entry]) -> tuple[Grown, list[tuple[Entry, int]]]:
    """Insert the entries into the value. Return with each how many keys of its path existed."""
    grown, steps = Grown(document.root), list[tuple[Entry, int]]()
    leaves: set[Path] = set()
    if not document.has_tree:
        return grown, [(entry, 0) for entry in entries]
    for entry in entries:
        if not entry.path:
            raise ValueError("the root itself cannot be inserted")
        inside = next((p for p in _prefixes(entry.path) if p in leaves), None)
        if inside is not None:
            raise DocumentError(f"{dotted(entry.path)} is inside {dotted(inside)}, another entry")
        try:
            steps.append((entry, grown.add(entry)))
        except WrongType as error:
            raise document.misfit(error) from None
        if entry.op == "key" and isinstance(entry.value, (dict, list)):
            leaves.add(entry.path)
    return grown, steps


def _prefixes(path: Path) -> list[Path]:
    return [path[:length] for length in range(1, len(path) + 1)]


def _created(steps: list[tuple[Entry, int]]) -> tuple[Path, ...]:
    """Return the containers that the insertions create."""
    created: dict[Path, None] = {}
    for entry, depth in steps:
        last = len(entry.path) if entry.op == "item" else len(entry.path) - 1
        for length in range(depth + 1, last + 1):
            created[entry.path[:length]] = None
    return tuple(created)
