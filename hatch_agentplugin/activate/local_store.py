"""Stores the bundles of local plugins below ``AGENT_PLUGIN_HOME``.

A bundle's folder is named after its content and never changes. An upgrade is another folder, and
the launcher moves to it in one step.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from hatch_agentplugin.transaction import folders
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.state import State

FOLDER = "_portable"

#: Path in the bundle -> content, and whether it can be executed.
Files = Mapping[str, tuple[bytes, bool]]


def add(state: State, plugin: str, files: Files) -> tuple[Path, bool]:
    """Write a bundle unless it exists. Returns its folder, and whether it is new.

    The paths of `files` are safe and relative. Raises FileProblem.
    """
    home = state.root / FOLDER / plugin
    bundle = home / _digest(files)
    if state.image:
        Reader({}, state.image).resolve(bundle)
    if (bundle / "plan.json").is_file():
        return bundle, False
    try:
        for folder in (state.root, home.parent, home):
            folders.make_folders(folder, private=not state.shared)
        # Not with ``tempfile``: on Windows its folders keep their restricted permissions.
        scratch = home / f".new-{os.urandom(4).hex()}"
        folders.make_folder(scratch, private=not state.shared)
        try:
            for name, (data, executable) in files.items():
                path = scratch / name
                os.makedirs(path.parent, exist_ok=True)
                with open(path, "wb") as file:
                    file.write(data)
                os.chmod(path, 0o755 if executable else 0o644)
            os.chmod(scratch, 0o755 if state.shared else 0o700)
            os.rename(scratch, bundle)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise FileProblem.of(bundle, error) from None
    return bundle, True


def has(state: State, bundle: str) -> bool:
    """Return whether a bundle is in the store."""
    return Path(bundle).is_relative_to(state.root / FOLDER)


def drop(state: State, bundles: Iterable[str]) -> None:
    """Remove the given bundles from the store, and folders that become empty."""
    for bundle in bundles:
        if has(state, bundle):
            shutil.rmtree(bundle, ignore_errors=True)
            for folder in Path(bundle).parents:
                if folder == state.root:
                    break
                with suppress(OSError):
                    os.rmdir(folder)
    with suppress(OSError):
        os.rmdir(state.root)


def _digest(files: Files) -> str:
    total = sha256()
    for name, (data, executable) in sorted(files.items()):
        total.update(f"{name}\0{executable}\0{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()[:20]
