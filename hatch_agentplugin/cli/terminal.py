"""The terminal: data on standard output, messages on standard error, colours and questions."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from hatch_agentplugin.cli.errors import CommandError

_COLOURS = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "bold": "1", "dim": "2"}


class OutputError(Exception):
    """Standard output or standard error cannot be written; the cause is an OSError."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(cause.strerror)
        self.is_broken_pipe = isinstance(cause, BrokenPipeError)
        """The reader of the output has gone."""


def out(text: object = "") -> None:
    """Print data. Raises OutputError."""
    _print(sys.stdout, str(text))


def out_json(value: Any) -> None:
    """Print one JSON document, in ASCII, which every terminal and pipe can carry.

    A command calls this at most once, as its last step. Raises OutputError.
    """
    out(json.dumps(value, indent=2))


def say(text: object = "") -> None:
    """Print a message. Raises OutputError."""
    _print(sys.stderr, str(text))


def say_error(text: str) -> None:
    """Print an error message. Raises OutputError."""
    say(paint("error:", "red", sys.stderr) + f" {safe(text)}")


def _print(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    # A path may hold bytes that are not text, and the encoding may lack characters.
    line = text.encode(encoding, "backslashreplace").decode(encoding) + "\n"
    try:
        stream.write(line)
    except OSError as error:
        raise OutputError(error) from error


def flush() -> None:
    """Write out everything printed so far. Raises OutputError."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise OutputError(error) from error


def replace_closed_streams() -> None:
    """Open the null device for each standard stream that the caller has closed.

    Otherwise a file that we open would get the number of a standard stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def discard_output() -> None:
    """Send standard output to the null device, because Python flushes it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def safe(text: object) -> str:
    """Return text from outside with its control characters escaped, except for line feeds."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text
    )


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Return the text in a colour if the stream (default: stdout) is a terminal with colours."""
    stream = stream or sys.stdout
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\033[{_COLOURS[colour]}m{text}\033[0m"


def is_interactive() -> bool:
    """Return whether somebody can see a question and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str) -> None:
    """Ask a question. Raises CommandError unless the answer is yes."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    try:
        answer = input().strip().lower()
    except EOFError:
        say()
        answer = ""
    if answer not in ("y", "yes"):
        raise CommandError("nothing was changed")


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
