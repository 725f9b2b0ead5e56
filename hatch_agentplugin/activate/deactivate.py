"""Deactivate: remove the placements in the ledger. Works without the plugin's package."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from hatch_agentplugin.activate import placed_list
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.own_files import remove_file
from hatch_agentplugin.activate.result import Done, Refused
from hatch_agentplugin.activate.workspace import Owner, Workspace
from hatch_agentplugin.edit import Found, Missing
from hatch_agentplugin.transaction.ledger import LedgerEntry
from hatch_agentplugin.transaction.problem import FileProblem

#: The files in a plugin's state folder besides its data, and the folders of files.
_FILES = ("launch", "launch.cmd", placed_list.FILE, "log", "log.1")
_FOLDERS = ("fired", "disabled")


def deactivate(workspace: Workspace, chosen: Sequence[LedgerEntry], context: Context) -> None:
    """Remove the placements of the chosen ledger entries. Failures become rows of the report."""
    by_owner: dict[Owner, list[LedgerEntry]] = {}
    for entry in chosen:
        by_owner.setdefault(_owner(entry), []).append(entry)
    for owner, entries in by_owner.items():
        if owner.host in workspace.failed:
            continue
        try:
            workspace.check_allowed(owner)
            _check(workspace, entries)
        except (Refused, FileProblem) as error:
            workspace.rows.append(owner.row("failed", str(error)))
            continue
        try:
            _take_back(workspace, owner, entries)
        except (Refused, FileProblem) as error:
            workspace.refuse(owner, error)
    _clear(workspace, dict.fromkeys(by_owner), context)


def forget(workspace: Workspace, chosen: Sequence[LedgerEntry], context: Context) -> None:
    """Remove entries from the ledger without reading their files."""
    owners = dict.fromkeys(map(_owner, chosen))
    for entry in chosen:
        workspace.forget(entry)
        row = _owner(entry).row("removed", path=entry.path, events=entry.events)
        workspace.rows.append(row)
    _clear(workspace, owners, context)


def _owner(entry: LedgerEntry) -> Owner:
    return Owner(entry.plugin, "", entry.host, entry.scope, entry.project, "")


def _check(workspace: Workspace, entries: Sequence[LedgerEntry]) -> None:
    """Raise Refused or FileProblem if a file cannot be read or parsed."""
    for entry in entries:
        if entry.inserted is not None:
            workspace.document_of(entry)
        else:
            workspace.read(Path(entry.path))


def _take_back(workspace: Workspace, owner: Owner, entries: Sequence[LedgerEntry]) -> None:
    """Remove the entries in documents first, then the files that they name."""
    by_document: dict[str, list[LedgerEntry]] = {}
    for entry in entries:
        if entry.inserted is not None:
            by_document.setdefault(entry.path, []).append(entry)
    for inserted in by_document.values():
        for entry in inserted:
            _take_entry(workspace, owner, entry)
    for entry in entries:
        if entry.inserted is None:
            remove_file(workspace, owner, entry)


def _take_entry(workspace: Workspace, owner: Owner, entry: LedgerEntry) -> None:
    state: Done = "removed"
    note = ""
    found = workspace.found(entry)
    if found is not Found.PRESENT:
        document = workspace.document_of(entry)
        value = document.edited(entry)
        if isinstance(value, Missing):
            workspace.forget(entry)
            state, note = "gone", "it was already gone"
            if found is Found.CHANGED:
                state, note = "kept", "you have changed it; it stays"
        else:
            kept = workspace.keep_foreign_part(entry, value)
            document.recognise(entry, value)
            note = "your additions to it stay" if kept else "your changes to it are removed too"
    if state == "removed":
        workspace.remove(entry)
    workspace.rows.append(owner.row(state, note, path=entry.path, events=entry.events))


def _clear(workspace: Workspace, owners: Mapping[Owner, None], context: Context) -> None:
    """Remove the scripts and launchers that no placement needs any more."""
    folders = workspace.drop_folders
    last_host: dict[str, str] = {}
    for owner in owners:
        folders += _clear_scripts(workspace, owner, context)
        last_host[owner.plugin] = owner.host
    for plugin, host in last_host.items():
        if workspace.entries.of_plugin(plugin):
            placed_list.update(workspace, plugin, host, context)
        else:
            folders += _clear_state(workspace, plugin, host, context)


def _clear_scripts(workspace: Workspace, owner: Owner, context: Context) -> list[Path]:
    """Remove the scripts of a host and scope without placements.

    Also removes the fired stamps of a host that has nothing placed in any scope.
    """
    left = workspace.entries.of(owner.plugin, owner.host)
    if any(entry.scope == owner.scope for entry in left):
        return []
    folder = context.state.plugin(owner.plugin)
    scripts = folder / "shims" / f"{owner.host}.{owner.scope}"
    gone = _files_in(scripts)
    if not left:
        stamps = _files_in(folder / "fired")
        gone += [path for path in stamps if path.name.startswith(f"{owner.host}.")]
    for path in gone:
        _remove(workspace, path, owner.host)
    return [scripts, folder / "shims"]


def _clear_state(workspace: Workspace, plugin: str, group: str, context: Context) -> list[Path]:
    """Remove the launcher and the files beside it, but not the plugin's data."""
    folder = context.state.plugin(plugin)
    gone = [folder / name for name in _FILES]
    for name in _FOLDERS:
        gone += _files_in(folder / name)
    for path in gone:
        _remove(workspace, path, group)
    workspace.plugins.pop(plugin, None)
    return [*(folder / name for name in (*_FOLDERS, "shims", "data")), folder]


def _remove(workspace: Workspace, path: Path, group: str) -> None:
    """Remove a file of ours; anything but a regular file is left alone."""
    with suppress(FileProblem):
        if workspace.read(path) is not None:
            workspace.write(path, None, group)


def _files_in(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in sorted(os.listdir(folder))]
    except OSError:
        return []
