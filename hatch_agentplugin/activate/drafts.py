"""The files as they will be: what is on the disk, with our changes on top. Writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Draft:
    """A file as it will be."""

    data: bytes | None
    """The content; None to have no file."""
    group: str
    """The host that the change is for; it alone is given up when the file cannot be changed."""
    executable: bool = False
    private: bool = False


class Desk:
    """A working copy of the files that are read and changed."""

    def __init__(self, read: Callable[[Path], bytes | None]) -> None:
        self.on_disk = read
        self._drafts: dict[Path, Draft] = {}

    def read(self, path: Path) -> bytes | None:
        """The content as it will be, None for no file. Raises what the reader raises."""
        draft = self._drafts.get(path)
        return self.on_disk(path) if draft is None else draft.data

    def write(
        self,
        path: Path,
        data: bytes | None,
        group: str,
        *,
        executable: bool = False,
        private: bool = False,
    ) -> None:
        """Give a file a new content, or none."""
        self._drafts[path] = Draft(data, group, executable, private)

    def save(self) -> dict[Path, Draft]:
        """What `restore` takes, to give up all changes made from here on."""
        return dict(self._drafts)

    def restore(self, drafts: dict[Path, Draft]) -> None:
        """Give up the changes made since `save`."""
        self._drafts = dict(drafts)

    def drafts(self) -> list[tuple[Path, Draft]]:
        """The files that will differ from what is on the disk, in the order they were changed."""
        return [
            (path, draft)
            for path, draft in self._drafts.items()
            if self.on_disk(path) != draft.data
        ]
