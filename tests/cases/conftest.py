"""A scratch machine for every test, kept in memory if the system has a memory file system."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases._machine import Box


@pytest.fixture
def quick_path(tmp_path: Path) -> Iterator[Path]:
    """A scratch folder, in memory if possible: hundreds of runs would wait for the disk."""
    memory = Path("/dev/shm")
    if not memory.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="agent-plugin-test-", dir=memory))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def box(quick_path: Path) -> Box:
    """A machine without any plugin."""
    return Box(quick_path)
