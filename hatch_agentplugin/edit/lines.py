"""Text as lines: decoding, line numbers, line ends and indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hatch_agentplugin.edit.model import DocumentError

BOM = "\ufeff"


def decode(data: bytes) -> str:
    """Return `data` as text, byte order mark and line ends included.

    Raises DocumentError for bytes that are not UTF-8, or that hold a NUL.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise error_at(data[: error.start].decode(), error.start, "not UTF-8 text") from None
    if "\0" in text:
        raise error_at(text, text.index("\0"), "holds a NUL character")
    return text


def error_at(text: str, offset: int, reason: str) -> DocumentError:
    """Make the error for a fault at `offset`; `text` may end there."""
    line, start = 1, 0
    for match in re.finditer(r"\r\n|\n|\r", text[:offset]):
        line, start = line + 1, match.end()
    return DocumentError(reason, line, min(offset, len(text)) - start + 1)


def newline_of(text: str) -> str:
    """Return the first line end of `text`, or a plain one."""
    feed = text.find("\n")
    back = text.find("\r", 0, feed if feed != -1 else len(text))
    if back == -1:
        return "\n"
    return "\r\n" if back + 1 == feed else "\r"


def occurrences(text: str, part: str, limit: int = 50) -> Iterator[int]:
    """Yield the offsets of `part` in `text`, the last one first, and not too many."""
    at = text.rfind(part)
    while at != -1 and limit:
        yield at
        limit -= 1
        at = text.rfind(part, 0, at + len(part) - 1)


def line_start(text: str, offset: int) -> int:
    """Return where the line that holds `offset` begins, after any byte order mark."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return start + 1 if text.startswith(BOM, start) and start < offset else start


def line_end(text: str, offset: int) -> int:
    """Return the offset just after the line that holds `offset`, its line end included."""
    feed = text.find("\n", offset)
    end = feed + 1 if feed != -1 else len(text)
    back = text.find("\r", offset, end)
    return end if back == -1 or back + 1 == feed else back + 1


def newline_before(text: str, offset: int) -> str:
    """Return the line end before the line that holds `offset`; the first one if there is none."""
    start = line_start(text, offset)
    if text.endswith("\r\n", 0, start):
        return "\r\n"
    return text[start - 1] if start and text[start - 1] in "\r\n" else newline_of(text)


def indent_of(text: str, offset: int) -> str:
    """Return the white space that begins the line of `offset`."""
    start = end = line_start(text, offset)
    while text.startswith((" ", "\t"), end):
        end += 1
    return text[start:end]


def starts_line(text: str, offset: int) -> bool:
    """Tell whether only white space stands before `offset` on its line, and a line before that."""
    start = line_start(text, offset)
    return start > 0 and text[start - 1] in "\r\n" and not text[start:offset].strip(" \t")
