"""The README's first command does what it says."""

from __future__ import annotations

import sys

import pytest

from tests.built import TREE, run


@pytest.mark.slow
@pytest.mark.xdist_group("end-to-end")
def test_demo_restores_every_file() -> None:
    out = run([sys.executable, TREE / "tests/end_to_end/demo.py"])
    assert out.rstrip().endswith("Every file in the home folder is as it was. Done.")
