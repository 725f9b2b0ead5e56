"""Parse TOML with the standard library, and find the statements in the text."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any

from hatch_agentplugin.edit.lines import BOM, error_at, line_end
from hatch_agentplugin.edit.model import DocumentError, Json, Path
from hatch_agentplugin.edit.values import check_depth

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_STRING = (
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})'
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
)
_VALUE = re.compile(rf"{_STRING}|#[^\n]*|[\[{{]|[\]}}]|[^\[\]{{}}\"'#]+", re.DOTALL)
_PLAIN = re.compile(rf"{_STRING}|[^,\]}}\r\n#]*", re.DOTALL)
_IGNORED = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"[ \t]*(?:(\"(?:\\.|[^\"\\])*\"|'[^']*')|([A-Za-z0-9_-]+))[ \t]*(\.?)")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")


@dataclass(frozen=True)
class Statement:
    """A header or a pair of key and value."""

    kind: str
    """`table`, `array` (of tables) or `pair`."""
    section: Path
    """The table that it belongs to; for a header, the table that it opens."""
    path: Path
    """The keys from the root."""
    start: int
    """Where the statement begins."""
    value: int
    """Where the value of a pair begins; for a header, the same as `start`."""
    end: int
    """Where it ends, before white space and a comment on its last line."""
    line_end: int
    """Where its last line ends, after the line end."""


def parse(text: str) -> dict[str, Json]:
    """Return the document as JSON values; dates become strings. Raises DocumentError."""
    try:
        root = tomllib.loads(text[1:] if text.startswith(BOM) else text)
        check_depth(root)
        result = _plain(root)
    except ValueError as error:
        place = _PLACE.search(str(error))
        reason = _PLACE.sub("", str(error))
        if place and place.group(1):
            raise DocumentError(reason, int(place.group(1)), int(place.group(2))) from None
        raise error_at(text, len(text), f"the file ends too early ({reason})") from None
    except RecursionError:
        raise DocumentError("nested too deep") from None
    assert isinstance(result, dict)
    return result


def _plain(value: Any) -> Json:
    if isinstance(value, dict):
        return {key: _plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_plain(child) for child in value]
    if isinstance(value, float) and value != value:
        return "nan"  # A NaN does not equal itself.
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def statements(text: str) -> list[Statement]:
    """Return all headers and pairs of `text` in their order."""
    found, section = [], ()  # type: tuple[list[Statement], Path]
    at = skip(text, 1 if text.startswith(BOM) else 0)
    while at < len(text):
        start = value = at
        if text[at] == "[":
            kind = "array" if text.startswith("[[", at) else "table"
            width = 2 if kind == "array" else 1
            path, at = _key_path(text, at + width)
            section, at = path, at + width
        else:
            kind = "pair"
            keys, at = _key_path(text, at)
            path, value = section + keys, skip(text, at + 1)
            at = value_end(text, value)
        found.append(Statement(kind, section, path, start, value, at, line_end(text, at)))
        at = skip(text, at)
    return found


def skip(text: str, at: int) -> int:
    """Return the offset after white space, line ends and comments."""
    match = _IGNORED.match(text, at)
    assert match
    return match.end()


def value_end(text: str, at: int) -> int:
    """Return where the value that begins at `at` ends."""
    if text[at] not in "[{":
        match = _PLAIN.match(text, at)
        assert match
        return at + len(match.group().rstrip())
    depth = 0
    for match in _VALUE.finditer(text, at):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    raise error_at(text, at, "a value without end")


def elements(text: str, start: int) -> tuple[list[tuple[int, int]], int | None, int]:
    """Return the spans of the elements in the inline array or table at `start`.

    The other two results are the offset of a trailing comma, if any, and the end of the value.
    """
    is_table, spans, comma = text[start] == "{", [], None
    at = skip(text, start + 1)
    while text[at] not in "]}":
        begin = at
        if is_table:
            at = skip(text, _key_path(text, at)[1] + 1)
        end = value_end(text, at)
        spans.append((begin, end))
        at, comma = skip(text, end), None
        if text[at] == ",":
            comma = at
            at = skip(text, at + 1)
    return spans, comma, at + 1


def _key_path(text: str, at: int) -> tuple[Path, int]:
    keys = []
    while True:
        match = _KEY.match(text, at)
        assert match
        quoted, bare, dot = match.groups()
        keys.append(str(tomllib.loads(f"k = {quoted}")["k"]) if quoted else bare)
        at = match.end()
        if not dot:
            return tuple(keys), at
