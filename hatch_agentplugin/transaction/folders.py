"""Every call for folders that placing makes of the system. OSError goes through, as in `_files`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hatch_agentplugin.transaction.metadata import NONE_HERE


def sync_folder(folder: Path) -> None:
    """Have a folder's names on the disk, where the system can do that."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in NONE_HERE:
            raise
    finally:
        os.close(fd)


def make_folder(folder: Path, *, private: bool = False) -> bool:
    """Make one folder, whose name is on the disk after `sync_folder`; say whether it is new."""
    try:
        os.mkdir(folder, 0o700 if private else 0o777)
    except FileExistsError:
        return False
    return True


def make_folders(folder: Path, *, private: bool = True) -> None:
    """Make a folder of our own and the folders above it, and have their names on the disk."""
    missing = []
    while not os.path.exists(folder):
        missing.append(folder)
        folder = folder.parent
    new = [one for one in reversed(missing) if make_folder(one, private=private)]
    for one in new:
        sync_folder(one.parent)


def remove_folders(folders: Iterable[Path]) -> set[Path]:
    """Remove folders that are empty, innermost first, and have that on the disk.

    Returns those that are still there.
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
        with suppress(OSError):  # Where their names come back, nothing is in them.
            sync_folder(parent)
    return left
