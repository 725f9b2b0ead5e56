"""What a computation sees of the disk: each file once, as it was at the first look."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path

from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.files import Snapshot
from hatch_agentplugin.transaction.problem import FileProblem


class Reader:
    """Reads files for one computation.

    Every method takes paths as the user names them, and follows links.
    """

    def __init__(self, failed: Mapping[str, FileProblem], image: str = "") -> None:
        self.failed = failed
        """Groups that were given up in an earlier round: propose nothing for them."""
        self._image = image
        """The folder that no file may lie outside of, links resolved; empty where any may."""
        self._seen: dict[Path, Snapshot | None] = {}
        self._resolved: dict[Path, Path] = {}
        self._folders: dict[Path, Path] = {}
        """Folder -> the same with its links resolved."""
        self._missing: dict[Path, tuple[Path, ...]] = {}
        """Folder -> what has to be made for it to be there."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's content; None if it is missing.

        A link into a folder that exists is a missing file. Raises FileProblem for what can't be
        read or is no regular file, and for a link into nowhere.
        """
        found = self.snapshot(path)
        return None if found is None else found.data

    def resolve(self, path: Path) -> Path:
        """Return the file that a path means in the end: two paths may mean the same one.

        Raises FileProblem for links that lead in a circle, into nowhere or out of the image.
        """
        found = self._resolved.get(path)
        if found is None:
            path = Path(path)
            found = self._resolved[path] = self._inside(path, self._follow(path))
        return found

    def _inside(self, path: Path, target: Path) -> Path:
        """Refuse what a link leads out of the image: it is somebody else's there."""
        if self._image and not target.is_relative_to(self._image):
            raise FileProblem(
                path,
                f"a link leads out of the image, to {target}",
                "remove the link, or have it lead to a place inside, by a relative path",
            )
        return target

    def _follow(self, path: Path) -> Path:
        try:
            if ".." in path.parts or os.name == "nt":  # where a name alone does not say it
                for folder in reversed(path.parents):
                    _check_link(path, folder)
                _check_link(path, path)
                return files.resolve(path)
            return self._step(path, path)
        except OSError as error:
            raise FileProblem.of(path, error) from None

    def _step(self, path: Path, part: Path) -> Path:
        """Resolve a part of a path, each folder once for all paths that go through it."""
        if part.parent == part:
            return part
        found = self._folders.get(part)
        if found is None:
            target = self._step(path, part.parent) / part.name
            if files.is_link(target):
                _check_link(path, part)
                target = files.resolve(target)
            found = self._folders[part] = target
        return found

    def missing_dirs(self, path: Path) -> tuple[Path, ...]:
        """Return the folders that writing `path` would make, outermost first, links resolved."""
        return self._missing_in(self.resolve(path).parent)

    def _missing_in(self, folder: Path) -> tuple[Path, ...]:
        found = self._missing.get(folder)
        if found is None:
            try:
                there = files.mode_of(folder) is not None
            except OSError as error:
                raise FileProblem.of(folder, error) from None
            found = (
                ()
                if there or folder.parent == folder
                else (*self._missing_in(folder.parent), folder)
            )
            self._missing[folder] = found
        return found

    def snapshot(self, path: Path) -> Snapshot | None:
        """Return content and mode of a file; None if it is missing. Raises FileProblem."""
        target = self.resolve(path)
        if target not in self._seen:
            try:
                self._seen[target] = files.snapshot(target)
            except OSError as error:
                raise _unreadable(path, error) from None
        return self._seen[target]


def _check_link(path: Path, part: Path) -> None:
    """Refuse a path that leads through a link into nowhere. Raises FileProblem and OSError."""
    target = files.resolve(part)
    if not files.is_link(part) or files.is_there(target):
        return
    if part == path and files.is_there(target.parent):
        return
    which = "a link" if part == path else f"its folder {part} is a link"
    raise FileProblem(
        path,
        f"{which} to {target}, which does not exist",
        "make the file or folder that it leads to (is a disk not mounted?), or remove the "
        "link, and run the command again",
    )


def _unreadable(path: Path, error: OSError) -> FileProblem:
    if error.errno == errno.ENXIO:
        return FileProblem(
            path,
            "not a regular file but a device, a pipe or a socket",
            "move it out of the way, or have this host left out",
        )
    return FileProblem.of(path, error)
