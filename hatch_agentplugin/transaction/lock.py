"""The lock: one transaction at a time per user, across processes.

The lock is a file in our own folder, never beside a user's file, whose folder may be shared,
synchronised or immutable. The system releases the lock when its holder dies. The file stays; it
names the holder.
"""

from __future__ import annotations

import errno
import json
import os
import random
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hatch_agentplugin.transaction import files, folders
from hatch_agentplugin.transaction.problem import FileProblem, shown

_MAX_HOLDER_BYTES = 4096


@contextmanager
def locked(path: Path, wait: float, *, private: bool = True) -> Iterator[None]:
    """Hold the lock at `path`; wait for it at most `wait` seconds.

    Missing folders above it are made; with `private` only their owner can open them. Raises
    FileProblem if another process still holds the lock, which the message names, or if the file
    can't be used.
    """
    try:
        fd = _acquire(path, time.monotonic() + wait, private)
    except PermissionError as error:
        problem = FileProblem.of(path, error)
        if private:
            raise problem from None
        advice = "only an administrator can change what is installed for all users (use sudo)"
        raise FileProblem(path, problem.reason, advice) from None
    except OSError as error:
        raise FileProblem.of(path, error) from None
    try:
        with suppress(
            OSError
        ):  # Naming the holder is a courtesy; a full disk must not prevent work.
            _overwrite(fd, _describe_holder())
        yield
    finally:
        _unlock(fd)


def _acquire(path: Path, deadline: float, private: bool) -> int:
    while True:
        fd = _try_lock(path, private)
        if fd is not None:
            return fd
        if time.monotonic() >= deadline:
            raise FileProblem(
                path,
                f"another command is running: {_holder(path)}",
                "wait until it has ended, or end it, and run the command again",
            )
        time.sleep(random.uniform(0.01, 0.05))  # Random, so that waiting processes don't collide.


def _try_lock(path: Path, private: bool) -> int | None:
    """Lock a file, made if missing; return its descriptor, or None if another holds the lock."""
    # Make the folders at each try: a command that removes the last plugin removes them too.
    folders.make_folders(path.parent, private=private)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | files.BINARY | files.NO_FOLLOW, 0o600)
    try:
        if _lock(fd) and os.path.samestat(os.fstat(fd), os.stat(path)):
            return fd
    except FileNotFoundError:  # The file was removed: a lock on it keeps nobody else out.
        pass
    except BaseException:
        os.close(fd)
        raise
    os.close(fd)
    return None


def _describe_holder() -> bytes:
    # Only the program and its first argument: the rest of a command line may be confidential.
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])
    holder = {
        "pid": os.getpid(),
        "command": command[:200],
        "host": socket.gethostname(),
        "since": time.strftime("%Y-%m-%d %H:%M:%S"),
    }
    return json.dumps(holder).encode("ascii")


def _holder(path: Path) -> str:
    """Return who holds the lock, for a message."""
    try:
        holder = json.loads(_read_start(path, _MAX_HOLDER_BYTES))
        command = ascii(holder["command"])
        host, since = shown(holder["host"]), shown(holder["since"])
        return f"process {holder['pid']:d} ({command}) on {host} since {since}"
    except (OSError, ValueError, KeyError, TypeError):
        return "unknown process"


def _read_start(path: Path, size: int) -> bytes:
    """Return the first bytes of a file."""
    fd = os.open(path, os.O_RDONLY | files.BINARY | files.NO_FOLLOW | files.NO_WAIT)
    try:
        return os.read(fd, size)
    finally:
        os.close(fd)


def _overwrite(fd: int, data: bytes) -> None:
    """Replace the content of an open file by `data`."""
    os.ftruncate(fd, 0)
    os.lseek(fd, 0, os.SEEK_SET)
    files.write_all(fd, data)


if sys.platform == "win32":
    import msvcrt

    # Windows forbids reading a locked range; this one lies behind all content.
    _RANGE = 1 << 20

    def _lock(fd: int) -> bool:
        """Take the lock; return False if another process holds it."""
        os.lseek(fd, _RANGE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLOCK):
                return False
            raise
        return True

    def _unlock(fd: int) -> None:
        """Release the lock and close the file."""
        with suppress(OSError):
            os.lseek(fd, _RANGE, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
        with suppress(OSError):
            os.close(fd)

else:
    import fcntl

    def _lock(fd: int) -> bool:
        """Take the lock; return False if another process holds it."""
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(fd: int) -> None:
        """Release the lock by closing the file. This works even if closing reports an error."""
        with suppress(OSError):
            os.close(fd)
