"""Places the resolved placements of one plugin in one host and scope, or leaves them to the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hatch_agentplugin import edit
from hatch_agentplugin.activate.document import Document
from hatch_agentplugin.activate.own_files import add_row, place_file
from hatch_agentplugin.activate.resolve import Candidate, ResolvedPlacement
from hatch_agentplugin.activate.result import Done, Refused
from hatch_agentplugin.activate.workspace import Known, Owner, Workspace, inserted_by
from hatch_agentplugin.edit import MISSING, Found, Json, Missing
from hatch_agentplugin.transaction.ledger import LedgerEntry


@dataclass
class Wiring:
    """The placements of one plugin in one host and scope."""

    workspace: Workspace
    owner: Owner
    replace: bool
    """Override the user's changes and removals."""

    def check(self, placements: Sequence[ResolvedPlacement]) -> None:
        """Raise Refused or FileProblem if a placement cannot be made. Changes nothing."""
        known = self.workspace.known(self.owner)
        for one in placements:
            old = placed_as(one, known)
            if one.kind == "file":
                for candidate in one.candidates:
                    self.workspace.read(candidate.path)
            elif old is not None:
                self.workspace.document_of(old)
        new = [one for one in placements if one.kind != "file" and placed_as(one, known) is None]
        chosen = self._choose(new)
        for one in new:
            self._check_new(one, chosen[one.key])

    def _check_new(self, one: ResolvedPlacement, candidate: Candidate) -> None:
        document = self.workspace.document(candidate.path, one.format)
        entry = _entry(one, candidate)
        if one.only_if_present and not isinstance(document.get(candidate.at), list):
            return
        if one.kind == "item" or document.format == "text":
            document.check(entry)
        elif document.shareable(self.owner.plugin, entry, one.keep):
            return
        elif not document.has(entry):
            if document.get(candidate.at) is MISSING:
                document.check(entry)
            elif not one.keep:
                raise _conflict(candidate)

    def place(self, placements: Sequence[ResolvedPlacement]) -> None:
        """Make every placement that is missing, and update those that differ.

        Raises Refused or FileProblem; then nothing of this host may be kept.
        """
        rows = self.workspace.rows
        first = len(rows)
        documents = [one for one in placements if one.kind != "file"]
        known = self.workspace.known(self.owner)
        for one in documents:
            if (old := placed_as(one, known)) is not None:
                self._update(one, old)
        known = self.workspace.known(self.owner)
        chosen = self._choose([one for one in documents if placed_as(one, known) is None])
        for one in placements:
            if one.kind == "file":
                old = placed_as(one, known)
                place_file(self.workspace, self.owner, one, old, self.replace)
            elif one.key in chosen:
                self._add(one, chosen[one.key])
        # Rows are in the order of files, then of placements, whether they are new or updated.
        order = {(one.events, one.commands): number for number, one in enumerate(placements)}
        rows[first:] = sorted(
            rows[first:], key=lambda row: (row.path, order.get((row.events, row.commands), 0))
        )

    # --- what is placed already

    def _update(self, one: ResolvedPlacement, old: LedgerEntry) -> None:
        """Give an entry the plan's value, unless the user has changed or removed it."""
        found = self.workspace.found(old)
        if found is Found.PRESENT:
            same = edit.same(inserted_by(old).value, one.value)
            self._row("unchanged" if same else "updated", one, old.path)
        elif not self.replace:
            what = "changed" if found is Found.CHANGED else "removed"
            self._row("kept", one, old.path, f"you have {what} it; --replace writes it again")
            return
        elif not self._override(one, old):
            return
        if not edit.same(inserted_by(old).value, one.value) or found is not Found.PRESENT:
            self.workspace.change_value(old, one.value)
        self.workspace.entries.put(
            replace(
                old,
                version=self.owner.version,
                environment=self.owner.environment,
                inserted=replace(inserted_by(old), value=one.value),
                events=one.events,
                commands=one.by_slot,
            )
        )

    def _override(self, one: ResolvedPlacement, old: LedgerEntry) -> bool:
        """Prepare an entry that the user has changed for a new value.

        Returns False if it no longer exists; then it is placed again.
        """
        document = self.workspace.document_of(old)
        value = document.edited(old)
        if value is MISSING and old.kind == "key" and document.format != "text":
            value = document.get(inserted_by(old).at)
        if isinstance(value, Missing):
            self.workspace.forget(old)
            return False
        kept = self.workspace.keep_foreign_part(old, value)
        document.recognise(old, value)
        note = "your additions to it stay" if kept else "your change is replaced"
        self._row("updated", one, old.path, note)
        return True

    # --- what is new

    def _choose(self, new: Sequence[ResolvedPlacement]) -> Mapping[str, Candidate]:
        """Choose the file of each placement: the one with the user's own hooks, else the first."""
        chosen: dict[str, Candidate] = {}
        for one in new:
            if one.kind == "item":
                chosen[one.key] = self._choose_for_item(one)
        for one in new:
            if one.kind == "key":
                paths = [candidate.path for candidate in one.candidates]
                used = [other.path for other in chosen.values() if other.path in paths]
                there = [path for path in paths if self.workspace.exists(path)]
                path = (used or there or paths)[0]
                chosen[one.key] = next(each for each in one.candidates if each.path == path)
        return chosen

    def _choose_for_item(self, one: ResolvedPlacement) -> Candidate:
        for candidate in one.candidates[: len(one.candidates) if len(one.candidates) > 1 else 0]:
            if self.workspace.exists(candidate.path):
                document = self.workspace.document(candidate.path, one.format)
                if any(True for _ in document.foreign_items(candidate.at)):
                    return candidate
        return one.candidates[0]

    def _add(self, one: ResolvedPlacement, candidate: Candidate) -> None:
        """Insert an entry, unless the document has it already. Raises Refused."""
        document = self.workspace.document(candidate.path, one.format)
        path = str(candidate.path)
        entry = _entry(one, candidate)
        if one.kind == "key" and self._has_key(one, candidate, document, entry):
            return
        if one.only_if_present and not isinstance(document.get(candidate.at), list):
            return
        if not one.launches and document.has(entry) and not document.is_ours(entry):
            self._row("skipped", one, path, "you already have an identical entry")
            return
        lost = self._lost(one, candidate, document)
        if not isinstance(lost, Missing):
            self._adopt(one, candidate, replace(entry, value=lost))
            return
        self.workspace.insert(self.owner, candidate.path, one.format, entry, **_ledger_fields(one))
        self._row("placed", one, path)

    def _lost(
        self, one: ResolvedPlacement, candidate: Candidate, document: Document
    ) -> Json | Missing:
        """Return an item with our command that the ledger does not know: the ledger was lost."""
        for command in one.commands if one.launches else ():
            found = document.item_with(candidate.at, command)
            if found is not MISSING:
                return found
        return MISSING

    def _adopt(self, one: ResolvedPlacement, candidate: Candidate, entry: edit.Entry) -> None:
        row = self.workspace.adopt(
            self.owner, candidate.path, one.format, entry, **_ledger_fields(one)
        )
        if self.replace and not edit.same(entry.value, one.value):
            self.workspace.change_value(row, one.value)
        note = "an entry with this command already existed"
        self._row("adopted", one, str(candidate.path), note)

    def _has_key(
        self, one: ResolvedPlacement, candidate: Candidate, document: Document, entry: edit.Entry
    ) -> bool:
        """Return True if the key exists: the user's stays, and one of ours is shared."""
        shared = document.shareable(self.owner.plugin, entry, one.keep)
        if shared is not None:
            host = self.workspace.share(
                self.owner, candidate.path, one.format, entry, one.keep, **_ledger_fields(one)
            )
            note = f"shared with {host}" if one.content else ""
            self._row("placed", one, str(candidate.path), note)
            return True
        if document.format == "text" or document.get(entry.path) is MISSING:
            return False
        if not document.has(entry) and not one.keep:
            raise _conflict(candidate)
        return True

    def _row(self, state: Done, one: ResolvedPlacement, path: str, note: str = "") -> None:
        add_row(self.workspace, self.owner, one, path, state, note)


def _entry(one: ResolvedPlacement, candidate: Candidate) -> edit.Entry:
    return edit.Entry("key" if one.kind == "key" else "item", candidate.at, one.value)


def _conflict(candidate: Candidate) -> Refused:
    where = ".".join(candidate.at)
    return Refused(f"{candidate.path}: {where} has another value; nothing was changed")


def placed_as(one: ResolvedPlacement, known: Known) -> LedgerEntry | None:
    """Return the ledger entry of a placement in one of its files, None if it is not placed."""
    found = (known.get((one.key, str(candidate.path))) for candidate in one.candidates)
    return next((entry for entry in found if entry is not None), None)


def _ledger_fields(one: ResolvedPlacement) -> dict[str, Any]:
    """Return the fields of a placement's ledger entry other than its value."""
    return {"key": one.key, "events": one.events, "commands": one.by_slot}
