"""Paths of an image: a folder in which an administrator prepares what will be ``/`` elsewhere.

A path *here* names a file below that folder, on the machine that prepares it; the path *inside* is
its name once the image runs, and the only one that may be written into a file. Without an image
(``root`` is empty) both are the same.
"""

from __future__ import annotations

import os

_MOST_LINKS = 40
#: What a path inside begins with.
_DRIVE = os.environ.get("SYSTEMDRIVE", "C:") if os.name == "nt" else ""


def here(root: str, path: str) -> str:
    """The path here of a path inside."""
    if not root:
        return path
    return root + os.path.splitdrive(path)[1]


def inside(root: str, path: str) -> str:
    """The path inside of a path here; one that does not lie in the image stays as it is."""
    if not root or not _is_below(root, path):
        return path
    return _DRIVE + (path[len(root) :] or os.sep)


def find(root: str, path: str) -> str | None:
    """The path here under which the image itself will have a file; None where it has none.

    ``path`` may be either name of it: of an environment in the image, or of an interpreter that
    this machine and the image have in the same place.
    """
    if not root:
        return path
    folder, name = os.path.split(path)
    # The name itself may be a link (an environment's interpreter) and is not followed.
    for candidate in (path, os.path.join(os.path.realpath(folder), name)):
        if _is_below(root, candidate):
            return candidate
    same = here(root, path)
    return same if has(root, path) else None


def has(root: str, path: str) -> bool:
    """Whether a path inside exists, as the image will follow its links."""
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
        if links > _MOST_LINKS:
            return False
        at = [] if os.path.isabs(target) else at[:-1]
        left += target.split(os.sep)[::-1]
    return True


def _is_below(root: str, path: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
