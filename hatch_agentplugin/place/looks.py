"""What a run looks at on this machine, noted, so that the same run need not be made again.

`Noted` takes down every look at the disk and at the environment while it is entered, whoever takes
it: our own modules, ``os.path`` or a library. For that it stands in for the functions of ``os`` that
they all come down to. A look that it can't note makes it not `sound`. `look` takes one again.

Imports next to nothing, because the run that is spared has to import it. Where ``os.path`` does not
come down to ``os`` (on Windows), nothing is sound.
"""

from __future__ import annotations

import builtins
import io
import os
import sys

from hatch_agentplugin._sha256 import new as sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Look: TypeAlias = tuple[str, str]

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_TYPE, _REGULAR = 0o170000, 0o100000

# The real ones, whoever stands in for them while a look is taken.
_access, _environ, _getcwd, _listdir = os.access, os.environ, os.getcwd, os.listdir
_lstat, _open, _readlink, _stat = os.lstat, os.open, os.readlink, os.stat

_OF_PATH = (
    (os.path.exists, "stat"),
    (os.path.isfile, "stat"),
    (os.path.isdir, "stat"),
    (os.path.lexists, "lstat"),
    (os.path.islink, "lstat"),
)


def look(kind: str, what: str) -> str:
    """Take one look, and say in a word what there is to see; an error is something to see, too.

    ``kind`` is ``stat``, ``lstat``, ``link``, ``list``, ``read`` or ``code`` of a path; ``may4`` for
    an access that is meant; ``env`` of a variable; ``cwd``, with nothing to look at.
    """
    if kind == "env":
        value = _environ.get(what)
        return "-" if value is None else f"={value}"
    if kind == "cwd":
        return _where()
    try:
        return _seen(kind, what)
    except OSError as error:
        return f"error {error.errno}"


def _seen(kind: str, path: str) -> str:
    if kind == "stat":
        return _of_status(_stat(path))
    if kind == "lstat":
        return _of_status(_lstat(path))
    if kind == "read":
        return _digest(path)
    if kind == "list":
        return _of_names(_listdir(path))
    if kind == "link":
        return _readlink(path)
    if kind == "code":
        status = _stat(path)
        return f"{status.st_mtime_ns} {status.st_size}"
    return str(_access(path, int(kind.removeprefix("may"))))


def _of_status(status: os.stat_result) -> str:
    size = status.st_size if status.st_mode & _TYPE == _REGULAR else 0
    return f"{status.st_mode} {status.st_uid} {size}"


def _of_names(names: list[str]) -> str:
    return sha256("\0".join(sorted(names)).encode("utf-8", "surrogateescape")).hexdigest()


def _digest(path: str) -> str:
    """The digest of a regular file's content. Raises OSError."""
    fd = _open(path, os.O_RDONLY | _NO_WAIT)
    try:
        if os.fstat(fd).st_mode & _TYPE != _REGULAR:
            return "not a file"
        total = sha256()
        while chunk := os.read(fd, 1 << 20):
            total.update(chunk)
        return total.hexdigest()
    finally:
        os.close(fd)


def _where() -> str:
    """The working folder, as far as it matters: Python's own path is searched without it."""
    try:
        here = _getcwd()
    except OSError:
        return "gone"
    # Joined here, because a relative one would be asked of the very function that has asked for this.
    paths = {os.path.realpath(os.path.join(here, path)) for path in sys.path}
    return here if here in paths else "elsewhere"


class Noted:
    """The looks that are taken while it is entered, which may be several times in turn."""

    def __init__(self, *, sound: bool = True) -> None:
        self.looks: dict[Look, str] = {}
        """What was looked at, and what was to be seen there at first."""
        self.sound = sound
        """Whether all of them could be noted; where not, none is any more."""
        self._real: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> Noted:
        if not self.sound:
            return self
        standins = {
            (os, "stat"): self._stat,
            (os, "lstat"): self._lstat,
            (os, "access"): self._access,
            (os, "readlink"): self._readlink,
            (os, "listdir"): self._listdir,
            (os, "scandir"): self._unknown(os.scandir),
            (os, "getcwd"): self._getcwd,
            (os, "open"): self._open,
            (os, "environ"): _Environ(self),
            (builtins, "open"): self._file(builtins.open),
            (io, "open"): self._file(io.open),
        }
        self._real = [(where, name, getattr(where, name)) for where, name in standins]
        for (where, name), standin in standins.items():
            setattr(where, name, standin)
        self._try()
        return self

    def __exit__(self, *_: object) -> None:
        for where, name, real in self._real:
            setattr(where, name, real)
        self._real = []

    def _try(self) -> None:
        """See whether this Python's ``os.path`` asks ``os``."""
        for function, kind in _OF_PATH:
            self.looks.pop((kind, "/"), None)
            function("/")
            self.sound = self.sound and (kind, "/") in self.looks

    def note(self, kind: str, what: Any) -> None:
        """Take down a look that is about to be taken, and take it for that."""
        path = self._path(what, kind in ("env", "cwd"))
        if path is not None and (kind, path) not in self.looks:
            self.looks[kind, path] = look(kind, path)

    def _path(self, what: Any, any_name: bool = False) -> str | None:
        """The path of a look; None where it can't be noted."""
        if isinstance(what, str):
            path = str(what)
        elif isinstance(what, (bytes, os.PathLike)):
            path = os.fsdecode(what)
        else:  # such as an open file
            self.sound = False
            return None
        if path[:1] == "/" or any_name:
            return path
        self.sound = False  # It depends on the working folder.
        return None

    def _taken(self, kind: str, what: Any, real: Callable[[Any], Any], word: Any) -> Any:
        """Take a look for whoever wants it, and note in a word what there was to see."""
        path = self._path(what)
        if path is None or (kind, path) in self.looks:
            return real(what)
        try:
            found = real(what)
        except OSError as error:
            self.looks[kind, path] = f"error {error.errno}"
            raise
        self.looks[kind, path] = word(found)
        return found

    def _stat(self, path: Any, *, dir_fd: Any = None, follow_symlinks: bool = True) -> Any:
        if dir_fd is not None:
            self.sound = False
            return _stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
        if follow_symlinks:
            return self._taken("stat", path, _stat, _of_status)
        return self._taken("lstat", path, _lstat, _of_status)

    def _lstat(self, path: Any, *, dir_fd: Any = None) -> Any:
        return self._stat(path, dir_fd=dir_fd, follow_symlinks=False)

    def _readlink(self, path: Any, *, dir_fd: Any = None) -> Any:
        self.sound = self.sound and dir_fd is None
        return self._taken("link", path, lambda path: _readlink(path, dir_fd=dir_fd), os.fsdecode)

    def _listdir(self, path: Any = ".") -> Any:
        # Of names in bytes nothing is sorted with others.
        return self._taken(
            "list", path, _listdir, lambda names: _of_names([*map(os.fsdecode, names)])
        )

    def _access(self, path: Any, mode: int, **more: Any) -> bool:
        self.sound = self.sound and not more
        self.note(f"may{mode}", path)
        return _access(path, mode, **more)

    def _getcwd(self) -> str:
        self.note("cwd", "")
        return _getcwd()

    def _open(self, path: Any, flags: int, *more: Any, **named: Any) -> int:
        self.sound = self.sound and not flags & _WRITES
        self.note("read", path)
        return _open(path, flags, *more, **named)

    def _file(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def opened(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
            self.sound = self.sound and mode.strip("rbt") == ""
            self.note("read", file)
            return real(file, mode, *more, **named)

        return opened

    def _unknown(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def function(*given: Any, **named: Any) -> Any:
            self.sound = False
            return real(*given, **named)

        return function


class _Environ:
    """The environment; of what it is asked for a note is taken, also later."""

    def __init__(self, noted: Noted) -> None:
        self._noted = noted

    def get(self, name: str, default: Any = None) -> Any:
        self._noted.note("env", name)
        return _environ.get(name, default)

    def __getitem__(self, name: str) -> str:
        self._noted.note("env", name)
        return _environ[name]

    def __contains__(self, name: object) -> bool:
        self._noted.note("env", name)
        return name in _environ

    def __getattr__(self, name: str) -> Any:  # whatever else is asked of it
        self._noted.sound = False
        return getattr(_environ, name)
