"""Deactivate: take back what the ledger says is ours. Works without the plugin's package."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hatch_agentplugin.activate import placed_list
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.ledger_index import key_of
from hatch_agentplugin.activate.own_files import take_file
from hatch_agentplugin.activate.result import Refused
from hatch_agentplugin.activate.workspace import Owner, Work, events_of
from hatch_agentplugin.edit import MISSING, Found, Json, Missing
from hatch_agentplugin.transaction.ledger import Placed
from hatch_agentplugin.transaction.problem import FileProblem

#: What is in a plugin's state folder besides its data: files, and folders of files.
_FILES = ("launch", "launch.cmd", placed_list.FILE, "log", "log.1")
_FOLDERS = ("fired", "disabled")


def deactivate(
    work: Work, chosen: Sequence[Placed], context: Context, failed: Collection[str] = ()
) -> list[Path]:
    """Take back the chosen placements; failures become rows of the report.

    Returns the folders of ours that are to go if they are empty, innermost first.
    """
    owners = dict.fromkeys(_owner(placed) for placed in chosen)
    keys = {key_of(placed) for placed in chosen}
    for owner in owners:
        if owner.host in failed:
            continue
        saved = work.save()
        try:
            _take_back(work, owner, keys)
        except (Refused, FileProblem) as error:
            work.restore(saved)
            work.rows.append(owner.row("failed", str(error)))
    return _clear(work, owners, context)


def forget(work: Work, chosen: Sequence[Placed], context: Context) -> list[Path]:
    """Strike placements from the ledger without a look at the file. Returns like `deactivate`."""
    for placed in chosen:
        work.strike(placed)
        work.rows.append(_owner(placed).row("removed", path=placed.path, events=events_of(placed)))
    return _clear(work, dict.fromkeys(map(_owner, chosen)), context)


def _clear(work: Work, owners: Mapping[Owner, None], context: Context) -> list[Path]:
    """Remove scripts and launchers of what has nothing placed any more."""
    folders: list[Path] = []
    for owner in owners:
        folders += _clear_scripts(work, owner, context)
    for plugin in dict.fromkeys(owner.plugin for owner in owners):
        group = next(owner.host for owner in reversed(list(owners)) if owner.plugin == plugin)
        if any(placed.plugin == plugin for placed in work.placed):
            placed_list.write(work, plugin, group, context)
        else:
            folders += _clear_state(work, plugin, group, context)
    return folders


def _owner(placed: Placed) -> Owner:
    return Owner(placed.plugin, "", placed.host, placed.scope, placed.project, "")


def _take_back(work: Work, owner: Owner, keys: Collection[tuple[object, ...]]) -> None:
    """Entries first, then the files that they name."""
    mine = work.placed.of(owner.plugin, owner.host)
    chosen = [p for p in mine if owner.has(p) and key_of(p) in keys]
    documents = dict.fromkeys(placed.path for placed in chosen if placed.record is not None)
    for path in documents:
        _take_entries(work, owner, path, [p for p in chosen if p.path == path and p.record])
    for placed in chosen:
        if placed.record is None:
            take_file(work, owner, placed)


def _take_entries(work: Work, owner: Owner, path: str, chosen: Sequence[Placed]) -> None:
    changes: list[tuple[Placed, Json | Missing]] = []
    for placed in chosen:
        found = work.found(placed)
        state, note = "removed", ""
        if found is not Found.PRESENT:
            edit = work.edited(placed)
            if edit is None:
                work.strike(placed)
                gone = "you have changed it; it stays" if found is Found.CHANGED else "gone already"
                state, note = ("kept" if found is Found.CHANGED else "gone"), gone
            else:
                note = "with what you had changed in it"
                if work.keep_others(placed, edit, owner.host):
                    note = "what you had added to it stays"
                placed = work.swap(placed, replace(placed, record=edit.to_json()))
        if state == "removed":
            changes.append((placed, MISSING))
        work.rows.append(owner.row(state, note, path=path, events=events_of(placed)))
    if changes:
        work.change(path, owner.host, changes)


def _clear_scripts(work: Work, owner: Owner, context: Context) -> list[Path]:
    """Remove the scripts of a host and scope that has nothing placed any more.

    The same for the marks of what has fired, where no other scope of the host is left.
    """
    left = work.placed.of(owner.plugin, owner.host)
    if any(placed.scope == owner.scope for placed in left):
        return []
    folder = context.state.plugin(owner.plugin)
    scripts = folder / "shims" / f"{owner.host}.{owner.scope}"
    gone = _files_in(scripts)
    if not left:
        fired = _files_in(folder / "fired")
        gone += [path for path in fired if path.name.startswith(f"{owner.host}.")]
    for path in gone:
        _remove(work, path, owner.host)
    return [scripts, folder / "shims"]


def _clear_state(work: Work, plugin: str, group: str, context: Context) -> list[Path]:
    """Remove the launcher and all that goes with it; the plugin's data stay if there are any."""
    folder = context.state.plugin(plugin)
    gone = [folder / name for name in _FILES]
    for name in _FOLDERS:
        gone += _files_in(folder / name)
    for path in gone:
        _remove(work, path, group)
    work.plugins.pop(plugin, None)
    return [*(folder / name for name in (*_FOLDERS, "shims", "data")), folder]


def _remove(work: Work, path: Path, group: str) -> None:
    """Remove a file of ours; what is no file there is left alone."""
    with suppress(FileProblem):
        if work.desk.read(path) is not None:
            work.desk.write(path, None, group)


def _files_in(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in sorted(os.listdir(folder))]
    except OSError:
        return []
