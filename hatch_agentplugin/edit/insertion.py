"""Insert entries into a document: one parse before, one parse to check the result."""

from __future__ import annotations

from collections.abc import Sequence

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.grown import Grown
from hatch_agentplugin.edit.model import Batch, DocumentError, Entry, Patch, Path
from hatch_agentplugin.edit.splices import apply
from hatch_agentplugin.edit.values import WrongType, dotted


def insert(document: Document, entries: Sequence[Entry]) -> tuple[Document, Batch]:
    """Insert all entries; create the containers that are missing.

    Returns the new document, and the batch with which `rewrite` takes the entries out again. The
    bytes are the same as if the entries were inserted one by one. Raises DocumentError if an entry
    does not fit; then nothing is inserted.
    """
    if not entries:
        return document, Batch(())
    grown, steps = _grow(document, entries)
    splices = document.place(steps)
    text = apply(document.text, splices)
    try:
        text.encode()
        made: Document | None = document.parse(text)
    except (DocumentError, UnicodeEncodeError):
        made = None
    if made is None or made.root != grown.root or made.comments() != document.comments():
        names = ", ".join(dict.fromkeys(dotted(entry.path) for entry in entries))
        raise DocumentError(f"cannot insert {names} without changing the rest")
    created = _created(steps) if document.has_tree else ()
    if document.is_blank:
        patch = Patch(tuple(splices), ((), *created), document.text)
    else:
        patch = Patch(tuple(splices), created)
    return made, Batch(tuple(entries), patch)


def check(document: Document, entry: Entry) -> None:
    """Raise DocumentError if something on the path of an entry has the wrong type."""
    _grow(document, [entry])


def inserted_text(document: Document, entries: Sequence[Entry]) -> str | None:
    """Return the text that `insert` would make, unchecked; None if an entry does not fit."""
    try:
        _, steps = _grow(document, entries)
        return apply(document.text, document.place(steps))
    except DocumentError:
        return None


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
