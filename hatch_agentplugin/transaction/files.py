"""Every system call of a transaction that reads, writes or removes a file.

Errors of the system (OSError) pass through; no decision is made here. Only this module, `folders`,
`metadata` and `lock` write to the disk, so a test can replace ``os`` in these four modules to count
calls, make one fail, or kill the process at one.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
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
    """The state of a regular file when it was read."""

    data: bytes
    mode: int
    """Permission bits."""
    links: int
    """Number of hard links."""

    @property
    def sha256(self) -> str:
        """Digest of the content."""
        return digest(self.data)


def digest(data: bytes) -> str:
    """Return the SHA-256 digest of some bytes, in hexadecimal."""
    return sha256(data).hexdigest()


def resolve(path: Path) -> Path:
    """Follow every link in `path`. The result may not exist; a loop raises OSError (ELOOP)."""
    target = os.path.realpath(path)
    if is_link(target):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), target)
    return Path(target)


def is_link(path: StrPath) -> bool:
    """Return True if `path` itself is a symbolic link."""
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def lexists(path: StrPath) -> bool:
    """Return True if `path` exists, or is a link whose target is missing."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    return True


def mode_of(path: StrPath) -> int | None:
    """Return type and permission bits after following links; None if the path does not exist."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def names_in(folder: StrPath) -> list[str]:
    """Return the names in a folder, sorted; an empty list if the folder does not exist."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def snapshot(path: StrPath) -> Snapshot | None:
    """Read a regular file; return None if it does not exist.

    Raises OSError, also for a folder, a device, a pipe or a socket.
    """
    return _read_stable(path, lambda found: found)


def sha256_of(path: StrPath) -> str | None:
    """Return the digest of a file's content; None if the file does not exist.

    Raises OSError as `snapshot` does. Digesting a large file takes time: a write that happens
    meanwhile is noticed too.
    """
    return _read_stable(path, lambda found: found.sha256)


def _read_stable(path: StrPath, compute: Callable[[Snapshot], T]) -> T | None:
    """Read a file and return `compute` of it; None if the file does not exist.

    The last system call checks that the file is still the one that was read. If another program
    has replaced or written it meanwhile, the file is read again.
    """
    for _ in range(_READ_TRIES):
        found = _read(path)
        if found is None:
            return None
        snapshot, status = found
        result = compute(snapshot)
        with suppress(FileNotFoundError):
            if _version(os.stat(path)) == _version(status):
                break
    return result


def _version(status: os.stat_result) -> tuple[int, ...]:
    """Return values of which at least one differs after a file was replaced or written."""
    return (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)


def _read(path: StrPath) -> tuple[Snapshot, os.stat_result] | None:
    try:
        # NO_WAIT: if the path is a pipe, open must not wait for its other end.
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
    return Snapshot(b"".join(chunks), mode, status.st_nlink), status


def write_new(path: StrPath, data: bytes, mode: int) -> None:
    """Create `path`, which must not exist, and sync its content. The umask applies.

    The name itself is on the disk after `sync_folder`.
    """
    with _created(path, mode) as fd:
        write_all(fd, data)


def write_like(path: StrPath, data: bytes, model: StrPath, mode: int) -> None:
    """Create `path` like `write_new`, with owner and extended attributes of `model` if allowed."""
    with _created(path, 0o600) as fd:
        write_all(fd, data)
        metadata.carry_over(fd, path, model, mode)


@contextmanager
def _created(path: StrPath, mode: int) -> Iterator[int]:
    """Create a file, give its descriptor, and sync and close it at the end."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | NO_FOLLOW, mode)
    try:
        yield fd
        os.fsync(fd)
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write every byte to an open file."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def write_own(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write or replace a file of our own atomically. By default only its owner can read it."""
    beside = path.with_name(f"{path.name}.new")
    try:
        try:
            write_new(beside, data, mode)
        except FileExistsError:  # A killed run has left it; we hold the lock.
            os.unlink(beside)
            write_new(beside, data, mode)
        replace(beside, path)
    except OSError:
        with suppress(OSError):
            os.unlink(beside)
        raise


def replace(source: StrPath, target: StrPath) -> None:
    """Rename `source` to `target` atomically, and sync the folder."""
    rename(source, target)
    sync_folder(Path(target).parent)


def rename(source: StrPath, target: StrPath) -> None:
    """Rename `source` to `target` atomically; the rename is on the disk after `sync_folder`.

    On Windows a virus scanner or a reader may keep the target open for a moment, so the rename is
    tried a few times.
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
    """Remove a file and sync its folder. Does nothing if the file does not exist."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    sync_folder(Path(path).parent)


def discard(paths: Iterable[StrPath]) -> bool:
    """Remove temporary files of ours as far as possible; return True if none is left."""
    gone = True
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        except OSError:
            gone = False
    return gone
