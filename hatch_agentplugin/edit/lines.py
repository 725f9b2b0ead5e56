"""Decode text and find its lines: numbers, line ends, indentation."""

from __future__ import annotations

import re

from hatch_agentplugin.edit.model import DocumentError

BOM = "\ufeff"


def decode(data: bytes) -> str:
    """Return `data` as text; keep the byte order mark and the line ends.

    Raises DocumentError if the bytes are not UTF-8 or hold a NUL.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise error_at(data[: error.start].decode(), error.start, "not UTF-8 text") from None
    if "\0" in text:
        raise error_at(text, text.index("\0"), "the text holds a NUL character")
    return text


def error_at(text: str, offset: int, reason: str) -> DocumentError:
    """Return the error for a problem at `offset`, with its line and column."""
    line, start = 1, 0
    for match in re.finditer(r"\r\n|\n|\r", text[:offset]):
        line, start = line + 1, match.end()
    return DocumentError(reason, line, min(offset, len(text)) - start + 1)


def newline_of(text: str) -> str:
    """Return the first line end of `text`; a line feed if it has none."""
    feed = text.find("\n")
    back = text.find("\r", 0, feed if feed != -1 else len(text))
    if back == -1:
        return "\n"
    return "\r\n" if back + 1 == feed else "\r"


def line_start(text: str, offset: int) -> int:
    """Return where the line of `offset` begins, after a byte order mark."""
    feed = text.rfind("\n", 0, offset)
    start = max(feed, text.rfind("\r", feed + 1, offset)) + 1
    return start + 1 if text.startswith(BOM, start) and start < offset else start


def line_end(text: str, offset: int) -> int:
    """Return the offset after the line of `offset` and its line end."""
    feed = text.find("\n", offset)
    end = feed + 1 if feed != -1 else len(text)
    back = text.find("\r", offset, end)
    return end if back == -1 or back + 1 == feed else back + 1


def newline_before(text: str, offset: int) -> str:
    """Return the line end before the line of `offset`; on the first line, the text's line end."""
    start = line_start(text, offset)
    if text.endswith("\r\n", 0, start):
        return "\r\n"
    return text[start - 1] if start and text[start - 1] in "\r\n" else newline_of(text)


def indent_of(text: str, offset: int) -> str:
    """Return the white space at the beginning of the line of `offset`."""
    start = end = line_start(text, offset)
    while text.startswith((" ", "\t"), end):
        end += 1
    return text[start:end]


def starts_line(text: str, offset: int) -> bool:
    """Return whether `offset` follows a line end and, at most, white space."""
    start = line_start(text, offset)
    return start > 0 and text[start - 1] in "\r\n" and not text[start:offset].strip(" \t")
