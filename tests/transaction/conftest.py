"""Fixtures for the tests of the transaction."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ._world import World


@pytest.fixture
def quick_path(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory if possible: thousands of runs would wait for the disk."""
    memory = Path("/dev/shm")
    if not memory.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="agent-plugin-test-", dir=memory))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A home with three hosts, on the disk."""
    return World(tmp_path / "home")


@pytest.fixture
def quick(quick_path: Path) -> World:
    """A home with three hosts, in memory."""
    return World(quick_path / "home")
