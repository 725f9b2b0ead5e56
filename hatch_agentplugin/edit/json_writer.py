"""Writes JSON values the way their new neighbours are written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from hatch_agentplugin.edit.json_reader import Container, Entry, Source
from hatch_agentplugin.edit.lines import indent_of, newline_before, newline_of, starts_line
from hatch_agentplugin.edit.model import Json

_ESCAPE = r"\\u(?!00[0-7])[0-9a-fA-F]{4}"
_SURROGATE = "[\ud800-\udfff]"
_ENCODE = {
    escapes: json.JSONEncoder(ensure_ascii=escapes, allow_nan=False).encode
    for escapes in (False, True)
}
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
        text = _ENCODE[self.escapes](value)
        if text.isascii():
            return text
        return re.sub(_SURROGATE, lambda m: f"\\u{ord(m.group()):04x}", text)


def document_style(text: str) -> Style:
    """Return the style for a document that holds no settings yet."""
    return Style(newline=newline_of(text))


def style_at(source: Source, containers: list[Container]) -> Style:
    """Return the style for a new entry of the last container; the others are around it."""
    text, here = source.text, containers[-1]
    near = here.entries[-1].start if here.entries else here.start
    sibling = last_container(source, here)
    samples = [text[sibling.value : sibling.end][:_SAMPLE]] if sibling else []
    samples += [text[c.start : c.end][:_SAMPLE] for c in reversed(containers)]
    colon = _first(samples, ":", Style.colon)
    return Style(
        newline=newline_before(text, near),
        unit=_unit(text, containers),
        colon=colon,
        comma=_first(samples, ",", ", " if colon.endswith(" ") else ","),
        brace=_first(samples, "{", "")[1:],
        bracket=_first(samples, "[", "")[1:],
        escapes="\\u" in text and text.isascii() and bool(re.search(_ESCAPE, text)),
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


def _first(samples: list[str], mark: str, default: str) -> str:
    """Return a mark with its spaces as it first stands in a line of one of the samples."""
    for sample in samples:
        # In most files each of them ends its line, so that there is nothing to look through.
        if sample.count(mark) != sample.count(mark + "\n"):
            found = _spaced(sample, mark)
            if found is not None:
                return found
    return default


def _spaced(text: str, mark: str) -> str | None:
    """Return a mark of punctuation with the spaces around it, where it first stands as one.

    That is, between what may be the ends of values: whatever is found, inside a string too, is safe
    to write.
    """
    at = text.find(mark)
    while at != -1:
        start, end = at, at + 1
        while mark == ":" and start and text[start - 1] == " ":
            start -= 1
        while text.startswith(" ", end):
            end += 1
        if _ends(mark, text[start - 1 : start]) and _begins(mark, text[end : end + 1]):
            return text[start:end]
        at = text.find(mark, at + 1)
    return None


def _ends(mark: str, character: str) -> bool:
    """Tell whether a mark may stand behind a character: a key, a value or, in brackets, anything."""
    if mark == ":":
        return character == '"'
    return mark != "," or (character != "" and (character in '"}]_' or character.isalnum()))


def _begins(mark: str, character: str) -> bool:
    """Tell whether a character may be the first of what a mark stands before."""
    if mark == "{":
        return character == '"'
    return character != "" and (character in '"{[-_' or character.isalnum())
