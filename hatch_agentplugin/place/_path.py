"""Paths of placing: strings with the few operations that it needs of a path.

``pathlib`` costs as much to import as ten modules of ours, and its paths are slow to make, compare
and hash, which placing does some thousand times in a run.
"""

from __future__ import annotations

import os

_POSIX = os.name != "nt"


class FilePath(str):
    """A path as a string, spelt as ``pathlib`` spells it: no doubled or last separator, no ``.``.

    It equals the plain string. Where the two kinds meet, ``FilePath`` takes a ``pathlib`` one too.
    """

    __slots__ = ()

    def __new__(cls, *parts: str | os.PathLike[str]) -> FilePath:
        """Join parts as ``os.path.join`` does; without any it is the working folder."""
        first = parts[0] if parts else ""
        if len(parts) == 1 and type(first) is FilePath:
            return first
        text = os.path.join(*parts) if len(parts) > 1 else os.fspath(first)
        return str.__new__(cls, _spelt(text))

    def __truediv__(self, other: str | os.PathLike[str]) -> FilePath:
        if (
            _POSIX
            and type(other) is str
            and len(self) > 1
            and other not in ("", ".")
            and "/" not in other
        ):
            return str.__new__(FilePath, f"{self}/{other}")  # a name, as nearly always
        return FilePath(self, other)

    @property
    def name(self) -> str:
        """The last part; empty for a root."""
        return os.path.basename(self)

    @property
    def parent(self) -> FilePath:
        """The folder it is in; of a root the root itself."""
        cut = self.rfind("/") if _POSIX else 0
        plain = cut > 1 or (cut == 1 and self[0] != "/")  # not below a root
        return str.__new__(FilePath, self[:cut] if plain else os.path.dirname(self) or ".")

    @property
    def parents(self) -> list[FilePath]:
        """The folders above it, the nearest first."""
        found = []
        at, above = self, self.parent
        while above != at:
            found.append(above)
            at, above = above, above.parent
        return found

    def is_below(self, folder: str) -> bool:
        """Whether a folder is one of those above it, by name; on Windows case makes no other."""
        if not _POSIX:
            return any(os.path.normcase(one) == os.path.normcase(folder) for one in self.parents)
        return self != folder and self.startswith(
            folder if folder[-1:] == os.sep else folder + os.sep
        )

    def with_name(self, name: str) -> FilePath:
        """The path of another file in the same folder."""
        return FilePath(os.path.dirname(self), name)

    def is_absolute(self) -> bool:
        """Whether it depends on no working folder."""
        return os.path.isabs(self)

    def exists(self) -> bool:
        """Whether something is there, links followed."""
        return os.path.exists(self)

    def is_file(self) -> bool:
        """Whether a regular file is there, links followed."""
        return os.path.isfile(self)

    def is_dir(self) -> bool:
        """Whether a folder is there, links followed."""
        return os.path.isdir(self)

    def is_symlink(self) -> bool:
        """Whether it is a symbolic link itself."""
        return os.path.islink(self)

    def read_bytes(self) -> bytes:
        """The content of the file. Raises OSError."""
        with open(self, "rb") as file:
            return file.read()


def _spelt(text: str) -> str:
    """A path as ``pathlib`` spells it; only where that may differ is it asked."""
    plain = _POSIX and text and "//" not in text and "/./" not in text
    if plain and text[-1] != "/" and not text.startswith("./") and not text.endswith("/."):
        return text
    import pathlib

    return str(pathlib.PurePath(text))
