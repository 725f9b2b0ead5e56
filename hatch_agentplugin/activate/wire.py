"""The placements of one plugin in one host and scope: make, renew, or leave to the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hatch_agentplugin.activate.own_files import place_file
from hatch_agentplugin.activate.resolve import Spot, Wanted
from hatch_agentplugin.activate.result import Done, Refused
from hatch_agentplugin.activate.workspace import Owner, Work, named, record_of
from hatch_agentplugin.edit import Found, Json, Missing, Record
from hatch_agentplugin.edit import entries as documents
from hatch_agentplugin.transaction.ledger import Placed


@dataclass
class Wiring:
    """The placements of one plugin in one host and scope."""

    work: Work
    owner: Owner
    replace: bool

    def place(self, wish: Sequence[Wanted]) -> None:
        """Make every placement that is not there yet, and renew what differs. Raises Refused."""
        before = len(self.work.rows)
        self._renew([one for one in wish if one.kind != "file"])
        chosen = self._choose(wish)
        for one in wish:
            old = self._mine(one)
            if one.kind == "file":
                place_file(self.work, self.owner, one, old, self.replace)
            elif old is None:
                self._add(one, chosen[one.key])
        # In the order of the files and of the wish, whether they are made or renewed.
        order = {(one.events, one.commands): number for number, one in enumerate(wish)}
        self.work.rows[before:] = sorted(
            self.work.rows[before:],
            key=lambda row: (row.path, order.get((row.events, row.commands), 0)),
        )

    def _mine(self, one: Wanted) -> Placed | None:
        """What is placed for this already, in one of its files."""
        found = {
            placed.path: placed
            for placed in self.work.placed.of(self.owner.plugin, self.owner.host)
            if placed.placement.get("key") == one.key and self.owner.has(placed)
        }
        return next((found[str(spot.path)] for spot in one.spots if str(spot.path) in found), None)

    def _renew(self, wish: Sequence[Wanted]) -> None:
        """Bring entries that are there to what the plan says now, in one go per document."""
        changes: dict[str, list[tuple[Placed, Json | Missing]]] = {}
        for one in wish:
            old = self._mine(one)
            if old is None:
                continue
            found = self.work.found(old)
            if found is Found.PRESENT:
                same = record_of(old).value == one.value
                self._row("unchanged" if same else "updated", one, old.path)
            elif not self.replace:
                what = "changed" if found is Found.CHANGED else "removed"
                self._row("kept", one, old.path, f"{what} by you; --replace writes it again")
                continue
            else:
                edit = self.work.edited(old) or self._as_it_is(old)
                if edit is None:
                    self.work.strike(old)
                    continue
                kept = self.work.keep_others(old, edit, self.owner.host)
                old = self._swap_record(old, edit)
                note = "what you had added to it stays" if kept else "your change is replaced"
                self._row("updated", one, old.path, note)
            if record_of(old).value != one.value:
                changes.setdefault(old.path, []).append((old, one.value))
        for path, values in changes.items():
            self.work.change(path, self.owner.host, values)
        for one in wish:
            old = self._mine(one)
            if old is not None and self.work.found(old) is Found.PRESENT:
                placement = one.placement(created=old.placement.get("created", False))
                self.work.swap(old, replace(
                    old, version=self.owner.version, environment=self.owner.environment,
                    placement=placement,
                ))  # fmt: skip

    def _as_it_is(self, old: Placed) -> Record | None:
        """A record for a key of ours with the value that somebody has given it."""
        data = self.work.desk.read(Path(old.path))
        if data is None:
            return None
        with named(old.path):
            return documents.as_it_is(data, record_of(old))

    def _swap_record(self, old: Placed, record: Record) -> Placed:
        """Give an entry another record; one key that several need has one for all of them."""
        for other in self.work.at(old.path):
            if (
                other is not old
                and other.kind == "key" == old.kind
                and (record_of(other).path == record.path)
            ):
                self.work.swap(other, replace(other, record=record.to_json()))
        return self.work.swap(old, replace(old, record=record.to_json()))

    def _choose(self, wish: Sequence[Wanted]) -> Mapping[str, Spot]:
        """The file for each placement: where the user's own hooks for the event are, or the first."""
        chosen: dict[str, Spot] = {}
        for one in (one for one in wish if one.kind == "item"):
            chosen[one.key] = self._spot_of_item(one)
        for one in (one for one in wish if one.kind == "key"):
            paths = [spot.path for spot in one.spots]
            used = [spot.path for spot in chosen.values() if spot.path in paths]
            there = [path for path in paths if self.work.desk.read(path) is not None]
            path = (used or there or paths)[0]
            chosen[one.key] = next(spot for spot in one.spots if spot.path == path)
        return chosen

    def _spot_of_item(self, one: Wanted) -> Spot:
        if len(one.spots) > 1:
            for spot in one.spots:
                data = self.work.desk.read(spot.path)
                if data is None:
                    continue
                with named(spot.path):
                    items = documents.items(data, one.format, spot.at)
                if any(item not in self.work.ours(spot.path) for item in items):
                    return spot
        return one.spots[0]

    def _add(self, one: Wanted, spot: Spot) -> None:
        """Insert an entry, unless it stands there already. Raises Refused."""
        data = self.work.desk.read(spot.path) or b""
        if one.kind == "key" and self._is_settled(one, spot, data):
            return
        with named(spot.path):
            if one.only_if_present and not documents.is_list(data, one.format, spot.at):
                return
            mine = one.launches or (
                documents.standing(data, one.kind, one.format, spot.at, one.value) is None
                or one.value in self.work.ours(spot.path)
            )
        path = str(spot.path)
        if not mine:
            self._row("skipped", one, path, "you have this very entry already")
            return
        if one.launches and (stale := self._unknown(one, spot, data)) is not None:
            self._adopt(one, path, stale)
            return
        self.work.append(
            self.owner, spot.path, one.kind, one.format, spot.at, one.value, one.placement()
        )
        self._row("placed", one, path)

    def _unknown(self, one: Wanted, spot: Spot, data: bytes) -> Record | None:
        """An entry with our very command that the ledger does not know: the ledger was lost."""
        if not data:
            return None
        like = Record(one.format, "item", spot.at, one.value, ("",))
        with named(spot.path):
            for command in one.commands:
                found = documents.like(data, like, command, self.work.ours(spot.path))
                if found is not None:
                    return found
        return None

    def _adopt(self, one: Wanted, path: str, stale: Record) -> None:
        self.work.enter(self.owner, Path(path), one.kind, one.placement(), record=stale)
        if self.replace and stale.value != one.value:
            self.work.change(path, self.owner.host, [(self.work.placed.at(path)[-1], one.value)])
        self._row("adopted", one, path, "an entry with this command was there already")

    def _is_settled(self, one: Wanted, spot: Spot, data: bytes) -> bool:
        """Whether a key needs no writing: one of the user's is fine, or plugins share ours."""
        with named(spot.path):
            present = documents.standing(data, "key", one.format, spot.at, one.value)
            if present is None and not documents.is_there(data, one.format, spot.at):
                return False
        if present is None and not one.keep:
            raise Refused(
                f"{spot.path}: {'.'.join(spot.at)} has another value; nothing was changed"
            )
        for other in self.work.at(str(spot.path)):
            if other.kind == "key" and record_of(other).path == spot.at:
                placement = one.placement(created=other.placement.get("created", False))
                record = record_of(other)
                self.work.enter(self.owner, spot.path, "key", placement, record=record)
                note = f"shared with {other.host}" if one.content else ""
                self._row("placed", one, str(spot.path), note)
                return True
        return one.format != "text"

    def _row(self, state: Done, one: Wanted, path: str, note: str = "") -> None:
        self.work.rows.append(
            self.owner.row(state, note, path=path, events=one.events, commands=one.commands)
        )
