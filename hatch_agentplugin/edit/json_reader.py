"""Reads JSON with comments and trailing commas, and says where things stand in the text.

The trick that keeps it short and fast: comments and trailing commas are overwritten with as many
spaces, and the standard decoder, which is written in C, reads the rest. Every offset stays true.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NoReturn

from hatch_agentplugin.edit.lines import BOM, error_at
from hatch_agentplugin.edit.model import DocumentError, Json, Path
from hatch_agentplugin.edit.values import check_depth

_SPACE = re.compile(r"[ \t\r\n]*")
_LONGEST_INT = 4000  # Python refuses to convert longer ones; hosts read them as infinity


def _refuse_constant(name: str) -> NoReturn:
    raise _Constant(name)


class _Constant(Exception):
    """A NaN or an Infinity, which the decoder takes and JSON does not."""


def _read_int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


_DECODER = json.JSONDecoder(parse_int=_read_int, parse_constant=_refuse_constant)


class Entry:
    """A member of an object or an element of an array. Made for each, so that it is kept light."""

    __slots__ = ("end", "key", "start", "value")

    def __init__(self, key: str | None, start: int, value: int, end: int) -> None:
        self.key = key
        self.start = start
        """Where the key begins, or the value of an element."""
        self.value = value
        """Where the value begins."""
        self.end = end


@dataclass(frozen=True)
class Container:
    """An object or an array on the path of an edit."""

    start: int
    end: int
    entries: tuple[Entry, ...]

    def last(self, key: str) -> int | None:
        """Return the index of the member `key`; hosts take the last of equal ones."""
        found = [i for i, entry in enumerate(self.entries) if entry.key == key]
        return found[-1] if found else None


@dataclass(frozen=True)
class Source:
    """A document that has been read."""

    text: str
    bare: str
    """The text with comments overwritten by spaces."""
    plain: str
    """The text with comments and trailing commas overwritten by spaces."""
    comments: tuple[tuple[int, int], ...]
    root: dict[str, Json]
    start: int | None
    """Where the root object begins; None if the document holds no settings."""
    seen: dict[int, Container] = field(default_factory=dict)
    """Containers that have been looked at, by where they begin."""

    def remarks(self) -> list[str]:
        """Return the comments in their order."""
        return [self.text[start:end] for start, end in self.comments]

    def comments_in(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Return the comments between two offsets."""
        first = bisect_left(self.comments, (start, 0))
        return self.comments[first : bisect_left(self.comments, (end, 0))]

    def container(self, start: int) -> Container:
        """Return what stands in the object or array that begins at `start`."""
        if start not in self.seen:
            self.seen[start] = self._container(start)
        return self.seen[start]

    def _container(self, start: int) -> Container:
        plain, entries = self.plain, []
        is_object = plain[start] == "{"
        at = _skip(plain, start + 1)
        while plain[at] not in "]}":
            begin, key = at, None
            if is_object:
                key, at = _DECODER.raw_decode(plain, at)
                at = _skip(plain, _skip(plain, at) + 1)
            _, end = _DECODER.raw_decode(plain, at)
            entries.append(Entry(key, begin, at, end))
            at = _skip(plain, end)
            if plain[at] == ",":
                at = _skip(plain, at + 1)
        return Container(start, at + 1, tuple(entries))

    def walk(self, path: Path) -> list[Container]:
        """Return the containers along `path`, from the root to the deepest that exists."""
        assert self.start is not None
        containers = [self.container(self.start)]
        for key in path:
            index = containers[-1].last(key)
            if index is None:
                break
            start = containers[-1].entries[index].value
            if self.plain[start] not in "[{":
                break
            containers.append(self.container(start))
        return containers


def read(text: str) -> Source:
    """Read `text`. Raises DocumentError unless it is an object, or holds no settings at all."""
    bare = plain = text
    comments: tuple[tuple[int, int], ...] = ()
    start = _skip(text, 1 if text.startswith(BOM) else 0)
    if start == len(text):
        return Source(text, bare, plain, comments, {}, None)
    try:
        root, end = _DECODER.raw_decode(plain, start)
        well_formed = _skip(plain, end) == len(plain)
    except (json.JSONDecodeError, _Constant, RecursionError):
        well_formed = False
    if not well_formed:
        # In the function: most files have neither, and it is much to compile.
        from hatch_agentplugin.edit.json_comments import blank_commas, blank_comments

        bare, comments = blank_comments(text)
        plain = blank_commas(bare)
        start = _skip(plain, 1 if text.startswith(BOM) else 0)
        if start == len(plain):
            return Source(text, bare, plain, comments, {}, None)
        root, end = _decode(plain, start)
        rest = _skip(plain, end)
        if rest != len(plain):
            raise error_at(text, rest, "there is more text after the end of the settings")
    if not isinstance(root, dict):
        raise error_at(text, start, "the settings are not an object in braces")
    if plain.count("{") + plain.count("[") > 500:
        check_depth(root)
    return Source(text, bare, plain, comments, root, start)


def _decode(plain: str, start: int) -> tuple[Json, int]:
    try:
        return _DECODER.raw_decode(plain, start)
    except json.JSONDecodeError as error:
        reason = "a comment without end" if plain.startswith("/*", error.pos) else error.msg
        if not plain[error.pos :].strip():
            reason = f"the file ends too early ({reason})"
        raise error_at(plain, error.pos, reason[0].lower() + reason[1:]) from None
    except RecursionError:
        raise DocumentError("nested too deep") from None
    except _Constant as error:
        from hatch_agentplugin.edit.json_comments import place_of

        place = place_of(str(error), plain)
        raise error_at(plain, start if place is None else place, f"{error} is not JSON") from None


def _skip(text: str, at: int) -> int:
    if at < len(text) and text[at] not in " \t\r\n":
        return at
    match = _SPACE.match(text, at)
    assert match
    return match.end()
