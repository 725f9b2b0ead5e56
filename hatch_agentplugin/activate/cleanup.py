"""Removes our own folders when the last placement is gone, to leave no trace."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from hatch_agentplugin.transaction import backups, files
from hatch_agentplugin.transaction.ledger import load
from hatch_agentplugin.transaction.lock import locked
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State


def clean_up(state: State) -> None:
    """Remove our own folder if nothing is placed or pending, and no backup is needed.

    A backup is needed while its file exists and differs from it: the user may restore it.
    """
    if not files.lexists(state.lock):
        _remove_folder(state.root)
        return
    with suppress(FileProblem), locked(state.lock, 1.0, private=not state.shared):
        ledger, _ = load(state)
        if ledger.entries or files.names_in(state.journal):
            return
        if any(_differs(Path(one.path), one.sha256) for one in backups.find(state)):
            return
        for name in files.names_in(state.backups):
            files.discard([state.backups / name])
        _remove_folder(state.backups)
        _remove_folder(state.journal)
        files.discard([state.ledger_copy])  # First, because alone it would serve as the ledger.
        files.discard([state.ledger, state.lock])
        _remove_folder(state.lock.parent)
    _remove_folder(state.root)


def count_data_files(state: State, plugin: str) -> int:
    """Return how many files the hooks of a plugin have stored."""
    data = state.plugin(plugin) / "data"
    if data.is_symlink():
        return 0
    return sum(
        os.path.isfile(os.path.join(folder, name))
        for folder, _, names in os.walk(data)
        for name in names
    )


def clear(state: State, plugin: str, keep_data: bool) -> bool:
    """Remove the folder of a plugin without placements. Returns True if the folder is gone.

    The folder holds only the plugin's own data, counters and log.
    """
    if keep_data and count_data_files(state, plugin):
        return False
    folder = state.plugin(plugin)
    # Another command may have placed the plugin again meanwhile: its launcher is in the folder.
    with suppress(FileProblem), locked(state.lock, 1.0, private=not state.shared):
        if not any(entry.plugin == plugin for entry in load(state)[0].entries):
            _remove_tree(folder)
    return not folder.exists()


def _differs(path: Path, sha256: str) -> bool:
    try:
        return files.sha256_of(path) not in (None, sha256)
    except OSError:
        return True


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):
        os.rmdir(folder)


def _remove_tree(folder: Path) -> None:
    """Remove a folder and its content as far as possible, but never through a link."""
    if not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)
