"""Plain text for people: tables, diffs and short paths."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence

from hatch_agentplugin.cli.terminal import paint, safe


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    """Return rows of cells as aligned columns, below a row of titles if one is given."""
    lines = [[safe(cell) for cell in row] for row in (*([head] if head else ()), *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def short_path(path: str, home: str) -> str:
    """Return a path with ``~`` for the home folder."""
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path


def diff(path: object, before: bytes | None, after: bytes | None) -> str:
    """Return the unified diff of one file; None stands for a file that does not exist."""
    old = "/dev/null" if before is None else safe(path)
    new = "/dev/null" if after is None else safe(path)
    lines = difflib.unified_diff(_lines(before), _lines(after), old, new, n=3)
    result = [_diff_line(line) for line in lines]
    if not result and before != after:
        result = [f"--- {old}", f"+++ {new}", "  (an empty file)"]
    return "\n".join(result)


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "backslashreplace").splitlines(keepends=True)


def _diff_line(line: str) -> str:
    text = _painted(safe(line.rstrip("\n").rstrip("\r")))
    if line.endswith("\n") or line.startswith(("---", "+++", "@@")):
        return text
    return f"{text}\n\\ No newline at end of file"


def _painted(line: str) -> str:
    if line.startswith("+") and not line.startswith("+++"):
        return paint(line, "green")
    if line.startswith("-") and not line.startswith("---"):
        return paint(line, "red")
    return paint(line, "cyan") if line.startswith("@@") else line
