"""One transaction at a time, per user. Works across processes, and the holder may die.

The lock is on a file of our own folder, never beside a user's file: that folder may be shared,
synchronised or immutable. The file stays; it tells who holds the lock.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from hatch_agentplugin.transaction import files, folders
from hatch_agentplugin.transaction.problem import FileProblem, shown

_MAX_HOLDER = 4096


class locked:  # noqa: N801
    """Hold the lock at `path` while this is entered; wait for it at most `wait` seconds.

    With `private` only its owner can look into the folders that are made for it.

    Raises FileProblem that names the holder when the time is over, or when the file can't be used.
    """

    def __init__(self, path: Path, wait: float, *, private: bool = True) -> None:
        self._path, self._wait, self._private = path, wait, private
        self._fd = -1

    def __enter__(self) -> None:
        path, private = self._path, self._private
        try:
            self._fd = _acquire(path, time.monotonic() + self._wait, private)
        except PermissionError as error:
            problem = FileProblem.of(path, error)
            if private:
                raise problem from None
            advice = "what is for all users is the administrator's: run the command as one (sudo)"
            raise FileProblem(path, problem.reason, advice) from None
        except OSError as error:
            raise FileProblem.of(path, error) from None
        try:
            with suppress(OSError):  # Only a courtesy: a full disk is no reason to stop.
                _overwrite(self._fd, _introduce())
        except BaseException:
            _unlock(self._fd)
            raise

    def __exit__(self, *_: object) -> None:
        _unlock(self._fd)


class if_free:  # noqa: N801
    """Hold the lock at `path` while this is entered, if it is there and free: whether it is held.

    Makes nothing, writes nothing, waits for nobody.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = -1

    def __enter__(self) -> bool:
        with suppress(OSError):
            fd = os.open(self._path, os.O_RDWR | files.BINARY | files.NO_FOLLOW)
            taken = _taken(self._path, fd)
            self._fd = -1 if taken is None else taken
        return self._fd != -1

    def __exit__(self, *_: object) -> None:
        if self._fd != -1:
            _unlock(self._fd)


def _acquire(path: Path, deadline: float, private: bool) -> int:
    while True:
        fd = _try_lock(path, private)
        if fd is not None:
            return fd
        if time.monotonic() >= deadline:
            raise FileProblem(
                path,
                f"another command is at work: {_holder(path)}",
                "wait until it has ended, or end it, and run the command again",
            )
        import random  # only who waits needs it

        time.sleep(random.uniform(0.01, 0.05))  # Not in step with others who wait.


def _machine() -> str:
    """The machine's name, without the import of ``socket`` where the system tells it itself."""
    if sys.platform != "win32":
        name = os.uname().nodename
    else:
        import socket

        name = socket.gethostname()
    return name


def _introduce() -> bytes:
    # Not the whole command line: it may hold what is nobody's business.
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])
    holder = {
        "pid": os.getpid(),
        "command": command[:200],
        "host": _machine(),
        "since": time.strftime("%Y-%m-%d %H:%M:%S"),
    }
    return json.dumps(holder).encode("ascii")


def _holder(path: Path) -> str:
    """Say who holds the lock, as far as the file tells."""
    try:
        holder = json.loads(_read_start(path, _MAX_HOLDER))
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
    """Make `data` the whole content of an open file."""
    os.ftruncate(fd, 0)
    os.lseek(fd, 0, os.SEEK_SET)
    files.write_all(fd, data)


def _try_lock(path: Path, private: bool) -> int | None:
    """Lock a file, made when missing; return its descriptor, or None when another has the lock."""
    # Each time anew: when nothing is placed any more, the last command removes the folder.
    folders.make_folders(path.parent, private=private)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | files.BINARY | files.NO_FOLLOW, 0o600)
    return _taken(path, fd)


def _taken(path: Path, fd: int) -> int | None:
    """Lock an open file; its descriptor, or None, and it is closed, where another has the lock."""
    try:
        if _lock(fd) and os.path.samestat(os.fstat(fd), os.stat(path)):
            return fd
    except FileNotFoundError:  # Somebody removed the file: ours locks nobody out.
        pass
    except BaseException:
        os.close(fd)
        raise
    os.close(fd)
    return None


if sys.platform == "win32":
    import msvcrt

    # A locked range can't be read; this one is behind all content.
    _RANGE = 1 << 20

    def _lock(fd: int) -> bool:
        os.lseek(fd, _RANGE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLOCK):
                return False
            raise
        return True

    def _unlock(fd: int) -> None:
        """Let go of the lock."""
        with suppress(OSError):
            os.lseek(fd, _RANGE, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
        with suppress(OSError):
            os.close(fd)

else:
    import fcntl

    def _lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(fd: int) -> None:
        """Let go of the lock. Closing does it, whatever else it reports."""
        with suppress(OSError):
            os.close(fd)
