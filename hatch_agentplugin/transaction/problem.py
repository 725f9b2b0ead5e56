"""The errors that users see when a file can't be read or changed."""

from __future__ import annotations

import errno
import os
from pathlib import Path

_BY_ERRNO: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("no space left on the disk", "free some space there"),
    errno.EROFS: (
        "the file system is read-only",
        "make it writable, or change the file at its source",
    ),
    errno.EACCES: ("permission denied", "give yourself access to it and to its folder"),
    errno.EPERM: ("not permitted", "check its owner and whether it is immutable"),
    errno.EINTR: ("interrupted", "nothing is lost"),
    errno.EBUSY: ("in use by another program", "close that program"),
    errno.EIO: ("the disk reports an error", "check the disk"),
    errno.ENOTDIR: ("a part of its path is a file, not a folder", "move that file out of the way"),
    errno.EISDIR: ("a folder, not a file", "move the folder out of the way"),
    errno.ELOOP: ("symbolic links form a loop", "correct the link"),
    errno.ENAMETOOLONG: ("the name is too long for the file system", "use a shorter path"),
}
if hasattr(errno, "EDQUOT"):
    _BY_ERRNO[errno.EDQUOT] = ("your disk quota is exhausted", "free some space")


class FileProblem(Exception):
    """A file that can't be read or changed; it has not been touched.

    The message is made from the attributes: it names the file and says what to do.
    """

    def __init__(self, path: Path, reason: str, advice: str) -> None:
        super().__init__(f"{shown(path)}: {reason}\n  {advice}")
        self.path = path
        """The file as the user knows it."""
        self.reason = reason
        """The problem with it."""
        self.advice = advice
        """Advice for the user."""

    @classmethod
    def of(cls, path: Path, error: OSError) -> FileProblem:
        """Translate an error of the operating system about `path`."""
        unknown = (error.strerror or type(error).__name__, "nothing is lost; correct the cause")
        reason, advice = _BY_ERRNO.get(error.errno or 0, unknown)
        return cls(path, reason, f"{advice}, and run the command again")


class ChangedMeanwhile(FileProblem):
    """Another program has written the file since this command read it."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            "another program keeps writing it",
            "close that program or wait for it, and run the command again",
        )


def shown(path: Path | str) -> str:
    """Return a path for a message, escaped if it has control characters."""
    text = os.fspath(path)
    return text if text.isprintable() else ascii(text)
