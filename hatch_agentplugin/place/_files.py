"""Every file-system call that placing makes. OSError goes through; nothing is decided here.

Nothing else in the transaction touches the disk. So the tests can put a counting, failing or dying
stand-in for ``os`` into this one module.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

BINARY = getattr(os, "OBINARY", 0)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}
_REPLACE_TRIES = 6


@dataclass(frozen=True)
class Snapshot:
    """A regular file as it was read."""

    data: bytes
    mode: int
    """Permission bits."""
    links: int
    """How many names the file has."""

    @property
    def sha256(self) -> str:
        """Digest of the content."""
        return digest(self.data)


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def resolve(path: Path) -> Path:
    """Follow every link in `path`. The result may not exist; a circle gives OSError (ELOOP)."""
    target = os.path.realpath(path)
    if is_link(Path(target)):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), target)
    return Path(target)


def is_link(path: Path) -> bool:
    """Whether `path` itself is a symbolic link."""
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def mode_of(path: Path) -> int | None:
    """Return type and permission bits, links followed; None if there is no such file."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def owner(path: Path) -> int:
    """Return the owner's number."""
    return os.stat(path).st_uid


def snapshot(path: Path) -> Snapshot | None:
    """Read a regular file; None if it is missing. A folder, device or socket gives OSError."""
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
        data = _read_all(fd)
    finally:
        os.close(fd)
    return Snapshot(data, stat.S_IMODE(status.st_mode), status.st_nlink)


def sha256_of(path: Path) -> str | None:
    """Return the digest of a file's content; None if it is missing."""
    found = snapshot(path)
    return None if found is None else found.sha256


def _read_all(fd: int) -> bytes:
    chunks = []
    while chunk := os.read(fd, 1 << 20):
        chunks.append(chunk)
    return b"".join(chunks)


def write_new(path: Path, data: bytes, mode: int) -> None:
    """Create `path`, which must not exist, with all its bytes on the disk. The umask applies."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | NO_FOLLOW, mode)
    try:
        write_all(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)


def write_like(path: Path, data: bytes, model: Path, mode: int) -> None:
    """Create `path` with owner and extended attributes of `model`, as far as allowed."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | NO_FOLLOW, 0o600)
    try:
        write_all(fd, data)
        _carry_over(fd, path, model, mode)
        os.fsync(fd)
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write every byte to an open file."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _carry_over(fd: int, path: Path, model: Path, mode: int) -> None:
    """Give the new file what belongs to the old one. Open to others only at the very end."""
    status = os.stat(model)
    if hasattr(os, "fchown"):
        new = os.fstat(fd)
        if (new.st_uid, new.st_gid) != (status.st_uid, status.st_gid):
            try:
                os.fchown(fd, status.st_uid, status.st_gid)
            except OSError:
                try:
                    os.fchown(fd, -1, status.st_gid)
                except OSError:
                    # What the old group was allowed is not for another group.
                    mode = mode & ~0o070 | (mode & 0o007) << 3
    if hasattr(os, "fchmod"):
        os.fchmod(fd, mode)
    else:
        os.chmod(path, mode)
    if hasattr(os, "setxattr"):  # After the mode: an access list is one of them.
        _carry_attributes(fd, model)


def _carry_attributes(fd: int, model: Path) -> None:
    try:
        names = os.listxattr(model)
    except OSError:  # The file system has none.
        return
    for name in names:
        with contextlib.suppress(OSError):  # Some are for the system or for root to set.
            os.setxattr(fd, name, os.getxattr(model, name))


def with_execution(mode: int) -> int:
    """Return `mode` with execution allowed to everybody who may read."""
    return mode | (mode & 0o444) >> 2


def replace(source: Path, target: Path) -> None:
    """Rename over `target` in one step, and have the rename on the disk.

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
    sync_folder(target.parent)


def remove(path: Path) -> None:
    """Remove a file, and have that on the disk. A missing one is fine."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    sync_folder(path.parent)


def write_private(path: Path, data: bytes) -> None:
    """Write a file of our own in one step, readable by its owner only."""
    beside = path.with_name(f"{path.name}.new")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(beside)  # Left over from a run that was killed; we hold the lock.
    try:
        write_new(beside, data, 0o600)
        replace(beside, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def sync_folder(folder: Path) -> None:
    """Have a folder's names on the disk, where the system can do that."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(fd)


def make_folder(folder: Path, *, private: bool = False) -> None:
    """Make one folder. An existing one is fine."""
    try:
        os.mkdir(folder, 0o700 if private else 0o777)
    except FileExistsError:
        return
    sync_folder(folder.parent)


def make_private(folder: Path) -> None:
    """Make a folder of our own and the folders above it."""
    for one in reversed([folder, *folder.parents]):
        if mode_of(one) is None:
            make_folder(one, private=True)


def remove_folder(folder: Path) -> bool:
    """Remove a folder if it is empty; say whether it is gone."""
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    with contextlib.suppress(OSError):
        sync_folder(folder.parent)
    return True


def names_in(folder: Path) -> list[str]:
    """Return the names in a folder, sorted; none if it is missing."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def discard(paths: Iterable[Path]) -> None:
    """Remove temporary files of ours as far as possible."""
    for path in paths:
        with contextlib.suppress(OSError):
            os.unlink(path)


def may_write(path: Path) -> bool:
    """Whether the system says that this process may write to a file, or add names to a folder."""
    wanted = os.W_OK | (os.X_OK if os.path.isdir(path) else 0)
    effective = os.access in getattr(os, "supports_effective_ids", ())
    return os.access(path, wanted, effective_ids=effective)


def on_read_only_system(path: Path) -> bool:
    """Whether the file system of an existing path is mounted read-only."""
    statvfs = getattr(os, "statvfs", None)
    return statvfs is not None and bool(statvfs(path).f_flag & getattr(os, "ST_RDONLY", 1))


def is_there(path: Path) -> bool:
    """Whether something has this name, a dangling link included."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    return True
