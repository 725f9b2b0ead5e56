"""Writes JSON values the way their new neighbours are written."""

from __future__ import annotations

import json
import re

from hatch_agentplugin._record import dataclass, replace

from ._json_source import Container, Entry, Source
from ._lines import indent_of, newline_before, newline_of, starts_line
from ._model import Json

# Spaces and one mark of punctuation: whatever these find, inside a string too, is safe to write.
_COLON = re.compile(r'"( *: *)["{\[\w-]')
_COMMA = re.compile(r'["\w}\]](, *)["{\[\w-]')
_BRACE = re.compile(r'\{( *)"')
_BRACKET = re.compile(r'\[( *)["{\[\w-]')
_ESCAPE = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SAMPLE = 2000  # characters of a neighbour that are looked at
_NEIGHBOURS = 50  # how many neighbours are looked at


@dataclass(frozen=True)
class Style:
    """How values are written."""

    newline: str = "\n"
    unit: str = "  "
    """One step of indentation."""
    colon: str = ": "
    comma: str = ", "
    """Between the values of a one-line array or object."""
    brace: str = ""
    """Inside the braces of a one-line object."""
    bracket: str = ""
    """Inside the brackets of a one-line array."""
    escapes: bool = False
    """True if the file writes everything beyond ASCII as escapes."""

    def render(self, value: Json, indent: str | None) -> str:
        """Return `value` as text: on one line if `indent` is None, else on lines below `indent`."""
        if isinstance(value, dict) and value:
            members = [
                f"{self._scalar(key)}{self.colon}{self.render(child, self._deeper(indent))}"
                for key, child in value.items()
            ]
            return self._wrap("{", members, "}", self.brace, indent)
        if isinstance(value, list) and value:
            items = [self.render(child, self._deeper(indent)) for child in value]
            return self._wrap("[", items, "]", self.bracket, indent)
        return self._scalar(value)

    def member(self, key: str | None, value: Json, indent: str | None) -> str:
        """Return an element, or with a key a member of an object."""
        text = self.render(value, indent)
        return text if key is None else self._scalar(key) + self.colon + text

    def _deeper(self, indent: str | None) -> str | None:
        return None if indent is None else indent + self.unit

    def _wrap(self, left: str, parts: list[str], right: str, pad: str, indent: str | None) -> str:
        if indent is None:
            return left + pad + self.comma.join(parts) + pad + right
        line = self.newline + indent
        return left + line + self.unit + f",{line}{self.unit}".join(parts) + line + right

    def _scalar(self, value: Json) -> str:
        text = json.dumps(value, ensure_ascii=self.escapes, allow_nan=False)
        return _SURROGATE.sub(lambda m: f"\\u{ord(m.group()):04x}", text)


def document_style(text: str) -> Style:
    """Return the style for a document that holds no settings yet."""
    return Style(newline=newline_of(text))


def style_at(source: Source, containers: list[Container]) -> Style:
    """Return the style for a new entry of the last container; the others are around it."""
    text, here = source.text, containers[-1]
    near = here.entries[-1].start if here.entries else here.start
    style = Style(
        newline=newline_before(text, near),
        unit=_unit(text, containers),
        escapes=text.isascii() and bool(_ESCAPE.search(text)),
    )
    sibling = last_container(source, here)
    samples = [text[sibling.value : sibling.end][:_SAMPLE]] if sibling else []
    samples += [text[c.start : c.end][:_SAMPLE] for c in reversed(containers)]
    colon = _first(_COLON, samples, style.colon)
    return replace(
        style,
        colon=colon,
        comma=_first(_COMMA, samples, ", " if colon.endswith(" ") else ","),
        brace=_first(_BRACE, samples, ""),
        bracket=_first(_BRACKET, samples, ""),
    )


def last_container(source: Source, container: Container) -> Entry | None:
    """Return the last entry that is itself an object or array with something in it."""
    for entry in reversed(container.entries[-_NEIGHBOURS:]):
        is_container = source.plain[entry.value] in "{["
        if is_container and source.plain[entry.value + 1 : entry.end - 1].strip():
            return entry
    return None


def is_flat(value: Json) -> bool:
    """Tell whether a value has no containers inside."""
    if not isinstance(value, (dict, list)):
        return True
    children = value.values() if isinstance(value, dict) else value
    return not any(isinstance(child, (dict, list)) and child for child in children)


def fits_one_line(source: Source, container: Container, value: Json, is_member: bool) -> bool:
    """Tell whether a new entry of a container of many lines goes on one, as its siblings do."""
    sibling = last_container(source, container)
    if sibling is None or "\n" in source.text[sibling.value : sibling.end]:
        return False
    # Members are unlike each other, so a short one above is no model for a tree of ours.
    return not is_member or is_flat(value)


def _unit(text: str, containers: list[Container]) -> str:
    for container in reversed(containers):
        if container.entries and starts_line(text, container.entries[-1].start):
            outer = indent_of(text, container.start)
            inner = indent_of(text, container.entries[-1].start)
            if inner.startswith(outer) and inner != outer:
                return inner[len(outer) :]
    return Style.unit


def _first(pattern: re.Pattern[str], samples: list[str], default: str) -> str:
    matches = (pattern.search(sample) for sample in samples)
    return next((match.group(1) for match in matches if match), default)
