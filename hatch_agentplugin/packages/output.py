"""The files of packages, and how they are written: the same files always give the same bytes."""

from __future__ import annotations

import re
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

#: Path -> content, and whether the file is executable.
Files = dict[str, tuple[bytes, bool]]

#: Time of the entries in archives if SOURCE_DATE_EPOCH is not set; hatchling's own default.
EPOCH = 1580601600
#: 1980-01-01, the earliest time that a zip can store.
_ZIP_EPOCH = 315532800


@dataclass(frozen=True)
class Packages:
    """The packages of some targets."""

    files: Files
    """Path below the output folder: ``TARGET/NAME/...``, and ``TARGET/...`` for the index."""
    notes: tuple[str, ...]
    """Notes on omitted parts, and on how a user installs a package; a line each."""


def write(files: Files, folder: Path) -> None:
    """Write packages below a folder. Raises OSError."""
    for name, (data, executable) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if executable else 0o644)


def foreign_files(files: Files, folder: Path) -> list[str]:
    """Return other files in the written packages: from an earlier build, or left by an agent.

    The marketplace's own folder, ``HOST/``, may contain other files of the author.
    """
    roots = {"/".join(name.split("/")[:-1][:2]) for name in files}
    found = {
        path.relative_to(folder).as_posix()
        for root in roots
        if not root.partition("/")[2].startswith(".")
        for path in (folder / root).rglob("*")
        if path.is_file()
    }
    return sorted(found - set(files))


def archive(files: Files, path: Path, epoch: int = EPOCH) -> None:
    """Write packages as one zip file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_zip(files, file, epoch)


def write_zip(files: Files, file: IO[bytes], epoch: int = EPOCH) -> None:
    """Write files as a zip into an open file; ``epoch`` is the time of every entry."""
    stamp = time.gmtime(max(epoch, _ZIP_EPOCH))[:6]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, (data, executable) in sorted(files.items()):
            row = zipfile.ZipInfo(name, stamp)
            row.create_system = 3
            row.compress_type = zipfile.ZIP_DEFLATED
            row.external_attr = (0o100755 if executable else 0o100644) << 16
            made.writestr(row, data)


_PEP_440 = re.compile(
    r"(?:\d+!)?(\d+(?:\.\d+)*)(?:(a|b|rc)(\d+))?(?:\.post(\d+))?(?:\.dev(\d+))?(?:\+([A-Za-z0-9.]+))?"
)


def semver(version: str) -> str | None:
    """Return a PEP 440 version as a semantic version, None if that is impossible."""
    found = _PEP_440.fullmatch(version)
    if found is None:
        return None
    release, pre, number, post, dev, local = found.groups()
    numbers = [str(int(part)) for part in release.split(".")]
    if len(numbers) > 3:
        return None
    names = [{"a": "alpha", "b": "beta", "rc": "rc"}[pre], number] if pre else []
    names += ["dev", dev] if dev else []
    build = ".".join([*(["post", post] if post else []), *([local] if local else [])])
    text = ".".join([*numbers, "0", "0"][:3])
    return text + (f"-{'.'.join(names)}" if names else "") + (f"+{build}" if build else "")
