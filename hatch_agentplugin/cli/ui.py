"""How the command line talks: data on standard output, talk on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

_COLOURS = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "bold": "1", "dim": "2"}


class Failure(Exception):
    """What a user is told instead of a result; ``status`` is the exit status."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


class UsageFailure(Failure):
    """A command that was used wrongly."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 2)


def safe(text: object) -> str:
    """Text from outside for the terminal: control characters are shown, not obeyed."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text
    )


def out(text: object = "") -> None:
    """Print data."""
    _print(sys.stdout, str(text))


def say(text: object = "") -> None:
    """Print talk."""
    _print(sys.stderr, str(text))


def say_error(text: str) -> None:
    """Print what went wrong."""
    say(paint("error:", "red", sys.stderr) + f" {safe(text)}")


def _print(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    # A path may hold bytes that are no text, and a terminal may lack letters.
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Colour for a terminal, unless the user wants none."""
    stream = stream or sys.stdout
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\033[{_COLOURS[colour]}m{text}\033[0m"


#: Whether a document has been printed: there is never a second one.
printed_json = False


def out_json(value: Any) -> None:
    """Print one JSON document, in ASCII, which every terminal and pipe can carry."""
    import json

    global printed_json
    printed_json = True
    out(json.dumps(value, indent=2))


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    """Rows in columns."""
    lines = [[safe(cell) for cell in row] for row in (*([head] if head else ()), *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines])


def is_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str) -> bool:
    """Ask; anything but yes is no."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    try:
        return input().strip().lower() in ("y", "yes")
    except EOFError:
        say()
        return False


def diff(path: object, before: bytes | None, after: bytes | None) -> str:
    """A unified diff of one file."""
    import difflib

    def lines(data: bytes | None) -> list[str]:
        return (data or b"").decode("utf-8", "backslashreplace").splitlines(keepends=True)

    old = "/dev/null" if before is None else safe(path)
    new = "/dev/null" if after is None else safe(path)
    result = []
    for line in difflib.unified_diff(lines(before), lines(after), old, new, n=3):
        text = line.rstrip("\n")
        ending = "" if line.endswith("\n") else "\n\\ No newline at end of file"
        if line.startswith(("---", "+++", "@@")):
            ending = ""
        result.append(_painted(safe(text.rstrip("\r"))) + ending)
    if not result and before != after:
        result = [f"--- {old}", f"+++ {new}", "  (an empty file)"]
    return "\n".join(result)


def _painted(line: str) -> str:
    if line.startswith("+") and not line.startswith("+++"):
        return paint(line, "green")
    if line.startswith("-") and not line.startswith("---"):
        return paint(line, "red")
    return paint(line, "cyan") if line.startswith("@@") else line
