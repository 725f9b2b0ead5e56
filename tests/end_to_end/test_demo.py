"""The README's first command shows what it promises."""

from __future__ import annotations

import sys

import pytest

from tests.built import TREE, run


@pytest.mark.slow
@pytest.mark.xdist_group("end-to-end")
def test_demo_ends_with_every_file_as_it_was() -> None:
    out = run([sys.executable, TREE / "tests/end_to_end/demo.py"])
    assert out.rstrip().endswith("Every file of the home folder is as it was. Done.")
