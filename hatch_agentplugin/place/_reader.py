"""What a computation sees of the disk: each file once, as it was at the first look."""

from __future__ import annotations

import errno
from collections.abc import Collection, Mapping
from pathlib import Path

from hatch_agentplugin.place import _files
from hatch_agentplugin.place._files import Snapshot
from hatch_agentplugin.place._problem import FileProblem


class Reader:
    """Reads files for one computation.

    Every method takes paths as the user names them, and follows links.
    """

    def __init__(self, failed: Mapping[str, FileProblem]) -> None:
        self.failed = failed
        """Groups that were given up in an earlier round: propose nothing for them."""
        self._seen: dict[Path, Snapshot | None] = {}
        self._resolved: dict[Path, Path] = {}
        self._folders: set[Path] = set()
        """Folders whose links, and those above them, have been looked at."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's content; None if it is missing.

        A link into a folder that exists is a missing file. Raises FileProblem for what can't be
        read or is no regular file, and for a link into nowhere.
        """
        found = self.snapshot(path)
        return None if found is None else found.data

    def resolve(self, path: Path) -> Path:
        """Return the file that a path means in the end: two paths may mean the same one.

        Raises FileProblem for links that lead in a circle or into nowhere.
        """
        if path not in self._resolved:
            self._resolved[path] = _resolve(path, self._folders)
            self._folders.update(path.parents)
        return self._resolved[path]

    def missing_dirs(self, path: Path) -> tuple[Path, ...]:
        """Return the folders that writing `path` would make, outermost first, links resolved."""
        missing = []
        folder = self.resolve(path).parent
        try:
            while _files.mode_of(folder) is None:
                missing.append(folder)
                folder = folder.parent
        except OSError as error:
            raise FileProblem.of(folder, error) from None
        return tuple(reversed(missing))

    def snapshot(self, path: Path) -> Snapshot | None:
        """Return content and mode of a file; None if it is missing. Raises FileProblem."""
        target = self.resolve(path)
        if target not in self._seen:
            try:
                self._seen[target] = _files.snapshot(target)
            except OSError as error:
                raise _unreadable(path, error) from None
        return self._seen[target]


def _resolve(path: Path, known: Collection[Path]) -> Path:
    for part in (path, *path.parents):
        if part in known:
            break
        try:
            target = _files.resolve(part)
            if not _files.is_link(part) or _files.is_there(target):
                continue
            if part == path and _files.is_there(target.parent):
                continue
        except OSError as error:
            raise FileProblem.of(path, error) from None
        which = "a link" if part == path else f"its folder {part} is a link"
        raise FileProblem(
            path,
            f"{which} to {target}, which does not exist",
            "make the file or folder that it leads to (is a disk not mounted?), or remove the "
            "link, and run the command again",
        )
    try:
        return _files.resolve(path)
    except OSError as error:
        raise FileProblem.of(path, error) from None


def _unreadable(path: Path, error: OSError) -> FileProblem:
    if error.errno == errno.ENXIO:
        return FileProblem(
            path,
            "not a regular file but a device, a pipe or a socket",
            "move it out of the way, or have this host left out",
        )
    return FileProblem.of(path, error)
