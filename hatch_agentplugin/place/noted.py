"""Takes down what is looked at on this machine, whoever looks: see `looks`.

For that it stands in for the functions of ``os`` that all looks come down to. Where ``os.path`` does
not come down to them (on Windows), nothing is sound.
"""

from __future__ import annotations

import builtins
import io
import os
import sys
from collections.abc import MutableMapping

from hatch_agentplugin.place.looks import look, of_names, of_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from hatch_agentplugin.place.looks import Look

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

# The real ones, whoever stands in for them.
_access, _environ, _getcwd, _listdir = os.access, os.environ, os.getcwd, os.listdir
_lstat, _open, _readlink, _stat = os.lstat, os.open, os.readlink, os.stat
_environb = getattr(os, "environb", None)

_OF_PATH = (
    (os.path.exists, "stat"),
    (os.path.isfile, "stat"),
    (os.path.isdir, "stat"),
    (os.path.lexists, "lstat"),
    (os.path.islink, "lstat"),
)


class Noted:
    """The looks that are taken while it is entered, which may be several times, also within."""

    def __init__(self, *, sound: bool = True) -> None:
        self.looks: dict[Look, str] = {}
        """What was looked at, and what was to be seen there at first."""
        self.sound = sound
        """Whether all of them could be noted; where not, none is any more."""
        self._real: list[tuple[Any, str, Any]] = []
        self._standins: list[tuple[Any, str, Any]] = []
        self._depth = 0

    def __enter__(self) -> Noted:
        self._depth += 1
        if not self.sound or self._depth > 1:
            return self
        standins: dict[tuple[Any, str], Any] = {
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
            (builtins, "__import__"): self._import(builtins.__import__),
        }
        if hasattr(os, "environb"):
            standins[os, "environb"] = _Unknown(self)
        self._real = [(where, name, getattr(where, name)) for where, name in standins]
        self._standins = [(where, name, one) for (where, name), one in standins.items()]
        _put(self._standins)
        self._try()
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            _put(self._real)
            self._real = []

    def _try(self) -> None:
        """See whether this Python's ``os.path``, and ``pathlib`` if it is there, ask ``os``."""
        asking = [*_OF_PATH]
        if (pathlib := sys.modules.get("pathlib")) is not None:
            asking.append((lambda path: pathlib.Path(path).is_dir(), "stat"))
        for function, kind in asking:
            self.looks.pop((kind, "/"), None)
            function("/")
            self.sound = self.sound and (kind, "/") in self.looks

    def _import(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """A module that is imported meanwhile must not hold on to a stand-in for good."""

        def imported(name: str, *more: Any, **named: Any) -> Any:
            wanted = (more[2] if len(more) > 2 else named.get("fromlist")) or ()
            there = sys.modules.get(name)
            if there is not None and all(hasattr(there, one) for one in wanted):
                return real(name, *more, **named)
            _put(self._real)
            try:
                return real(name, *more, **named)
            finally:
                _put(self._standins)

        return imported

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
            return self._taken("stat", path, _stat, of_status)
        return self._taken("lstat", path, _lstat, of_status)

    def _lstat(self, path: Any, *, dir_fd: Any = None) -> Any:
        return self._stat(path, dir_fd=dir_fd, follow_symlinks=False)

    def _readlink(self, path: Any, *, dir_fd: Any = None) -> Any:
        self.sound = self.sound and dir_fd is None
        return self._taken("link", path, lambda path: _readlink(path, dir_fd=dir_fd), os.fsdecode)

    def _listdir(self, path: Any = ".") -> Any:
        # Of names in bytes nothing is sorted with others.
        return self._taken(
            "list", path, _listdir, lambda names: of_names([*map(os.fsdecode, names)])
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


def _put(functions: list[tuple[Any, str, Any]]) -> None:
    for where, name, function in functions:
        setattr(where, name, function)


class _Environ(MutableMapping):  # type: ignore[type-arg]
    """The environment; of what it is asked for a note is taken, also later."""

    def __init__(self, noted: Noted) -> None:
        self._noted = noted

    def __getitem__(self, name: str) -> str:
        self._noted.note("env", name)
        return _environ[name]

    def __contains__(self, name: object) -> bool:
        self._noted.note("env", name)
        return name in _environ

    def __setitem__(self, name: str, value: str) -> None:
        self._noted.sound = False
        _environ[name] = value

    def __delitem__(self, name: str) -> None:
        self._noted.sound = False
        del _environ[name]

    def __iter__(self) -> Iterator[str]:
        self._noted.sound = False
        return iter(_environ)

    def __len__(self) -> int:
        self._noted.sound = False
        return len(_environ)

    def __getattr__(self, name: str) -> Any:  # such as ``copy``
        self._noted.sound = False
        return getattr(_environ, name)


class _Unknown:
    """What can't be noted, whatever is asked of it."""

    def __init__(self, noted: Noted) -> None:
        self._noted = noted

    def __getattr__(self, name: str) -> Any:
        self._noted.sound = False
        return getattr(_environb, name)

    def __getitem__(self, name: bytes) -> bytes:
        self._noted.sound = False
        return os.fsencode(_environ[os.fsdecode(name)])
