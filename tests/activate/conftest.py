"""A scratch machine for every test, once also with a home folder of an odd name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.activate.world import World

#: Spaces, quotes, a variable, a command and letters that are not ASCII.
ODD = 'it\'s "my" $HOME ünd `ça`'


@pytest.fixture(params=["home", ODD], ids=["plain", "odd"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    """A machine; the tests that take it run with both names of the home folder."""
    return World.make(tmp_path, request.param)


@pytest.fixture
def plain(tmp_path: Path) -> World:
    """A machine whose home folder has a plain name."""
    return World.make(tmp_path)
