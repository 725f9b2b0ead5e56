"""The table of cases is complete, and every test that it names exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
#: Cases that were collected, from the kinds clobber to dormant.
NUMBER = 159


def rows() -> list[list[str]]:
    """The cells of every row of the table of cases."""
    text = (Path(__file__).parent / "README.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if re.match(r"\| F\d", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@cache
def names_in(path: str) -> frozenset[str]:
    """The names of the tests in a file, those in classes included."""
    tree = ast.parse((TREE / path).read_text("utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def test_table_is_complete() -> None:
    ids = [row[0] for row in rows()]
    assert len(ids) == NUMBER
    assert ids == sorted(set(ids))
    assert all(len(row) == 4 and all(row) for row in rows())


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_answer_is_there(row: list[str]) -> None:
    """A test that exists, or the reason why it is not ours."""
    _, source, _, answer = row
    assert re.fullmatch(r"[\w.-]+/[\w.-]+(#\d+| \S+)", source), source
    if answer.startswith("not ours: "):
        return
    path, _, name = answer.strip("`").partition("::")
    assert name in names_in(path), answer
