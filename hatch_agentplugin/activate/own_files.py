"""Files that are ours alone: written whole, removed whole, never over a file that is not ours."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from hatch_agentplugin.activate.resolve import ResolvedPlacement
from hatch_agentplugin.activate.result import Done
from hatch_agentplugin.activate.workspace import Owner, Workspace
from hatch_agentplugin.transaction.ledger import Kind, LedgerEntry


def place_file(
    workspace: Workspace, owner: Owner, one: ResolvedPlacement, old: LedgerEntry | None, again: bool
) -> None:
    """Write a file of our own, or leave it alone. `again` overrides the user's changes."""
    if old is None:
        _place_new(workspace, owner, one)
        return
    path = Path(old.path)
    data = workspace.read(path)
    state: Done
    if data == one.data:
        state = "unchanged"
    elif data is not None and _digest(data) == old.sha256:
        state = "updated"
    elif again:
        state = "placed"
    else:
        what = "removed" if data is None else "changed"
        note = f"you have {what} it; --replace writes it again"
        add_row(workspace, owner, one, old.path, "kept", note)
        return
    if state != "unchanged":
        workspace.write(path, one.data, owner.host, executable=one.executable)
        _update_sharers(workspace, old, _digest(one.data))
    workspace.entries.put(
        replace(
            old,
            version=owner.version,
            environment=owner.environment,
            sha256=_digest(one.data),
            events=one.events,
            commands=one.by_slot,
            created=True,
        )
    )
    add_row(workspace, owner, one, old.path, state)


def remove_file(workspace: Workspace, owner: Owner, entry: LedgerEntry) -> None:
    """Remove a file of our own, unless the user has changed it or others share it."""
    data = workspace.read(Path(entry.path))
    workspace.entries.remove(entry)
    others = [one.host for one in workspace.entries.at(entry.path) if one.sha256 is not None]
    state: Done = "removed"
    note = ""
    if others:
        note = f"the file stays for {', '.join(others)}"
    elif data is None:
        state, note = "gone", "it was already removed"
    elif _digest(data) != entry.sha256:
        state, note = "kept", "you have changed it; remove it yourself"
    else:
        workspace.write(Path(entry.path), None, owner.host)
    workspace.rows.append(owner.row(state, note, path=entry.path, events=entry.events))


def sharers(workspace: Workspace, plugin: str, path: Path) -> list[LedgerEntry]:
    """Return the ledger entries of a file that several hosts of a plugin share."""
    found = workspace.entries.at(str(path))
    return [one for one in found if one.plugin == plugin and one.sha256 is not None]


def _place_new(workspace: Workspace, owner: Owner, one: ResolvedPlacement) -> None:
    """Use the first candidate that is free or already has our content."""
    if one.content and _share(workspace, owner, one):
        return
    for candidate in one.candidates:
        data = workspace.read(candidate.path)
        if data is not None and (data != one.data or _is_owned(workspace, candidate.path)):
            continue
        if data is None:
            workspace.write(candidate.path, one.data, owner.host, executable=one.executable)
        _enter(workspace, owner, one, candidate.path)
        state: Done = "placed" if data is None else "adopted"
        note = "" if data is None else "an identical file already existed"
        add_row(workspace, owner, one, str(candidate.path), state, note)
        return
    names = ", ".join(f"{each.path} ({_holder(workspace, each.path)})" for each in one.candidates)
    add_row(workspace, owner, one, "", "failed", f"every name is taken: {names}")


def _share(workspace: Workspace, owner: Owner, one: ResolvedPlacement) -> bool:
    """Share a file that another host of the plugin has placed, and update it."""
    for candidate in one.candidates:
        owned = sharers(workspace, owner.plugin, candidate.path)
        if not owned:
            continue
        if workspace.read(candidate.path) != one.data:
            workspace.write(candidate.path, one.data, owner.host, executable=one.executable)
            _update_sharers(workspace, owned[0], _digest(one.data))
        _enter(workspace, owner, one, candidate.path)
        note = f"shared with {owned[0].host}"
        add_row(workspace, owner, one, str(candidate.path), "placed", note)
        return True
    return False


def _enter(workspace: Workspace, owner: Owner, one: ResolvedPlacement, path: Path) -> None:
    kind: Kind = "shim" if one.key.startswith("shim:") else "file"
    workspace.entries.put(
        owner.entry(
            path,
            kind,
            key=one.key,
            events=one.events,
            commands=one.by_slot,
            created=True,
            sha256=_digest(one.data),
        )
    )


def _update_sharers(workspace: Workspace, old: LedgerEntry, digest: str) -> None:
    """Set the new digest in all ledger entries of a shared file."""
    for one in workspace.entries.at(old.path):
        if one.sha256 is not None and one.sha256 == old.sha256:
            workspace.entries.put(replace(one, sha256=digest))


def _holder(workspace: Workspace, path: Path) -> str:
    """Name the owner of a file whose name we need, for a message."""
    plugins = [one.plugin for one in workspace.entries.at(str(path)) if one.sha256]
    return f"by the plugin {plugins[0]}" if plugins else "by a file that is not ours"


def _is_owned(workspace: Workspace, path: Path) -> bool:
    return any(one.sha256 for one in workspace.entries.at(str(path)))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def add_row(
    workspace: Workspace,
    owner: Owner,
    one: ResolvedPlacement,
    path: str,
    state: Done,
    note: str = "",
) -> None:
    """Add a placement to the report."""
    workspace.rows.append(
        owner.row(state, note, path=path, events=one.events, commands=one.commands)
    )
