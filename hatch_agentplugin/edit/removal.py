"""Remove entries from a document: by their text or, if that has changed, by their value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hatch_agentplugin.edit import splices
from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.expected import is_rest
from hatch_agentplugin.edit.model import Batch, DocumentError, Entry, Path
from hatch_agentplugin.edit.values import dotted


def undo(document: Document, batches: Sequence[Batch]) -> Document | None:
    """Remove whole batches by their text, the last one first.

    Returns None if the text of one of them has changed, or if anything else would change.
    """
    text = document.text
    for batch in reversed(batches):
        undone = splices.undo(text, batch.patch.splices, document.accepts)
        if undone is None:
            return None
        text, _ = undone
    entries = [entry for batch in batches for entry in batch.entries]
    created = [path for batch in batches for path in batch.patch.created]
    return rest_of(document, text, entries, created)


def rest_of(
    document: Document, text: str, entries: Sequence[Entry], created: Sequence[Path]
) -> Document | None:
    """Parse the text that a removal has left.

    Returns None unless it is the document without the entries, with all comments. Created
    containers that have become empty may be missing too.
    """
    try:
        rest = document.parse(text)
    except DocumentError:
        return None
    fits = is_rest(document.root, rest.root, entries, created)
    return rest if fits and rest.comments() == document.comments() else None


def cut(document: Document, entry: Entry) -> Document:
    """Remove one entry, which the document holds, by its value. All comments stay.

    A container goes with its last entry if the format cannot write it empty. Raises
    DocumentError if the entry cannot be removed without changing anything else.
    """
    return _checked(document, document.without_entry(entry), [entry], entry.path)


def prune(document: Document, created: Iterable[Path], before: str | None) -> Document:
    """Remove our empty containers; `before` is the text before our first insertion."""
    for path in sorted(set(created), key=len, reverse=True):
        if document.is_blank or document.get(path) not in ({}, []):
            continue
        text = document.without_empty(path, before)
        if text != document.text:
            document = _checked(document, text, [], path)
    return document


def _checked(document: Document, text: str, entries: Sequence[Entry], path: Path) -> Document:
    around = [path[:length] for length in range(len(path) + 1)]
    rest = rest_of(document, text, entries, around)
    if rest is None:
        raise DocumentError(f"cannot take the entry out of {dotted(path)}")
    return rest
