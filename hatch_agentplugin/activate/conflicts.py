"""What is in the way of servers, skills, commands and rules: the user's own of the same name.

Content is not needed by the hooks, so a conflict leaves out the one thing and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from hatch_agentplugin.activate.resolve import Wanted
from hatch_agentplugin.activate.result import Done
from hatch_agentplugin.activate.workspace import Owner, Work, named, record_of
from hatch_agentplugin.edit import entries as documents
from hatch_agentplugin.transaction.ledger import Placed


def without_conflicts(work: Work, owner: Owner, wish: Sequence[Wanted]) -> list[Wanted]:
    """The placements that can be made or are made already; of the others the report has a row.

    Raises Refused for a document that cannot be read.
    """
    kept: list[Wanted] = []
    blocked: dict[str, tuple[Done, str]] = {}
    for one in wish:
        if one.content and not _is_mine(work, owner, one):
            found = _foreign(work, owner, one)
            if found is not None:
                name = one.unit or one.key
                if blocked.get(name, ("skipped",))[0] == "skipped":
                    blocked[name] = found
    for one in wish:
        found = blocked.get(one.unit or one.key)
        if found is None or _is_mine(work, owner, one):
            kept.append(one)
            continue
        state, note = found
        path = str(one.spots[0].path)
        work.rows.append(owner.row(state, note, path=path, events=one.events))
    return kept


def _is_mine(work: Work, owner: Owner, one: Wanted) -> bool:
    return any(
        placed.placement.get("key") == one.key and owner.has(placed)
        for spot in one.spots
        for placed in work.at(str(spot.path))
    )


def _foreign(work: Work, owner: Owner, one: Wanted) -> tuple[Done, str] | None:
    """What stands in a placement's way: the state of its row and why."""
    for spot in one.spots:
        data = work.desk.read(spot.path)
        if data is None:
            continue
        if one.kind == "file":
            found = _foreign_file(work, owner, one, spot.path, data)
        else:
            with named(spot.path):
                found = _foreign_value(work, one, spot.path, spot.at, data)
        if found is not None:
            return found
    return None


def _foreign_file(
    work: Work, owner: Owner, one: Wanted, path: Path, data: bytes
) -> tuple[Done, str] | None:
    sharers = sharers_of(work, owner.plugin, str(path))
    if sharers and sharers[0].sha256 == sha256(data).hexdigest():
        return None
    if sharers:
        return "kept", f"{path} is changed by you"
    others = [placed.plugin for placed in work.at(str(path))]
    if others:
        return "failed", f"{path} is there already, from {others[0]}"
    if data == one.data:
        return "skipped", "you have this very file already"
    return "failed", f"{path} is not ours; nothing of it was changed"


def _foreign_value(
    work: Work, one: Wanted, path: Path, at: tuple[str, ...], data: bytes
) -> tuple[Done, str] | None:
    records = [record_of(placed) for placed in work.at(str(path)) if placed.record]
    if one.kind == "item":
        name = one.value.get("name") if isinstance(one.value, dict) else None
        ours = work.ours(path)
        for item in documents.items(data, one.format, at):
            if isinstance(item, dict) and item.get("name") == name and item not in ours:
                return "failed", f'{path} has another "{name}"; nothing was changed'
        return None
    standing = documents.standing(data, "key", one.format, at, one.value)
    if standing is not None:
        same = [record for record in records if record.op == "key" and record.path == at]
        # Blocks of text have no key in the file: an equal one of another plugin is not in the way.
        is_ours = bool(same) or (one.format == "text" and one.value in work.ours(path))
        return None if is_ours else ("skipped", "you have the very same already")
    if documents.is_there(data, one.format, at):
        return "failed", f"{path}: {'.'.join(at)} has another value; nothing was changed"
    return None


def sharers_of(work: Work, plugin: str, path: str) -> list[Placed]:
    """What the ledger has of a file that several hosts of a plugin may share."""
    return [one for one in work.at(path) if one.plugin == plugin and one.sha256 is not None]
