"""The process of a hook call: standard streams, deadlines, small files, and the exit.

The reply goes to a private copy of standard output; output of handlers and their children goes to
standard error. A deadline uses an interval timer, or a thread on Windows. The process always ends
with ``_exit``, so neither threads nor exit hooks can make the host wait.
"""

# ruff: noqa: SIM105  (importing contextlib costs too much here)

from __future__ import annotations

import sys
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
    from collections.abc import Callable
    from signal import ITIMER_REAL, SIG_UNBLOCK, SIGALRM, pthread_sigmask, setitimer, signal
    from typing import Any, NoReturn
else:
    try:
        import posix as system
    except ImportError:
        import nt as system
    if sys.platform != "win32":
        from _signal import ITIMER_REAL, SIG_UNBLOCK, SIGALRM, pthread_sigmask, setitimer, signal

__all__ = [
    "GRACE",
    "NULL",
    "Deadline",
    "Expired",
    "Streams",
    "exists",
    "make_folder",
    "system",
    "touch",
]

#: Seconds between :class:`Expired` in a handler and the exit without it.
GRACE = 0.5
#: Seconds for writing the reply and flushing, in case the host does not read.
LAST = 5.0
NULL = "nul" if sys.platform == "win32" else "/dev/null"


class Expired(BaseException):
    """Raised in a handler at its deadline. If the handler catches it, the process exits anyway."""


class Streams:
    """The standard streams of a call."""

    def __init__(self) -> None:
        self._pid = system.getpid()
        for descriptor, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
            if stream is None:  # closed by the host: take its number before a file gets it
                _to_null(descriptor)
        self._out = system.dup(1)
        system.dup2(2, 1)

    def close_input(self) -> None:
        """Replace standard input, so that no handler and no child can wait for the host."""
        _to_null(0)

    def leave(self, reply: bytes = b"", status: int = 0, error: bytes = b"") -> NoReturn:
        """Write the whole reply and end the process. Never raises."""
        try:
            Deadline.start(LAST, lambda: system._exit(status))
            if system.getpid() == self._pid:  # not in a process that a handler forked
                _write(self._out, reply)
                _write(2, error)
        except BaseException:  # the host no longer reads
            pass
        try:
            for name in ("stdout", "stderr"):
                getattr(sys, name).flush()
        except BaseException:  # a handler printed into a broken pipe
            pass
        system._exit(status)

    def detach(self) -> bool:
        """Continue in the background, because the host may kill the process that it started.

        That process exits with status 0 at once. Return False if the background can't be reached.
        """
        try:
            if system.fork():
                system._exit(0)
            system.setsid()
            self._pid = system.getpid()
            if self._out >= 0:
                system.close(self._out)
            self._out = -1
            for descriptor in (0, 1, 2):
                _to_null(descriptor)
        except (OSError, AttributeError):
            return False
        return True


def _to_null(descriptor: int) -> None:
    """Point ``descriptor`` at the null device, for child processes too."""
    try:
        null = system.open(NULL, system.O_RDWR)
        if null == descriptor:
            system.set_inheritable(null, True)
        else:
            system.dup2(null, descriptor)
            system.close(null)
    except OSError:
        pass


def _write(descriptor: int, data: bytes) -> None:
    while data and descriptor >= 0:
        data = data[system.write(descriptor, data) :]


class Deadline:
    """The one deadline of the process. ``then`` runs when it has passed.

    With ``soft``, that exception is raised in the main thread first, and ``then`` runs after
    another :data:`GRACE` seconds unless the deadline is stopped. On Windows ``then`` runs in a
    thread and ``soft`` is never raised.
    """

    _then: Callable[[], object] | None = None
    _soft: type[BaseException] | None = None
    _number = 0

    @classmethod
    def start(
        cls,
        seconds: float,
        then: Callable[[], object],
        soft: type[BaseException] | None = None,
    ) -> None:
        """Set the deadline ``seconds`` from now, in place of the current one."""
        cls._then, cls._soft = then, soft
        cls._number += 1
        seconds = max(seconds, 0.001)
        if sys.platform == "win32":
            import _thread

            _thread.start_new_thread(cls._watch, (seconds, cls._number))
            return
        signal(SIGALRM, cls._on_alarm)
        pthread_sigmask(SIG_UNBLOCK, (SIGALRM,))
        setitimer(ITIMER_REAL, seconds, GRACE)

    @classmethod
    def stop(cls) -> None:
        """Cancel the deadline."""
        cls._then = cls._soft = None
        cls._number += 1
        if sys.platform != "win32":
            setitimer(ITIMER_REAL, 0)

    @classmethod
    def _on_alarm(cls, number: int, frame: Any) -> None:
        soft, cls._soft = cls._soft, None
        if soft is not None:
            raise soft
        then, cls._then = cls._then, None
        if then is not None:
            then()

    @classmethod
    def _watch(cls, seconds: float, number: int) -> None:
        from time import sleep

        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            sleep(min(left, 0.05))
            if cls._number != number:
                return
        then, cls._then = cls._then, None
        if then is not None:
            then()


def exists(path: str) -> bool:
    """Return True if a path exists."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def make_folder(path: str) -> None:
    """Create a folder for this user alone. Ignores all errors, including an existing folder."""
    try:
        system.mkdir(path, 0o700)
    except OSError:
        pass


def touch(path: str) -> None:
    """Write an empty file, to set its mtime to now. Ignores errors."""
    try:
        system.close(system.open(path, system.O_WRONLY | system.O_CREAT | system.O_TRUNC, 0o600))
    except OSError:
        pass
