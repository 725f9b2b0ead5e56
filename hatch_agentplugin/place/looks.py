"""What there is to see on this machine, in words that can be compared later.

A run notes what it looks at (`noted`), so that the same run need not be made again. Imports next to
nothing, because the run that is spared has to import it.
"""

from __future__ import annotations

import os
import stat
import sys

from hatch_agentplugin._sha256 import new as sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Look: TypeAlias = tuple[str, str]

_NO_WAIT = getattr(os, "O_NONBLOCK", 0)

# The real ones, whoever stands in for them while a look is taken.
_access, _environ, _getcwd, _listdir = os.access, os.environ, os.getcwd, os.listdir
_lstat, _open, _readlink, _stat = os.lstat, os.open, os.readlink, os.stat


def look(kind: str, what: str) -> str:
    """Take one look, and say in a word what there is to see; an error is something to see, too.

    ``kind`` is ``stat``, ``lstat``, ``link``, ``list``, ``read`` or ``code`` of a path; ``may4`` for
    an access that is meant; ``env`` of a variable; ``cwd``, with nothing to look at.
    """
    if kind == "env":  # Which are asked for says somebody's plan: a value may be a secret.
        value = _environ.get(what)
        return "-" if value is None else _of_text(value)
    if kind == "cwd":
        return _where()
    try:
        return _seen(kind, what)
    except OSError as error:
        return f"error {error.errno}"


def _seen(kind: str, path: str) -> str:
    if kind == "stat":
        return of_status(_stat(path))
    if kind == "lstat":
        return of_status(_lstat(path))
    if kind == "read":
        return _digest(path)
    if kind == "list":
        return of_names(_listdir(path))
    if kind == "link":
        return _readlink(path)
    if kind == "code":
        status = _stat(path)
        return f"{status.st_mtime_ns} {status.st_size}"
    return str(_access(path, int(kind.removeprefix("may"))))


def of_status(status: os.stat_result) -> str:
    """The word for what ``stat`` tells."""
    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
    return f"{status.st_mode} {status.st_uid} {size}"


def of_names(names: list[str]) -> str:
    """The word for the names in a folder."""
    return _of_text("\0".join(sorted(names)))


def _of_text(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _digest(path: str) -> str:
    """The digest of a regular file's content. Raises OSError."""
    fd = _open(path, os.O_RDONLY | _NO_WAIT)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
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
        found = _stat(here)
    except OSError:
        return "gone"
    for path in sys.path:
        try:
            if os.path.samestat(found, _stat(path or here)):
                return here
        except OSError:
            continue
    return "elsewhere"
