"""How files behave on Windows, simulated on other systems."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.transaction import files as _files
from hatch_agentplugin.transaction import folders


class System:
    """``os`` of a system where another program keeps a file open for the first few tries."""

    def __init__(self, name: str, held: int) -> None:
        self.name, self.left, self.tried = name, held, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def replace(self, source: Path, target: Path) -> None:
        self.tried += 1
        self.left -= 1
        if self.left >= 0:
            raise PermissionError(13, "held by another process", str(target))
        os.replace(source, target)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A new file, and the file that it replaces."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("new")
    target.write_text("old")
    return source, target


def test_open_file_is_tried_again(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A virus scanner or a reader closes it after a moment."""
    system = System("nt", held=3)
    monkeypatch.setattr(_files, "os", system)
    _files.replace(*files)
    assert files[1].read_text() == "new"
    assert system.tried == 4


@pytest.mark.parametrize(("name", "tries"), [("nt", 6), ("posix", 1)])
def test_file_that_stays_open(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, name: str, tries: int
) -> None:
    """The rename fails and nothing has changed. Other systems do not try again."""
    system = System(name, held=100)
    monkeypatch.setattr(_files, "os", system)
    with pytest.raises(PermissionError):
        _files.replace(*files)
    assert [file.read_text() for file in files] == ["new", "old"]
    assert system.tried == tries


def test_folders_are_not_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows can't open a folder."""

    class Windows(System):
        def open(self, *_: Any) -> int:
            raise AssertionError("a folder was opened")

    monkeypatch.setattr(folders, "os", Windows("nt", held=0))
    folders.sync_folder(tmp_path)


def test_every_file_is_opened_as_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise Windows converts line ends, and a file ends at Ctrl-Z."""
    flag = 1 << 40
    opened: list[int] = []

    class Windows(System):
        def open(self, path: Path, flags: int, *mode: int) -> int:
            opened.append(flags)
            return os.open(path, flags & ~flag, *mode)

    monkeypatch.setattr(os, "O_BINARY", flag, raising=False)
    spec = importlib.util.spec_from_file_location("files_of_windows", _files.__file__)
    assert spec
    assert spec.loader
    there = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, there)
    spec.loader.exec_module(there)
    monkeypatch.setattr(there, "os", Windows("nt", held=0))
    there.write_new(tmp_path / "new", b"1\r\n2\n", 0o600)
    there.write_like(tmp_path / "like", b"3\n", tmp_path / "new", 0o600)
    there.write_own(tmp_path / "own", b"4\n")
    assert there.snapshot(tmp_path / "new").data == b"1\r\n2\n"
    assert len(opened) == 4
    assert all(flags & flag for flags in opened)
