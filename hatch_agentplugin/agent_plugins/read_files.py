"""Reads the files of a plugin from a folder or an archive that cannot be trusted.

Only regular files are read, up to limits of number, size and depth. Nothing is written, and no code of
the plugin runs. Standard library only.
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

_IGNORED = (".git", "__pycache__", ".DS_Store", "__MACOSX")


class FolderError(ValueError):
    """A folder or archive that is refused; the message names the file and the reason."""


@dataclass(frozen=True)
class File:
    """One file of a plugin."""

    data: bytes
    executable: bool


def read(path: Path) -> dict[str, File]:
    """Return the files of a plugin in a folder or archive: path beside ``plugin.json`` -> file.

    In an archive all files may be in one folder. Raises :class:`FolderError`.
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
    except Exception as error:  # a damaged archive raises many types, zlib.error among them
        raise FolderError(f"{path}: cannot be read: {error}") from None
    return _below_manifest(found, path)


def _collect(files: Iterator[tuple[str, File]], path: Path) -> dict[str, File]:
    found: dict[str, File] = {}
    folded: set[str] = set()
    total = 0
    for name, content in files:
        parts = PurePosixPath(name).parts
        if any(part in _IGNORED for part in parts):
            continue
        if not is_safe_relative(name) or len(parts) > MAX_DEPTH:
            raise FolderError(f"{path}: {name!r:.200} is not a valid path inside the plugin")
        name = PurePosixPath(name).as_posix()
        if name.casefold() in folded:
            raise FolderError(f"{path}: {name!r:.200} occurs twice if a file system ignores case")
        total += len(content.data)
        if total > MAX_TOTAL or len(found) >= MAX_FILES:
            raise FolderError(f"{path}: contains more than {MAX_FILES} files or {MAX_TOTAL} bytes")
        found[name] = content
        folded.add(name.casefold())
    return found


def _below_manifest(found: dict[str, File], path: Path) -> dict[str, File]:
    if "plugin.json" in found:
        return dict(sorted(found.items()))
    tops = {name.partition("/")[0] for name in found}
    start = f"{next(iter(tops))}/" if len(tops) == 1 and not path.is_dir() else ""
    if not start or f"{start}plugin.json" not in found:
        raise FolderError(f"{path}: is not an Agent Plugins folder, because plugin.json is missing")
    return {name.removeprefix(start): content for name, content in sorted(found.items())}


def _bounded(stream: IO[bytes] | None, name: str, path: Path) -> bytes:
    data = b"" if stream is None else stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise FolderError(f"{path}: {name!r:.200} is larger than {MAX_FILE} bytes")
    return data


def _in_folder(root: Path) -> Iterator[tuple[str, File]]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _IGNORED)
        for name in [*folders, *sorted(names)]:
            file = Path(folder, name)
            shown = file.relative_to(root).as_posix()
            mode = file.lstat().st_mode
            if stat.S_ISLNK(mode):
                raise FolderError(f"{root}: {shown!r:.200} is a link; replace it by the file")
            if stat.S_ISDIR(mode):
                continue
            if not stat.S_ISREG(mode):
                raise FolderError(f"{root}: {shown!r:.200} is not a regular file")
            # O_NOFOLLOW also refuses a link that has replaced the file meanwhile
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(file, flags), "rb") as stream:
                yield shown, File(_bounded(stream, shown, root), bool(mode & 0o100))


def _in_zip(path: Path) -> Iterator[tuple[str, File]]:
    with zipfile.ZipFile(path) as archive:
        for row in archive.infolist():
            mode = row.external_attr >> 16
            if row.is_dir():
                continue
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise FolderError(f"{path}: {row.filename!r:.200} is a link or not a regular file")
            # the archive may lie about the size, so reading is limited
            with archive.open(row) as stream:
                data = _bounded(stream, row.filename, path)
            yield row.orig_filename, File(data, bool(mode & 0o100))


def _in_tar(path: Path) -> Iterator[tuple[str, File]]:
    with tarfile.open(path, "r:gz") as archive:
        for row in archive:
            name = row.name.removeprefix("./")
            if row.isdir():
                continue
            if not row.isreg():
                raise FolderError(f"{path}: {name!r:.200} is a link or not a regular file")
            data = _bounded(archive.extractfile(row), name, path)
            yield name, File(data, bool(row.mode & 0o100))
