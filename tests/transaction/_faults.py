"""A replacement for ``os`` that counts calls, and at one call fails, dies or lets others write.

It is patched into the modules that touch the disk. The real functions do the work: the tests see
real calls on real files.
"""

from __future__ import annotations

import contextlib
import os
import signal
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.transaction import files, folders, lock, metadata

LOOKING = {"open", "read", "stat", "lstat", "fstat", "listdir", "listxattr", "getxattr"}
WRITING = {
    "write", "fsync", "close", "replace", "unlink", "mkdir", "rmdir", "ftruncate", "fchmod",
    "fchown", "setxattr",
}  # fmt: skip
CALLS = LOOKING | WRITING
MAKING = os.O_CREAT | os.O_TRUNC

Hook = Callable[[str, Callable[..., Any], tuple[Any, ...]], Any]


class StandIn(types.ModuleType):
    """A module whose file-system functions are called through a hook."""

    def __init__(self, real: types.ModuleType, hook: Hook, names: set[str]) -> None:
        super().__init__(real.__name__)
        self._real, self._hook, self._names = real, hook, names

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._real, name)
        if name not in self._names:
            return value
        return lambda *args, **options: self._hook(name, lambda *a: value(*a, **options), args)


@contextlib.contextmanager
def hooked(hook: Hook) -> Iterator[None]:
    """Send every file-system call of the transaction through `hook`."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (files, folders, metadata, lock):
            patch.setattr(module, "os", StandIn(os, hook, CALLS))
        if hasattr(lock, "fcntl"):
            patch.setattr(lock, "fcntl", StandIn(lock.fcntl, hook, {"flock"}))
        yield


class Count:
    """Makes and counts every call; with `writing`, counts only those that change something."""

    def __init__(self, *, writing: bool = False) -> None:
        self.calls = 0
        self.writing = writing

    def __call__(self, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        if self.writing and not _writes(name, args):
            return real(*args)
        self.calls += 1
        return self.counted(self.calls - 1, name, real, args)

    def counted(
        self, number: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]
    ) -> Any:
        """Make the counted call with this number, from 0."""
        return real(*args)


class Die(Count):
    """Kills the process at one call. If the call is a write, half of its bytes are written."""

    def __init__(self, at: int, *, writing: bool = False) -> None:
        super().__init__(writing=writing)
        self.at = at

    def counted(
        self, number: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]
    ) -> Any:
        if number == self.at:
            if name == "write":
                real(args[0], args[1][: len(args[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args)


class Fail(Count):
    """Fails at one call; with `lasting`, at every writing call from there on."""

    def __init__(self, at: int, error: int, *, lasting: bool = False) -> None:
        super().__init__(writing=lasting)
        self.at, self.error, self.lasting = at, error, lasting
        self.failed = ""

    def counted(
        self, number: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]
    ) -> Any:
        if number == self.at or (self.lasting and number > self.at):
            self.failed = self.failed or name
            if name == "close":  # The system closes a descriptor even if it reports an error.
                real(*args)
            named = args[:1] if isinstance(args[0], (str, Path)) else ()
            raise OSError(self.error, os.strerror(self.error), *named)
        return real(*args)


def _writes(name: str, args: tuple[Any, ...]) -> bool:
    if name == "open":
        return bool(args[1] & MAKING)
    return name in WRITING - {"close"}


class Interfere(Count):
    """Calls `act` just before one call, and remembers the name of that call."""

    def __init__(self, at: int, act: Callable[[], None]) -> None:
        super().__init__()
        self.at, self.act = at, act
        self.name = ""

    def counted(
        self, number: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]
    ) -> Any:
        if number == self.at:
            self.name = name
            self.act()
        return real(*args)


def fork() -> int:
    """Fork, although the test runner may have threads: the child does not use them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def in_child(act: Callable[[], object]) -> int:
    """Call `act` in a forked process; return its exit status, negative if it was killed."""
    child = fork()
    if child == 0:
        try:
            act()
        except BaseException:  # Code of the parent, such as pytest, must not continue in the child.
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
