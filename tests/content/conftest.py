"""A rig for the tests of content."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.content.rig import FILES, Rig


@pytest.fixture
def rig(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    made = Rig(tmp_path, home)
    made.site.mkdir()
    made.write(FILES)
    monkeypatch.syspath_prepend(str(made.site))
    return made
