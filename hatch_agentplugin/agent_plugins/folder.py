"""Reads a plugin out of a folder or an archive that anybody may have made. Standard library only.

Only plain files inside are taken, in bounded number and size, as bytes: nothing is written here
and nothing is run.
"""

from __future__ import annotations

import os
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from hatch_agentplugin.names import is_safe_relative

MAX_FILE = 32 * 1024 * 1024
MAX_TOTAL = 128 * 1024 * 1024
MAX_FILES = 5000
MAX_DEPTH = 32

_LEFT_OUT = (".git", "__pycache__", ".DS_Store", "__MACOSX")


class FolderError(ValueError):
    """A folder or an archive that is not taken; the message says which part of it and why."""


@dataclass(frozen=True)
class Content:
    """One file of a plugin."""

    data: bytes
    executable: bool


def read(path: Path) -> dict[str, Content]:
    """The files of the plugin in a folder or archive by their path below ``plugin.json``.

    An archive may have one folder around all. Raises :class:`FolderError`.
    """
    try:
        if path.is_dir():
            found = _collect(_in_folder(path), path)
        elif path.name.lower().endswith(".zip"):
            found = _collect(_in_zip(path), path)
        else:
            found = _collect(_in_tar(path), path)
    except FolderError:
        raise
    except Exception as error:  # what a damaged archive raises is of a dozen kinds, zlib.error one
        raise FolderError(f"{path}: can't be read: {error}") from None
    return _below_manifest(found, path)


def _collect(files: Iterator[tuple[str, Content]], path: Path) -> dict[str, Content]:
    found: dict[str, Content] = {}
    folded: set[str] = set()
    total = 0
    for name, content in files:
        parts = PurePosixPath(name).parts
        if any(part in _LEFT_OUT for part in parts):
            continue
        if not is_safe_relative(name) or len(parts) > MAX_DEPTH:
            raise FolderError(f"{path}: {name!r:.200} leaves the plugin or is no plain path")
        name = PurePosixPath(name).as_posix()
        if name.casefold() in folded:
            raise FolderError(f"{path}: {name!r:.200} is there twice, for some file systems")
        total += len(content.data)
        if total > MAX_TOTAL or len(found) >= MAX_FILES:
            raise FolderError(f"{path}: more than {MAX_FILES} files or {MAX_TOTAL} bytes")
        found[name] = content
        folded.add(name.casefold())
    return found


def _below_manifest(found: dict[str, Content], path: Path) -> dict[str, Content]:
    if "plugin.json" in found:
        return dict(sorted(found.items()))
    tops = {name.partition("/")[0] for name in found}
    start = f"{next(iter(tops))}/" if len(tops) == 1 and not path.is_dir() else ""
    if not start or f"{start}plugin.json" not in found:
        raise FolderError(f"{path}: no plugin.json in it, so it is no Agent Plugins folder")
    return {name.removeprefix(start): content for name, content in sorted(found.items())}


def _bounded(stream: IO[bytes] | None, name: str, path: Path) -> bytes:
    data = b"" if stream is None else stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise FolderError(f"{path}: {name!r:.200} is larger than {MAX_FILE} bytes")
    return data


def _in_folder(root: Path) -> Iterator[tuple[str, Content]]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        for name in [*folders, *sorted(names)]:
            file = Path(folder, name)
            shown = file.relative_to(root).as_posix()
            mode = file.lstat().st_mode
            if stat.S_ISLNK(mode):
                raise FolderError(f"{root}: {shown!r:.200} is a link; put the file itself there")
            if stat.S_ISDIR(mode):
                continue
            if not stat.S_ISREG(mode):
                raise FolderError(f"{root}: {shown!r:.200} is no plain file")
            # Opened without following, so that a link put there meanwhile is refused as well.
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(file, flags), "rb") as stream:
                yield shown, Content(_bounded(stream, shown, root), bool(mode & 0o100))


def _in_zip(path: Path) -> Iterator[tuple[str, Content]]:
    with zipfile.ZipFile(path) as archive:
        for row in archive.infolist():
            mode = row.external_attr >> 16
            if row.is_dir():
                continue
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise FolderError(f"{path}: {row.filename!r:.200} is a link or no plain file")
            # What the archive says of the size is not trusted: the reading is bounded.
            with archive.open(row) as stream:
                data = _bounded(stream, row.filename, path)
            yield row.orig_filename, Content(data, bool(mode & 0o100))


def _in_tar(path: Path) -> Iterator[tuple[str, Content]]:
    with tarfile.open(path, "r:gz") as archive:
        for row in archive:
            name = row.name.removeprefix("./")
            if row.isdir():
                continue
            if not row.isreg():
                raise FolderError(f"{path}: {name!r:.200} is a link or no plain file")
            data = _bounded(archive.extractfile(row), name, path)
            yield name, Content(data, bool(row.mode & 0o100))
