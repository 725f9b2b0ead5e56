"""Checks that every user can run managed hooks, and that no user can change them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from hatch_agentplugin.activate.context import Context


def permission_notes(context: Context) -> Iterator[str]:
    """Yield a note for each folder that users cannot enter, or whose content they could replace.

    The folders are those of the environment, of our package and of the interpreter, and all
    folders above them. Yields nothing on Windows.
    """
    if os.name == "nt":
        return
    image = context.machine.image
    folders = [context.environment, context.runtime]
    if not image:  # A link in an image means another file once the image runs.
        folders.append(os.path.dirname(os.path.realpath(context.python)))
    known_owners = {0}
    for folder in _with_parents(folders, image):
        status = os.stat(folder)
        if status.st_mode & 0o005 != 0o005:
            yield (
                f"other users cannot enter {context.inside(folder)}, so no hook runs for them; "
                "install the plugin into an environment that all users can read, such as one in "
                "/opt, with a Python that all users can run"
            )
        # The owner of files in an image need not be root yet.
        if status.st_uid not in known_owners and not image:
            known_owners.add(status.st_uid)
            yield (
                f"user {status.st_uid} owns {folder} and can change what all users run; "
                "install the plugin into an environment that root owns, with a Python that root "
                "owns"
            )
        if who := _who_may_replace(status, image):
            yield (
                f"{who} can replace files in {context.inside(folder)}, and so change what all "
                "users run; remove the write permission (chmod go-w)"
            )


def _who_may_replace(status: os.stat_result, image: str) -> str:
    """Return who besides its owner may replace the files in a folder; empty for nobody."""
    if status.st_mode & stat.S_ISVTX:
        return ""
    if status.st_mode & stat.S_IWOTH:
        return "anybody"
    if status.st_mode & stat.S_IWGRP and status.st_gid != 0 and not image:
        return f"group {status.st_gid}"
    return ""


def _with_parents(folders: list[str], image: str) -> list[Path]:
    """Return the folders and their parents, outermost first; of an image only those in it."""
    found: dict[Path, None] = {}
    for folder in folders:
        parents = [Path(folder), *Path(folder).parents]
        if image:
            parents = parents[: parents.index(Path(image))]
        found.update(dict.fromkeys(reversed(parents)))
    return list(found)
