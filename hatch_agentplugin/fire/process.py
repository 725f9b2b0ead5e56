"""What keeps a call from hurting the session: descriptors, deadlines, small files, the way out.

The reply goes to a private copy of standard output; what handlers and their children print goes to
standard error. A deadline is kept by an interval timer where there is one, else by a thread, and
the process always leaves by ``_exit``, so that neither threads nor exit hooks can hold the host.
"""

# ruff: noqa: SIM105  (contextlib is more than the hook path can afford)

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

#: Seconds between asking a handler to stop and leaving without it.
GRACE = 0.5
#: Seconds that writing the reply and flushing may take, should the host not read.
LAST = 5.0
NULL = "nul" if sys.platform == "win32" else "/dev/null"


class Expired(BaseException):
    """Raised in a handler at its deadline. Should it be caught there, the process leaves anyway."""


class Streams:
    """The standard streams of the call."""

    def __init__(self) -> None:
        self._pid = system.getpid()
        for descriptor, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
            if stream is None:  # closed by the host: fill the gap before anything else gets it
                _to_null(descriptor)
        self._out = system.dup(1)
        system.dup2(2, 1)

    def close_input(self) -> None:
        """No handler and no child may wait for the host's input."""
        _to_null(0)

    def leave(self, reply: bytes = b"", status: int = 0, error: bytes = b"") -> NoReturn:
        """Write the whole reply and end the process. Never returns, never raises."""
        try:
            Deadline.start(LAST, lambda: system._exit(status))
            if system.getpid() == self._pid:  # a handler's forked child has nothing to say
                _write(self._out, reply)
                _write(2, error)
        except BaseException:  # a host that reads no more; there is nobody to tell
            pass
        try:
            for name in ("stdout", "stderr"):
                getattr(sys, name).flush()
        except BaseException:  # prints of a handler into a broken pipe
            pass
        system._exit(status)

    def detach(self) -> bool:
        """Go on in the background where the host kills what it started; False where that fails.

        The host gets its end of file and exit status 0 at once from the process it knows.
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
    """Make ``descriptor`` the null device, also for child processes."""
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
    """One deadline at a time. ``then`` runs when it has passed, in the main thread or a watcher.

    With ``soft``, :class:`Expired` is raised first and ``then`` runs after :data:`GRACE`, unless the
    deadline was stopped by then.
    """

    _then: Callable[[], object] | None = None
    _soft: type[BaseException] | None = None
    _turn = 0

    @classmethod
    def start(
        cls,
        seconds: float,
        then: Callable[[], object],
        soft: type[BaseException] | None = None,
    ) -> None:
        """Begin to wait. A deadline that is running already is replaced."""
        cls._then, cls._soft = then, soft
        cls._turn += 1
        seconds = max(seconds, 0.001)
        if sys.platform == "win32":
            import _thread

            _thread.start_new_thread(cls._watch, (seconds, cls._turn))
            return
        signal(SIGALRM, cls._rang)
        pthread_sigmask(SIG_UNBLOCK, (SIGALRM,))
        setitimer(ITIMER_REAL, seconds, GRACE)

    @classmethod
    def stop(cls) -> None:
        """Wait no longer."""
        cls._then = cls._soft = None
        cls._turn += 1
        if sys.platform != "win32":
            setitimer(ITIMER_REAL, 0)

    @classmethod
    def _rang(cls, number: int, frame: Any) -> None:
        soft, cls._soft = cls._soft, None
        if soft is not None:
            raise soft
        then, cls._then = cls._then, None
        if then is not None:
            then()

    @classmethod
    def _watch(cls, seconds: float, turn: int) -> None:
        from time import sleep

        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            sleep(min(left, 0.05))
            if cls._turn != turn:
                return
        then, cls._then = cls._then, None
        if then is not None:
            then()


def exists(path: str) -> bool:
    """Whether there is anything at a path."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def make_folder(path: str) -> None:
    """A folder for this user alone; no error where it can't be made, or is there."""
    try:
        system.mkdir(path, 0o700)
    except OSError:
        pass


def touch(path: str) -> None:
    """An empty file of now; no error where it can't be written."""
    try:
        system.close(system.open(path, system.O_WRONLY | system.O_CREAT | system.O_TRUNC, 0o600))
    except OSError:
        pass
