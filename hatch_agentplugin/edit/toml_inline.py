"""Insert elements into a TOML array or table that is written as a value in brackets."""

from __future__ import annotations

from hatch_agentplugin.edit.lines import indent_of, newline_of, starts_line
from hatch_agentplugin.edit.model import DocumentError
from hatch_agentplugin.edit.toml_reader import elements


class Inline:
    """The new elements of one array or table: all go in one place."""

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
