"""Write TOML: keys, values and tables, and elements of inline arrays and tables."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hatch_agentplugin.edit.lines import indent_of, newline_of, starts_line
from hatch_agentplugin.edit.model import DocumentError, Json, Path
from hatch_agentplugin.edit.toml_reader import elements

_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write_key(path: Path) -> str:
    """Return a dotted key as text."""
    return ".".join(key if is_bare_key(key) else write(key) for key in path)


def write(value: Json) -> str:
    """Return a value as inline text. Raises DocumentError for null: TOML has none."""
    if value is None:
        raise DocumentError("TOML has no null")
    if isinstance(value, dict):
        pairs = ", ".join(f"{write_key((key,))} = {write(child)}" for key, child in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(write, value))}]"
    return _ENCODE(value).replace("\x7f", "\\u007f")


def write_table(path: Path, table: dict[str, Json], array: bool) -> Iterator[str]:
    """Yield the lines of a table: first its own pairs, then the tables inside."""
    yield f"[[{write_key(path)}]]" if array else f"[{write_key(path)}]"
    inner: list[tuple[str, dict[str, Json], bool]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            inner.append((key, value, False))
        elif isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            inner += [(key, child, True) for child in value if isinstance(child, dict)]
        else:
            yield f"{write_key((key,))} = {write(value)}"
    for key, child, is_array in inner:
        yield ""
        yield from write_table((*path, key), child, is_array)


def is_bare_key(key: str) -> bool:
    """Return whether a key needs no quotes."""
    return key.isascii() and key.replace("-", "_").replace("_", "a").isalnum()


class Inline:
    """The new elements of one array or table, all at one place."""

    def __init__(self, text: str, start: int, name: str) -> None:
        """Find the place in the value at `start`; `name` is its key, for messages.

        Raises DocumentError if the brackets hold nothing but a comment.
        """
        spans, comma, end = elements(text, start)
        self.at = start + 1
        """The offset of the place."""
        self._is_empty = not spans
        self._is_table = text[start] == "{"
        self._has_comma = comma is not None
        self._lead = " "
        self._parts: list[str] = []
        inner = text[start + 1 : end - 1]
        self._pad = " " if self._is_table and not inner else ""
        if spans:
            self.at = spans[-1][1] if comma is None else comma + 1
            if starts_line(text, spans[-1][0]):
                self._lead = newline_of(text) + indent_of(text, spans[-1][0])
        elif inner.strip(" \t"):
            raise DocumentError(f"{name} holds nothing but a comment")

    def append(self, item: str) -> None:
        """Add an element, or a pair of key and value."""
        if self._is_empty and not self._parts:
            self._parts.append(item)
        else:
            self._parts.append(
                f"{self._lead}{item}," if self._has_comma else f",{self._lead}{item}"
            )

    def inserted(self) -> str:
        """Return the new text."""
        pad = self._pad if self._parts else ""
        return pad + "".join(self._parts) + pad

    def applied(self, text: str) -> str:
        """Return a text with the new elements in it."""
        return text[: self.at] + self.inserted() + text[self.at :]
