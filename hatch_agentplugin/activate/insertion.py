"""One entry of ours in a document, and how values are compared and recognised."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from hatch_agentplugin import edit
from hatch_agentplugin.activate.ledger_index import Identity
from hatch_agentplugin.edit import MISSING, Json, Missing, longest_string, strings


@dataclass(eq=False)
class Insertion:
    """One entry of ours in the document, and its ledger entries.

    A key that several plugins need is inserted once and goes with the last of them.
    """

    entry: edit.Entry
    """As in the ledger; if the user has changed it, as in the file."""
    batch: int | None
    """Number of its batch; None if this run inserts it."""
    changed_by: Identity
    """The ledger entry for which it was inserted, changed or removed last."""
    owners: dict[Identity, None] = field(default_factory=dict)
    value: Json | Missing = MISSING
    """Its value after this run; MISSING if it is removed."""

    @property
    def planned(self) -> edit.Entry:
        """The entry after this run."""
        return replace(self.entry, value=self.value)

    @property
    def is_changed(self) -> bool:
        """Whether this run changes or removes it."""
        return isinstance(self.value, Missing) or not edit.same(self.value, self.entry.value)


def canonical(value: Json | Missing) -> str:
    """Return a value as text: the same text for equal values, but not for true and 1."""
    return "" if isinstance(value, Missing) else json.dumps(value, sort_keys=True)


def foreign_part(value: Json, ours: Json) -> Json | None:
    """Return the user's additions to an item of ours: the item without our part.

    For example a handler beside ours in a group. None if nothing was added.
    """
    needle = longest_string(ours)
    if not needle or not isinstance(value, dict):
        return None
    for key, children in value.items():
        if not isinstance(children, list):
            continue
        theirs = [child for child in children if not contains(child, needle)]
        if 0 < len(theirs) < len(children) and any(isinstance(one, dict) for one in theirs):
            return {**value, key: theirs}
    return None


def contains(value: Json, text: str) -> bool:
    """Return whether a string in a value contains a text."""
    return any(text in one for one in strings(value))
