"""What packages are, and how they are written: the same bytes for the same files."""

from __future__ import annotations

import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

#: Path -> content, and whether it can be executed.
Files = dict[str, tuple[bytes, bool]]

#: The time of entries in archives where SOURCE_DATE_EPOCH names none; hatchling's own.
EPOCH = 1580601600


@dataclass(frozen=True)
class Packages:
    """The packages of some hosts."""

    files: Files
    """Path below the output folder: ``HOST/NAME/...``, and ``HOST/`` for the index."""
    notes: tuple[str, ...]
    """A line for everything that a package can't carry, and how a user gets it."""


def write(files: Files, folder: Path) -> None:
    """Write packages below a folder. Raises OSError."""
    for name, (data, executable) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if executable else 0o644)


def strangers(files: Files, folder: Path) -> list[str]:
    """What lies in the written packages besides: of an earlier build, or left by an agent.

    A marketplace's own folder, ``HOST/``, may hold anything else of the author's.
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
    """Write packages as one zip. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        zipped(files, file, epoch)


def zipped(files: Files, file: IO[bytes], epoch: int = EPOCH) -> None:
    """Write files as a zip into an open file."""
    stamp = time.gmtime(max(epoch, 315532800))[:6]  # a zip knows no time before 1980
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, (data, executable) in sorted(files.items()):
            row = zipfile.ZipInfo(name, stamp)
            row.create_system = 3
            row.compress_type = zipfile.ZIP_DEFLATED
            row.external_attr = (0o100755 if executable else 0o100644) << 16
            made.writestr(row, data)
