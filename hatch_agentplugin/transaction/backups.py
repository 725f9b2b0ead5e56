"""Backups of users' files, made before we first change them.

A backup is a file named by the digest of its content. An index says which file it is a backup of,
and when it was made. The number per file and the total size are limited; the oldest go first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

from hatch_agentplugin import codec
from hatch_agentplugin.transaction import files as _files
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State

PER_FILE = 5
TOTAL_BYTES = 64 * 1024 * 1024

_INDEX = "index.json"


@dataclass(frozen=True)
class Backup:
    """One backup of one file."""

    path: str
    """The file as the user knows it."""
    time: int
    """When the backup was made, in seconds since 1970."""
    sha256: str
    """Digest of the content."""
    size: int
    """Length of the content in bytes."""


@dataclass(frozen=True)
class _Index:
    backups: tuple[Backup, ...] = ()
    """Oldest first."""
    format: Literal[1] = 1


def find(state: State, path: Path | None = None) -> tuple[Backup, ...]:
    """Return the backups of one file, or of all, newest first. Raises FileProblem."""
    found = reversed(_read(state).backups)
    return tuple(one for one in found if path is None or one.path == str(path))


def read(state: State, backup: Backup) -> bytes:
    """Return the content of a backup. Raises FileProblem if it is missing or damaged."""
    path = state.backups / backup.sha256
    try:
        found = _files.snapshot(path)
    except OSError as error:
        raise FileProblem.of(path, error) from None
    if found is None or found.sha256 != backup.sha256:
        raise FileProblem(path, "this backup is missing or damaged", "choose another one")
    return found.data


def keep(state: State, files: Iterable[tuple[str, bytes]]) -> None:
    """Back up some files, given as path and content. Raises FileProblem.

    Content larger than the limit of all backups together is not kept.
    """
    index = _read(state)
    new = [
        (Backup(path, int(time.time()), sha256(data).hexdigest(), len(data)), data)
        for path, data in files
        if len(data) <= TOTAL_BYTES
    ]
    if not new:
        return
    try:
        for backup, data in new:
            if not _files.lexists(state.backups / backup.sha256):
                _files.write_own(state.backups / backup.sha256, data)
        _write(state, _bounded(index, [backup for backup, _ in new]))
    except OSError as error:
        raise FileProblem.of(state.backups, error) from None


def _bounded(index: _Index, new: list[Backup]) -> _Index:
    """Return the index with new backups, without the oldest ones beyond the limits."""
    fresh = {(one.path, one.sha256) for one in new}
    known = [one for one in index.backups if (one.path, one.sha256) not in fresh]
    kept: list[Backup] = []
    counts: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for one in [*reversed(new), *reversed(known)]:
        counts[one.path] = counts.get(one.path, 0) + 1
        if counts[one.path] > PER_FILE:
            continue
        if sum((sizes | {one.sha256: one.size}).values()) > TOTAL_BYTES:
            continue
        sizes[one.sha256] = one.size
        kept.append(one)
    return replace(index, backups=tuple(reversed(kept)))


def _read(state: State) -> _Index:
    path = state.backups / _INDEX
    try:
        found = _files.snapshot(path)
        if found is None:
            return _Index()
        index = codec.decode(_Index, codec.parse(found.data))
    except OSError as error:
        raise FileProblem.of(path, error) from None
    except codec.Malformed as error:
        raise FileProblem(
            path,
            f"the index of the backups is damaged ({error})",
            "to continue, move the index away; the backups are beside it, named by their digests",
        ) from None
    return _renamed(index, state.here) if state.image else index


def _write(state: State, index: _Index) -> None:
    """Write the index, then remove files it does not name: it never names a missing one."""
    written = _renamed(index, state.inside) if state.image else index
    _files.write_own(state.backups / _INDEX, codec.encode(written))
    named = {backup.sha256 for backup in index.backups} | {_INDEX}
    unnamed = [name for name in _files.names_in(state.backups) if name not in named]
    _files.discard(state.backups / name for name in unnamed)


def _renamed(index: _Index, name: Callable[[str], str]) -> _Index:
    """Return the index with every path replaced by `name` of it."""
    return replace(index, backups=tuple(replace(one, path=name(one.path)) for one in index.backups))
