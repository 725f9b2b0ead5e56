"""Files that are ours alone: written whole, removed whole, never over a file that is not ours."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from hatch_agentplugin.activate.resolve import Wanted
from hatch_agentplugin.activate.result import Done
from hatch_agentplugin.activate.workspace import Owner, Work, events_of
from hatch_agentplugin.transaction.ledger import Placed


def place_file(work: Work, owner: Owner, one: Wanted, old: Placed | None, again: bool) -> None:
    """Write a file of our own, or leave it as it is. ``again`` overrules the user's edits."""
    if old is None:
        _first(work, owner, one)
        return
    path = Path(old.path)
    data = work.desk.read(path)
    state: Done
    if data == one.data:
        state, note = "unchanged", ""
    elif data is not None and sha256(data).hexdigest() == old.sha256:
        state, note = "updated", ""
    elif again:
        state, note = "placed", ""
    else:
        what = "removed" if data is None else "changed"
        _row(work, owner, one, old.path, "kept", f"{what} by you; --replace writes it again")
        return
    if state != "unchanged":
        work.desk.write(path, one.data, owner.host, executable=one.executable)
        _tell_sharers(work, old, sha256(one.data).hexdigest())
    now = replace(
        old,
        version=owner.version,
        environment=owner.environment,
        sha256=sha256(one.data).hexdigest(),
        placement=one.placement(created=True),
    )
    if now != old:
        work.swap(old, now)
    _row(work, owner, one, old.path, state, note)


def take_file(work: Work, owner: Owner, placed: Placed) -> None:
    """Remove a file of our own, unless the user has changed it."""
    data = work.desk.read(Path(placed.path))
    work.strike(placed)
    others = [one.host for one in work.at(placed.path) if one.sha256 is not None]
    state: Done
    if others:
        state, note = "removed", f"the file stays for {', '.join(others)}"
    elif data is None:
        state, note = "gone", "it was removed already"
    elif sha256(data).hexdigest() != placed.sha256:
        state, note = "kept", "you have changed it; remove it yourself"
    else:
        work.desk.write(Path(placed.path), None, owner.host)
        state, note = "removed", ""
    work.rows.append(owner.row(state, note, path=placed.path, events=events_of(placed)))


def _first(work: Work, owner: Owner, one: Wanted) -> None:
    """Take the first name that is free, or that holds our very content already."""
    if one.content and _share(work, owner, one):
        return
    for spot in one.spots:
        data = work.desk.read(spot.path)
        if data is not None and (data != one.data or _is_owned(work, spot.path)):
            continue
        if data is None:
            work.desk.write(spot.path, one.data, owner.host, executable=one.executable)
        kind = "shim" if one.key.startswith("shim:") else "file"
        work.enter(owner, spot.path, kind, one.placement(created=True), data=one.data)
        note = "" if data is None else "the very file was there already"
        _row(work, owner, one, str(spot.path), "placed" if data is None else "adopted", note)
        return
    names = ", ".join(f"{spot.path} ({_holder(work, spot.path)})" for spot in one.spots)
    _row(work, owner, one, "", "failed", f"every name is taken: {names}")


def _share(work: Work, owner: Owner, one: Wanted) -> bool:
    """Enter a file that another host of the plugin has placed, and bring it up to date."""
    for spot in one.spots:
        path = str(spot.path)
        owned = [p for p in work.at(path) if p.plugin == owner.plugin and p.sha256 is not None]
        if not owned:
            continue
        if work.desk.read(spot.path) != one.data:
            work.desk.write(spot.path, one.data, owner.host, executable=one.executable)
            _tell_sharers(work, owned[0], sha256(one.data).hexdigest())
        work.enter(owner, spot.path, "file", one.placement(created=True), data=one.data)
        _row(work, owner, one, path, "placed", f"shared with {owned[0].host}")
        return True
    return False


def _tell_sharers(work: Work, old: Placed, sha256: str) -> None:
    """The ledger's content of a file is that of all hosts that share it."""
    for one in work.at(old.path):
        if one is not old and one.sha256 == old.sha256:
            work.swap(one, replace(one, sha256=sha256))


def _holder(work: Work, path: Path) -> str:
    """Whose a file is that stands where ours would."""
    plugins = [placed.plugin for placed in work.at(str(path)) if placed.sha256]
    return f"by the plugin {plugins[0]}" if plugins else "by a file that is not ours"


def _is_owned(work: Work, path: Path) -> bool:
    return any(placed.sha256 for placed in work.at(str(path)))


def _row(work: Work, owner: Owner, one: Wanted, path: str, state: Done, note: str = "") -> None:
    work.rows.append(owner.row(state, note, path=path, events=one.events, commands=one.commands))
