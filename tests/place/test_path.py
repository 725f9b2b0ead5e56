"""Paths of placing are spelt and taken apart as ``pathlib`` does it."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.place._path import FilePath

PARTS = st.lists(st.sampled_from(["a", "b c", ".", "..", "", ".x", "é", "x.tar.gz"]), max_size=6)
PATHS = st.builds(lambda lead, parts: lead + "/".join(parts), st.sampled_from(["", "/"]), PARTS)


@given(PATHS)
def test_like_pathlib(text: str) -> None:
    """Spelling, name, folders above."""
    ours, theirs = FilePath(text), PurePath(text)
    assert ours == str(theirs)
    assert ours.name == (theirs.name or ours.name)
    assert ours.is_absolute() == theirs.is_absolute()
    if ".." not in theirs.parts and ours != ".":
        assert ours.parent == str(theirs.parent)
        assert ours.parents == [str(one) for one in theirs.parents]


@given(PATHS, PATHS)
def test_joined_like_pathlib(one: str, two: str) -> None:
    """By ``/``, by several parts, and with paths of the other kind."""
    joined = str(PurePath(one) / two)
    assert FilePath(one) / two == FilePath(PurePath(one), two) == joined
    assert FilePath(Path(one)) / Path(two) == joined


@given(PATHS, PATHS)
def test_below(one: str, two: str) -> None:
    """A path is below the folders above it, and not below one whose name only begins alike."""
    path, folder = FilePath(one), FilePath(two)
    if path.is_absolute() and folder.is_absolute() and "//" not in (path[:2], folder[:2]):
        assert path.is_below(folder) == (folder in path.parents)
    assert not FilePath("/a/bc").is_below("/a/b")
    assert FilePath("/a").is_below("/")


@pytest.mark.skipif(sys.platform == "win32", reason="bytes that are no text are POSIX names")
def test_odd_bytes_and_disk(tmp_path: Path) -> None:
    """It is what the system takes for a path, also where a name is no text."""
    path = FilePath(tmp_path) / os.fsdecode(b"\xff")
    assert not path.exists()
    with open(path, "wb") as file:
        file.write(b"x")
    assert path.is_file()
    assert not path.is_dir()
    assert path.read_bytes() == b"x"
    assert path.with_name("y").parent == str(tmp_path)
    assert FilePath(path) is path
