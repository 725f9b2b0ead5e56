"""Reads the plain part of TOML, in which our own editor writes hooks, without a parser of TOML.

Importing one and compiling what finds statements costs more than all our edits. So headers of
tables, and keys with a value on their line, are read here: the same values and statements, to the
character. Of anything else nothing is guessed: comments, dotted keys, inline tables, dates, strings
of other kinds, indentation, tables that are opened twice are left to `_toml_parse`.
"""

from __future__ import annotations

from ._model import Json, Path
from ._plain import NotPlain, decode, lines
from ._toml_source import Statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DEEPEST = 20


def is_bare_key(key: str) -> bool:
    """Tell whether a key needs no quotes."""
    return key.isascii() and key.replace("-", "_").replace("_", "a").isalnum()


def read(text: str) -> tuple[dict[str, Json], list[Statement]]:
    """Return the value and the statements of a plain text. Raises NotPlain for any other."""
    root: dict[str, Any] = {}
    table, section, found = root, (), []  # type: tuple[dict[str, Any], Path, list[Statement]]
    opened: set[int] = set()
    for line, start, following in lines(text):
        end, line_end = start + len(line), min(following, len(text))
        if line.startswith("["):
            is_array = line.startswith("[[")
            section = _header(line, 2 if is_array else 1)
            table = _open(root, section, is_array, opened)
            kind = "array" if is_array else "table"
            found.append(Statement(kind, section, section, start, start, end, line_end))
        elif line:
            key, at = _key(line, 0)
            if not line.startswith(" = ", at) or key in table:
                raise NotPlain
            table[key] = _value(line, at + 3)
            path, place = (*section, key), start + at + 3
            found.append(Statement("pair", section, path, start, place, end, line_end))
    return root, found


def _header(line: str, at: int) -> Path:
    width, keys = at, []
    while True:
        key, at = _key(line, at)
        keys.append(key)
        if not line.startswith(".", at):
            break
        at += 1
    if line[at:] != "]" * width or len(keys) > _DEEPEST:
        raise NotPlain
    return tuple(keys)


def _key(line: str, at: int) -> tuple[str, int]:
    """Read a key, in double quotes or in none. Returns where it ends, too."""
    if line.startswith('"', at):
        key, end = decode(line, at)
        return str(key), end
    end = at
    while end < len(line) and (line[end].isalnum() or line[end] in "_-"):
        end += 1
    if not is_bare_key(line[at:end]):
        raise NotPlain
    return line[at:end], end


def _value(line: str, at: int) -> Json:
    """Read the value that takes the rest of a line.

    Of numbers, words and arrays of such on one line TOML thinks as JSON does, where JSON takes them.
    """
    if line.startswith(" ", at):
        raise NotPlain
    value: Json
    value, end = decode(line, at)
    if end != len(line):
        raise NotPlain
    _check(value, 0)
    return value


def _check(value: Any, depth: int) -> None:
    """Raise NotPlain for what TOML has not, or has in another way."""
    if value is None or isinstance(value, dict) or depth > _DEEPEST:
        raise NotPlain
    if isinstance(value, list):
        for item in value:
            _check(item, depth + 1)


def _open(root: dict[str, Any], path: Path, is_array: bool, opened: set[int]) -> dict[str, Any]:
    """Make a new table at a path; `opened` are the arrays of tables, by identity."""
    here: Any = root
    for key in path[:-1]:
        here = here.setdefault(key, {})
        if id(here) in opened:
            here = here[-1]
        if not isinstance(here, dict):
            raise NotPlain
    table: dict[str, Any] = {}
    there = here.get(path[-1])
    if there is None:
        here[path[-1]] = [table] if is_array else table
        if is_array:
            opened.add(id(here[path[-1]]))
    elif is_array and id(there) in opened:
        there.append(table)
    else:
        raise NotPlain
    return table
