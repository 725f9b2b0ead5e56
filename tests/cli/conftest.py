"""A scratch machine for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.activate.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a machine with quotes and spaces in its home folder, and with two hosts."""
    made = World.make(tmp_path, 'it\'s ünd "home"')
    made.put_on_path("grouped", "flat")
    return made
