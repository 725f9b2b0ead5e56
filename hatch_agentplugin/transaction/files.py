"""Every call for files that placing makes of the system. OSError goes through, nothing is decided.

With `_folders`, `_metadata` and `_lock`, this is the only module of the transaction that touches the
disk. So the tests can put a counting, failing or dying stand-in for ``os`` into them.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from hatch_agentplugin.transaction import metadata
from hatch_agentplugin.transaction.folders import sync_folder
from hatch_agentplugin.transaction.metadata import StrPath

T = TypeVar("T")

BINARY = getattr(os, "O_BINARY", 0)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_REPLACE_TRIES = 6
_READ_TRIES = 4


@dataclass(frozen=True)
class Snapshot:
    """A regular file as it was read."""

    data: bytes
    mode: int
    """Permission bits."""
    links: int
    """How many names the file has."""
    mark: tuple[int, ...] = field(default=(), compare=False)
    """What a look at a file shows of its being the same, unwritten: see `looks_like`."""

    @property
    def sha256(self) -> str:
        """Digest of the content."""
        return sha256(self.data).hexdigest()


def resolve(path: Path) -> Path:
    """Follow every link in `path`. The result may not exist; a circle gives OSError (ELOOP)."""
    target = os.path.realpath(path)
    if is_link(target):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), target)
    return Path(target)


def leads_to(path: str, target: str) -> bool:
    """Whether `path` still means the file `target`, which it was resolved to."""
    if path == target:
        return not is_link(path)
    try:
        return os.path.samestat(os.stat(path), os.stat(target))
    except FileNotFoundError:
        pass
    named, meant = Path(path), Path(target)
    if named.name != meant.name or is_link(path):
        return resolve(named) == meant
    try:
        return os.path.samestat(os.stat(named.parent), os.stat(meant.parent))
    except FileNotFoundError:
        return resolve(named) == meant


def is_link(path: StrPath) -> bool:
    """Whether `path` itself is a symbolic link."""
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def mode_of(path: StrPath) -> int | None:
    """Return type and permission bits, links followed; None if there is no such file."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def snapshot(path: StrPath) -> Snapshot | None:
    """Read a regular file; None if it is missing. A folder, device or socket gives OSError."""
    return _at_rest(path, lambda found: found)


def sha256_of(path: StrPath) -> str | None:
    """Return the digest of a file's content; None if it is missing. OSError as for `snapshot`.

    A large file takes long to digest, and what is written meanwhile must not go unseen.
    """
    return _at_rest(path, lambda found: found.sha256)


def _at_rest(path: StrPath, made: Callable[[Snapshot], T]) -> T | None:
    """Read a file and return what is made of it; None if it is missing.

    The last call looks whether the file is still the one that was read. So, when somebody else
    has replaced or rewritten it meanwhile, it is read again.
    """
    for _ in range(_READ_TRIES):
        found = _read(path)
        if found is None:
            return None
        result = made(found)
        with suppress(FileNotFoundError):
            if _mark(os.stat(path)) == found.mark:
                break
    return result


def _read(path: StrPath) -> Snapshot | None:
    try:
        # Not to wait for the other end, should it be a pipe.
        fd = os.open(path, os.O_RDONLY | BINARY | NO_WAIT)
    except FileNotFoundError:
        return None
    try:
        status = os.fstat(fd)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.ENXIO, "not a regular file", str(path))
        chunks = []
        while chunk := os.read(fd, 1 << 20):
            chunks.append(chunk)
    finally:
        os.close(fd)
    mode = stat.S_IMODE(status.st_mode)
    return Snapshot(b"".join(chunks), mode, status.st_nlink, _mark(status))


def _mark(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)


def looks_like(path: StrPath, seen: Snapshot | None) -> bool:
    """Whether a look at `path`, a link not followed, shows what was read of it earlier."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return seen is None
    return seen is not None and _mark(status) == seen.mark


def write_new(path: StrPath, data: bytes, mode: int) -> None:
    """Create `path`, which must not exist, with all its bytes on the disk. The umask applies.

    Its name is on the disk after `sync_folder`.
    """
    settle(create(path, data, mode))


def create(path: StrPath, data: bytes, mode: int) -> int:
    """Create a file as `write_new` does; its bytes are on the disk after `settle`."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | NO_FOLLOW, mode)
    try:
        write_all(fd, data)
    except BaseException:
        os.close(fd)
        raise
    return fd


def write_like(path: StrPath, data: bytes, model: StrPath, mode: int) -> None:
    """Create `path` with owner and extended attributes of `model`, as far as allowed."""
    settle(create_like(path, data, model, mode))


def create_like(path: StrPath, data: bytes, model: StrPath, mode: int) -> int:
    """Create a file as `write_like` does; its bytes are on the disk after `settle`."""
    fd = create(path, data, 0o600)
    try:
        metadata.carry_over(fd, path, model, mode)
    except BaseException:
        os.close(fd)
        raise
    return fd


def hasten(fds: Iterable[int]) -> None:
    """Have the system begin to put the bytes of open files on the disk; `settle` waits for it.

    Where it is not begun for all at once, a file system may commit its changes for each of them.
    """
    advise = getattr(os, "posix_fadvise", None)
    if advise is None:
        return
    with suppress(OSError):  # It is but a hint.
        for fd in fds:
            advise(fd, 0, 0, os.POSIX_FADV_DONTNEED)


def settle(fd: int) -> None:
    """Have the bytes of an open file on the disk, and close it."""
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def close(fd: int) -> None:
    """Close an open file that is of no use any more."""
    with suppress(OSError):
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write every byte to an open file."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def replace(source: StrPath, target: StrPath) -> None:
    """Rename over `target` in one step, and have the rename on the disk."""
    rename(source, target)
    sync_folder(Path(target).parent)


def rename(source: StrPath, target: StrPath) -> None:
    """Rename over `target` in one step, which is on the disk after `sync_folder`.

    On Windows a scanner or a reader may hold the target open for a moment: try a few times.
    """
    for left in reversed(range(_REPLACE_TRIES)):
        try:
            os.replace(source, target)
            break
        except PermissionError:
            if os.name != "nt" or not left:
                raise
            time.sleep(0.05)


def remove(path: StrPath) -> None:
    """Remove a file, and have that on the disk. A missing one is fine."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    sync_folder(Path(path).parent)


def write_own(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file of our own in one step, by default readable by its owner only."""
    beside = path.with_name(f"{path.name}.new")
    try:
        try:
            write_new(beside, data, mode)
        except FileExistsError:  # Left over from a run that was killed; we hold the lock.
            os.unlink(beside)
            write_new(beside, data, mode)
        replace(beside, path)
    except OSError:
        with suppress(OSError):
            os.unlink(beside)
        raise


def names_in(folder: StrPath) -> list[str]:
    """Return the names in a folder, sorted; none if it is missing."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def discard(paths: Iterable[StrPath]) -> bool:
    """Remove temporary files of ours as far as possible; say whether all are gone."""
    gone = True
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        except OSError:
            gone = False
    return gone


def is_there(path: StrPath) -> bool:
    """Whether something has this name, a dangling link included."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    return True
