"""Write JSON values in the style of their neighbours."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from hatch_agentplugin.edit.json_outline import Container, Member, Outline
from hatch_agentplugin.edit.json_reader import skip_space
from hatch_agentplugin.edit.lines import indent_of, newline_before, newline_of, starts_line
from hatch_agentplugin.edit.model import Json

_SURROGATE = "[\ud800-\udfff]"
_ENCODE = {
    escapes: json.JSONEncoder(ensure_ascii=escapes, allow_nan=False).encode
    for escapes in (False, True)
}
_SAMPLE = 2000  # characters of a neighbour that are examined
_NEIGHBOURS = 50  # how many neighbours are examined


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
    """True if the file escapes all non-ASCII characters."""

    def render(self, value: Json, indent: str | None) -> str:
        """Return `value` as text: on one line if `indent` is None, else on lines indented by more."""
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

    def key(self, key: str | None) -> str:
        """Return a key with its colon; nothing for an element of an array."""
        return "" if key is None else self._scalar(key) + self.colon

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
    """Return the style for a document without settings."""
    return Style(newline=newline_of(text))


def style_at(outline: Outline, containers: list[Container]) -> Style:
    """Return the style for a new entry of the last container; the others enclose it."""
    text, here = outline.text, containers[-1]
    near = here[-1].start if len(here) else here.start
    sibling = last_container(outline, here)
    spans = [(sibling.value, sibling.end)] if sibling else []
    spans += [(container.start, container.end) for container in reversed(containers)]
    samples = [text[start : min(end, start + _SAMPLE)] for start, end in spans]
    colon = _first(samples, ":", Style.colon)
    return Style(
        newline=newline_before(text, near),
        unit=_unit(text, containers),
        colon=colon,
        comma=_first(samples, ",", ", " if colon.endswith(" ") else ","),
        brace=_first(samples, "{", "")[1:],
        bracket=_first(samples, "[", "")[1:],
        escapes=outline.escapes,
    )


def last_container(outline: Outline, container: Container) -> Member | None:
    """Return the last member that is a non-empty object or array."""
    for member in container.last(_NEIGHBOURS):
        if outline.plain[member.value] in "{[":
            inner = skip_space(outline.plain, member.value + 1)
            if inner < member.end - 1:
                return member
    return None


def is_flat(value: Json) -> bool:
    """Return whether a value has no containers inside."""
    if not isinstance(value, (dict, list)):
        return True
    children = value.values() if isinstance(value, dict) else value
    return not any(isinstance(child, (dict, list)) and child for child in children)


def fits_one_line(outline: Outline, container: Container, value: Json, is_member: bool) -> bool:
    """Return whether a new entry of a multi-line container goes on one line, like its siblings."""
    sibling = last_container(outline, container)
    if sibling is None or outline.text.find("\n", sibling.value, sibling.end) != -1:
        return False
    # Members differ from each other: a short one above says nothing about a tree of ours.
    return not is_member or is_flat(value)


def _unit(text: str, containers: list[Container]) -> str:
    for container in reversed(containers):
        if len(container) and starts_line(text, container[-1].start):
            outer = indent_of(text, container.start)
            inner = indent_of(text, container[-1].start)
            if inner.startswith(outer) and inner != outer:
                return inner[len(outer) :]
    return Style.unit


def _first(samples: list[str], mark: str, default: str) -> str:
    """Return `mark` with the spaces around its first use within a line of one of the samples."""
    for sample in samples:
        # In most files each of them ends its line, and no search is needed.
        if sample.count(mark) != sample.count(mark + "\n"):
            found = _spaced(sample, mark)
            if found is not None:
                return found
    return default


def _spaced(text: str, mark: str) -> str | None:
    """Return `mark` with the spaces around it at its first place between what may be values.

    Even if that place is inside a string, the result is safe to write.
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
    """Return whether `mark` may follow a character: a key, a value or, for a bracket, anything."""
    if mark == ":":
        return character == '"'
    return mark != "," or (character != "" and (character in '"}]_' or character.isalnum()))


def _begins(mark: str, character: str) -> bool:
    """Return whether a character may follow `mark`."""
    if mark == "{":
        return character == '"'
    return character != "" and (character in '"{[-_' or character.isalnum())
