"""Activate: from plans to the files as they should be. Pure: reads through the work, writes nothing.

A placement is made once and then left alone; an upgrade changes only what its new plan says
differently; what the user has changed or removed stays as he wants it and is reported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hatch_agentplugin.place import entries as documents
from hatch_agentplugin.place._problem import FileProblem
from hatch_agentplugin.place.context import Context
from hatch_agentplugin.place.discover import Installed
from hatch_agentplugin.place.documents import MISSING, Found, Json, Missing, Record
from hatch_agentplugin.place.ledger import Placed, PluginRow
from hatch_agentplugin.place.locate import Place
from hatch_agentplugin.place.ownfiles import place_file, take_file
from hatch_agentplugin.place.report import Refused
from hatch_agentplugin.place.wanted import Spot, Wanted, WantedError, caller, wanted
from hatch_agentplugin.place.work import Owner, Work, events_of, named, record_of
from hatch_agentplugin.plan import HostPlan, Plan

#: Text of the launcher for one plugin: (plugin id, bundle) -> content.
RenderLauncher = Callable[[str, Path], bytes]


@dataclass(frozen=True)
class Activation:
    """What is asked for."""

    plugins: tuple[tuple[Installed, Plan], ...]
    hosts: tuple[str, ...]
    place: Place
    replace: bool = False
    """Take over from another environment; write again what the user has changed or removed."""


def activate(
    work: Work,
    asked: Activation,
    context: Context,
    render_launcher: RenderLauncher,
    failed: Collection[str] = (),
) -> None:
    """Make the placements of all plugins in all hosts. Failures become rows of the report."""
    for installed, plan in asked.plugins:
        if not _may_own(work, installed, asked, context):
            continue
        for host in asked.hosts:
            if host in failed:
                continue
            owner = Owner(
                plugin=installed.id,
                version=installed.version,
                host=host,
                scope=asked.place.scope,
                project=asked.place.project if asked.place.in_project else None,
                environment=context.environment,
            )
            saved = work.save()
            try:
                _activate_host(work, owner, installed, plan.hosts.get(host), asked, context)
            except (Refused, FileProblem) as error:
                work.restore(saved)
                work.rows.append(owner.row("failed", str(error)))
        _own(work, installed, context, render_launcher)


def _may_own(work: Work, installed: Installed, asked: Activation, context: Context) -> bool:
    """Whether this environment may place the plugin: another one has it only for itself."""
    row = work.plugins.get(installed.id)
    if row is None or row.environment == context.environment or asked.replace:
        return True
    if not any(placed.plugin == installed.id for placed in work.placed):
        return True
    if not os.path.isfile(os.path.join(row.bundle, "plan.json")):
        return True
    owner = Owner(installed.id, installed.version, "", asked.place.scope, None, "")
    work.rows.append(
        owner.row(
            "failed",
            f"{row.version} is active from {row.environment}; "
            "--replace lets this environment take it over",
        )
    )
    return False


def _own(
    work: Work, installed: Installed, context: Context, render_launcher: RenderLauncher
) -> None:
    """Write the launcher and enter the plugin into the ledger, where anything is placed."""
    mine = [placed for placed in work.placed if placed.plugin == installed.id]
    if not mine:
        return
    data = render_launcher(installed.id, installed.bundle)
    path = context.launcher(installed.id)
    if work.desk.read(path) != data:
        work.desk.write(path, data, mine[-1].host, executable=True, private=True)
    work.plugins[installed.id] = PluginRow(
        bundle=str(installed.bundle),
        python=context.python,
        runtime=context.runtime,
        version=installed.version,
        environment=context.environment,
    )


def _activate_host(
    work: Work,
    owner: Owner,
    installed: Installed,
    plan: HostPlan | None,
    asked: Activation,
    context: Context,
) -> None:
    if plan is None or not plan.scopes:
        work.rows.append(owner.row("skipped", "the plugin has no hooks for this host"))
        return
    if owner.scope not in plan.scopes:
        scopes = ", ".join(plan.scopes)
        work.rows.append(
            owner.row("skipped", f"the host has no {owner.scope} scope, only {scopes}")
        )
        return
    _check_scopes(work, owner, asked)
    launcher = context.launcher(owner.plugin)
    who = caller(owner.host, plan, owner.plugin, launcher, context.machine, asked.place)
    try:
        wish = wanted(plan, installed.bundle, who, context.machine, asked.place)
    except WantedError as error:
        raise Refused(str(error)) from None
    mine = [placed for placed in work.placed if owner.has(placed)]
    _drop_gone(work, owner, mine, {one.key for one in wish.placements})
    wish_here = [_under_known_names(work, one) for one in wish.placements]
    _Host(work, owner, asked.replace).place(wish_here)
    if not any(owner.has(placed) for placed in work.placed):
        return
    for path, data in wish.scripts:
        _write_private(work, owner, path, data, executable=True)
    mark = context.state.plugin(owner.plugin) / "hosts" / f"{owner.host}.{owner.scope}"
    _write_private(work, owner, mark, b"", executable=False)


def _check_scopes(work: Work, owner: Owner, asked: Activation) -> None:
    """One home per hook: the user's own entry and a project's would both fire."""
    if not asked.place.in_project or asked.replace:
        return
    for placed in work.placed:
        if (placed.plugin, placed.host) != (owner.plugin, owner.host):
            continue
        if placed.scope == "user":
            raise Refused(
                "active for this user already, in every project; --replace adds it to the project "
                "too, where it stays silent for you"
            )
        if placed.project == owner.project and placed.scope not in ("managed", owner.scope):
            raise Refused(f"active in this project already, in the {placed.scope} scope")


def _under_known_names(work: Work, one: Wanted) -> Wanted:
    spots = tuple(replace(spot, path=work.name(spot.path)) for spot in one.spots)
    return replace(one, spots=spots)


def _write_private(work: Work, owner: Owner, path: Path, data: bytes, executable: bool) -> None:
    if work.desk.read(path) != data:
        work.desk.write(path, data, owner.host, executable=executable, private=True)


def _drop_gone(work: Work, owner: Owner, mine: Sequence[Placed], keys: Collection[str]) -> None:
    """Take out what the new plan no longer has."""
    gone = [placed for placed in mine if placed.placement.get("key") not in keys]
    for placed in gone:
        if placed.record is None:
            take_file(work, owner, placed)
        elif work.found(placed) is Found.PRESENT:
            work.change(placed.path, owner.host, [(placed, MISSING)])
            work.rows.append(owner.row("removed", path=placed.path, events=events_of(placed)))
        else:
            work.strike(placed)
            work.rows.append(
                owner.row("kept", "changed or removed by you", path=placed.path,
                          events=events_of(placed))
            )  # fmt: skip


@dataclass
class _Host:
    """The placements of one plugin in one host and scope."""

    work: Work
    owner: Owner
    replace: bool

    def place(self, wish: Sequence[Wanted]) -> None:
        """Make every placement that is not there yet, and renew what differs. Raises Refused."""
        self._renew([one for one in wish if one.kind != "file"])
        chosen = self._choose(wish)
        for one in wish:
            old = self._mine(one)
            if one.kind == "file":
                place_file(self.work, self.owner, one, old, self.replace)
            elif old is None:
                self._add(one, chosen[one.key])

    def _mine(self, one: Wanted) -> Placed | None:
        paths = {str(spot.path) for spot in one.spots}
        same = [
            p for p in self.work.placed if self.owner.has(p) and p.placement.get("key") == one.key
        ]
        return next((p for p in same if p.path in paths), None)

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
                edit = self.work.edited(old)
                if edit is None:
                    self.work.strike(old)
                    continue
                old = self.work.swap(old, replace(old, record=edit.to_json()))
                self._row("updated", one, old.path, "your change is replaced")
            if record_of(old).value != one.value:
                changes.setdefault(old.path, []).append((old, one.value))
        for path, values in changes.items():
            self.work.change(path, self.owner.host, values)
        for one in wish:
            old = self._mine(one)
            if old is not None:
                self.work.swap(old, replace(
                    old, version=self.owner.version, environment=self.owner.environment
                ))  # fmt: skip

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
            present = documents.standing(data, one.kind, one.format, spot.at, one.value)
        placement: dict[str, Any] = {"key": one.key, "events": list(one.events)}
        path = str(spot.path)
        if one.launches:
            stale = self._unknown(one, spot, data)
            if stale is not None:
                self._adopt(one, path, stale, placement)
                return
        elif present is not None and one.value not in self.work.ours(path):
            self._row("skipped", one, path, "you have this very entry already")
            return
        self.work.append(self.owner, spot.path, one.kind, one.format, spot.at, one.value, placement)
        self._row("placed", one, path)

    def _unknown(self, one: Wanted, spot: Spot, data: bytes) -> Record | None:
        """An entry with our very command that the ledger does not know: the ledger was lost."""
        like = Record(one.format, "item", spot.at, one.value, ("",))
        with named(spot.path):
            for command in one.commands:
                found = documents.like(data, like, command, self.work.ours(spot.path))
                if found is not None:
                    return found
        return None

    def _adopt(self, one: Wanted, path: str, stale: Record, placement: dict[str, Any]) -> None:
        self.work.enter(self.owner, Path(path), one.kind, placement, record=stale)
        if self.replace and stale.value != one.value:
            self.work.change(path, self.owner.host, [(self.work.placed[-1], one.value)])
        self._row("adopted", one, path, "an entry with this command was there already")

    def _is_settled(self, one: Wanted, spot: Spot, data: bytes) -> bool:
        """Whether a key needs no writing: one of the user's is fine, or plugins share ours."""
        with named(spot.path):
            if not documents.is_there(data, one.format, spot.at):
                return False
            present = documents.standing(data, "key", one.format, spot.at, one.value)
        if present is None and not one.keep:
            raise Refused(
                f"{spot.path}: {'.'.join(spot.at)} has another value; nothing was changed"
            )
        for other in self.work.at(str(spot.path)):
            if other.kind == "key" and record_of(other).path == spot.at:
                placement = {**other.placement, "key": one.key, "events": list(one.events)}
                record = record_of(other)
                self.work.enter(self.owner, spot.path, "key", placement, record=record)
                break
        return True

    def _row(self, state: str, one: Wanted, path: str, note: str = "") -> None:
        self.work.rows.append(
            self.owner.row(state, note, path=path, events=one.events, commands=one.commands)
        )
