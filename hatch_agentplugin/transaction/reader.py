"""The view of a computation on the disk: each file as it was at the first read."""

from __future__ import annotations

import errno
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
        """Groups that an earlier attempt gave up: propose nothing for them."""
        self._image = image
        """The folder that no link may leave, itself free of links; empty if links may go anywhere."""
        self._snapshots: dict[Path, Snapshot | None] = {}
        self._resolved: dict[Path, Path] = {}

    def read(self, path: Path) -> bytes | None:
        """Return a file's content; None if the file does not exist.

        A link to a missing file in an existing folder counts as a missing file. Raises FileProblem
        if the file can't be read, is not a regular file, or is a link into a missing folder.
        """
        found = self.snapshot(path)
        return None if found is None else found.data

    def snapshot(self, path: Path) -> Snapshot | None:
        """Return content and mode of a file; None if it does not exist. Raises FileProblem."""
        target = self.resolve(path)
        if target not in self._snapshots:
            try:
                self._snapshots[target] = files.snapshot(target)
            except OSError as error:
                raise _unreadable(path, error) from None
        return self._snapshots[target]

    def resolve(self, path: Path) -> Path:
        """Return the path with all links followed: two paths may be the same file.

        Raises FileProblem for links that form a loop, lead into a missing folder, or leave the
        image.
        """
        if path not in self._resolved:
            self._resolved[path] = self._follow(path)
        return self._resolved[path]

    def _follow(self, path: Path) -> Path:
        try:
            for part in (*reversed(path.parents), path):
                _check_link(path, part)
            target = files.resolve(path)
        except OSError as error:
            raise FileProblem.of(path, error) from None
        if self._image and not target.is_relative_to(self._image):
            raise FileProblem(
                path,
                f"a link leads out of the image, to {target}",
                "remove the link, or make it a relative link to a file in the image",
            )
        return target

    def missing_folders(self, path: Path) -> tuple[Path, ...]:
        """Return the folders to make before writing `path`, outermost first, links resolved.

        Raises FileProblem.
        """
        missing: list[Path] = []
        folder = self.resolve(path).parent
        try:
            while folder != folder.parent and files.mode_of(folder) is None:
                missing.append(folder)
                folder = folder.parent
        except OSError as error:
            raise FileProblem.of(folder, error) from None
        return tuple(reversed(missing))


def _check_link(path: Path, part: Path) -> None:
    """Refuse `path` if its `part` is a dangling link. Raises FileProblem and OSError."""
    if not files.is_link(part):
        return
    target = files.resolve(part)
    if files.lexists(target):
        return
    if part == path and files.lexists(target.parent):
        return
    which = "a link" if part == path else f"its folder {part} is a link"
    raise FileProblem(
        path,
        f"{which} to {target}, which does not exist",
        "create the file or folder that it links to (is a disk not mounted?), or remove the "
        "link, and run the command again",
    )


def _unreadable(path: Path, error: OSError) -> FileProblem:
    if error.errno == errno.ENXIO:
        return FileProblem(
            path,
            "not a regular file but a device, a pipe or a socket",
            "move it out of the way, or leave this agent out",
        )
    return FileProblem.of(path, error)
