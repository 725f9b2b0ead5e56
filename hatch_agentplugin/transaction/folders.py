"""Every system call of a transaction that makes, removes or syncs a folder.

Errors of the system (OSError) pass through, as in `files`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hatch_agentplugin.transaction.metadata import NOT_SUPPORTED


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to the disk, where the system supports that."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in NOT_SUPPORTED:
            raise
    finally:
        os.close(fd)


def make_folder(folder: Path, *, private: bool = False) -> bool:
    """Make one folder; return True if it is new. Its name is on the disk after `sync_folder`."""
    try:
        os.mkdir(folder, 0o700 if private else 0o777)
    except FileExistsError:
        return False
    return True


def make_folders(folder: Path, *, private: bool = True) -> None:
    """Make a folder of our own and its missing parents, and sync their names."""
    missing = []
    while not os.path.exists(folder):
        missing.append(folder)
        folder = folder.parent
    new = [one for one in reversed(missing) if make_folder(one, private=private)]
    for one in new:
        sync_folder(one.parent)


def remove_folders(folders: Iterable[Path]) -> set[Path]:
    """Remove the empty ones of some folders, given innermost first, and sync their parents.

    Returns the folders that could not be removed.
    """
    left: set[Path] = set()
    removed: set[Path] = set()
    for folder in folders:
        try:
            os.rmdir(folder)
            removed.add(folder)
        except FileNotFoundError:
            pass
        except OSError:
            left.add(folder)
    for parent in {folder.parent for folder in removed} - removed:
        with suppress(OSError):  # After a power cut the folder may reappear, but empty.
            sync_folder(parent)
    return left
