"""Paths of an image: a root folder that an administrator prepares for another machine.

A file of the image has two paths. The path *here* names it on the machine that prepares the image,
below the folder ``root``. The path *inside* names it once the image runs; only this one may be
written into a file. If ``root`` is empty, no image is prepared and both paths are the same.
"""

from __future__ import annotations

import os
from pathlib import Path

_MAX_LINKS = 40
#: The drive of every path inside.
_DRIVE = os.environ.get("SYSTEMDRIVE", "C:") if os.name == "nt" else ""


def here(root: str, path: str) -> str:
    """Return the path here of a path inside."""
    if not root:
        return path
    return root + os.path.splitdrive(path)[1]


def inside(root: str, path: str) -> str:
    """Return the path inside of a path here; a path outside of the image is returned unchanged."""
    if not root or not _is_below(root, path):
        return path
    return _DRIVE + (path[len(root) :] or os.sep)


def find(root: str, path: str) -> str | None:
    """Return the path here of a file of the image; None if the image has no such file.

    ``path`` may be the path here (an environment in the image), or the path inside (an interpreter
    that this machine and the image both have at the same path).
    """
    if not root:
        return path
    folder, name = os.path.split(path)
    # If the file itself is a link (an environment's interpreter), it is not followed.
    for candidate in (path, os.path.join(os.path.realpath(folder), name)):
        if _is_below(root, candidate):
            return candidate
    same = here(root, path)
    return same if has(root, path) else None


def has(root: str, path: str) -> bool:
    """Return True if a path inside exists. Absolute links are followed within the image."""
    if not root:
        return os.path.exists(path)
    left = path.replace("\\", "/").split("/")[::-1] if os.name == "nt" else path.split("/")[::-1]
    at: list[str] = []
    links = 0
    while left:
        part = left.pop()
        if part in ("", "."):
            continue
        if part == "..":
            del at[-1:]
            continue
        at.append(part)
        real = os.path.join(root, *at)
        try:
            target = os.readlink(real)
        except OSError:
            if not os.path.lexists(real):
                return False
            continue
        links += 1
        if links > _MAX_LINKS:
            return False
        at = [] if os.path.isabs(target) else at[:-1]
        left += target.split(os.sep)[::-1]
    return True


def escapes(path: str, root: str) -> str | None:
    """Return where ``path`` really leads if that is not below the folder ``root``; else None."""
    real = os.path.realpath(path)
    return None if Path(os.path.realpath(root)) in Path(real).parents else real


def _is_below(root: str, path: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
