"""The table of cases is complete, and every test named in it exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
#: How many cases were collected.
NUMBER = 159


def rows() -> list[list[str]]:
    """Return the cells of every row of the table of cases."""
    text = (Path(__file__).parent / "README.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if re.match(r"\| F\d", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@cache
def names_in(path: str) -> frozenset[str]:
    """Return the names of the tests in a file, also of those in classes."""
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
def test_case_has_an_answer(row: list[str]) -> None:
    """The answer is a test that exists, or the reason why the case is not ours."""
    _, source, _, answer = row
    assert re.fullmatch(r"[\w.-]+/[\w.-]+(#\d+| \S+)", source), source
    if answer.startswith("not ours: "):
        return
    path, _, name = answer.strip("`").partition("::")
    assert name in names_in(path), answer
