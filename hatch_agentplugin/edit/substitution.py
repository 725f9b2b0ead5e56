"""Replace the entries of a batch in place, if others have written after or around them."""

from __future__ import annotations

from collections.abc import Sequence

from hatch_agentplugin.edit import splices
from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.insertion import draft
from hatch_agentplugin.edit.model import Batch, DocumentError, Entry, Patch, Splice
from hatch_agentplugin.edit.removal import rest_of


def substitute(
    document: Document, batch: Batch, entries: Sequence[Entry]
) -> tuple[Document, Batch] | None:
    """Replace the entries of a batch by other entries, in place.

    Returns the new document and batch. Returns None if the text of the batch has changed, or if the
    new entries need text in other places than the old ones.
    """
    undone = splices.undo(document.text, batch.patch.splices, document.accepts)
    if undone is None or not batch.patch.splices:
        return None
    rest = rest_of(document, undone[0], batch.entries, batch.patch.created)
    if rest is None:
        return None
    if not entries:
        return rest, Batch(())
    try:
        old, new = draft(rest, batch.entries), draft(rest, entries)
    except DocumentError:
        return None
    if [one.pieces for one in old.splices] != [one.pieces for one in batch.patch.splices]:
        return None
    places = {one.offset: place for one, place in zip(old.splices, undone[1], strict=True)}
    if any(one.offset not in places for one in new.splices):
        return None
    moved = tuple(Splice(places[one.offset], one.pieces) for one in new.splices)
    return _checked(
        rest, moved, Batch(tuple(entries), Patch(moved, new.created, batch.patch.before))
    )


def _checked(
    rest: Document, moved: Sequence[Splice], batch: Batch
) -> tuple[Document, Batch] | None:
    if any(not rest.text.startswith(one.kept, one.offset) for one in moved):
        return None
    try:
        made = rest.parse(splices.apply(rest.text, moved))
    except DocumentError:
        return None
    back = rest_of(made, rest.text, batch.entries, batch.patch.created)
    return None if back is None else (made, batch)
