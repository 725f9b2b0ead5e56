"""Reads JSON with comments and trailing commas, and says where things stand in the text.

The trick that keeps it short and fast: comments and trailing commas are overwritten with as many
spaces, and the standard decoder, which is written in C, reads the rest. Every offset stays true.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NoReturn

from hatch_agentplugin._record import dataclass, field

from ._lines import BOM, error_at
from ._model import DocumentError, Json, Path
from ._values import check_depth

_STRING = r'"(?:[^"\\\r\n]|\\[^\r\n])*"'
_TOKEN = re.compile(rf"{_STRING}|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_MAYBE_COMMENT = re.compile(r"/[/*]")
_MAYBE_TRAILING = re.compile(r",(?=[ \t\r\n]*[\]}])")
_CONSTANT = re.compile(rf"{_STRING}|-?(?:NaN|Infinity)", re.DOTALL)
_NOT_NEWLINE = re.compile(r"[^\r\n]")
_SPACE = re.compile(r"[ \t\r\n]*")
_LONGEST_INT = 4000  # Python refuses to convert longer ones; hosts read them as infinity


def _refuse_constant(name: str) -> NoReturn:
    raise _Constant(name)


class _Constant(Exception):
    """A NaN or an Infinity, which the decoder takes and JSON does not."""


def _read_int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


_DECODER = json.JSONDecoder(parse_int=_read_int, parse_constant=_refuse_constant)


@dataclass(frozen=True)
class Entry:
    """A member of an object or an element of an array."""

    key: str | None
    start: int
    """Where the key begins, or the value of an element."""
    value: int
    """Where the value begins."""
    end: int


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
    try:
        root, end = _DECODER.raw_decode(plain, start)
        well_formed = _skip(plain, end) == len(plain)
    except (json.JSONDecodeError, _Constant, RecursionError):
        well_formed = False
    if not well_formed:
        bare, comments = _blank_comments(text)
        plain = _blank_commas(bare)
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
        places = (m.start() for m in _CONSTANT.finditer(plain) if m.group() == str(error))
        raise error_at(plain, next(places, start), f"{error} is not JSON") from None


def _tokens(text: str, candidates: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the strings and comments that hold a candidate, and the candidates outside of them.

    No string goes past its line, so only the line before a candidate is looked at: most of a large
    file is passed over by the search for candidates.
    """
    at = 0
    while found := candidates.search(text, at):
        place = found.start()
        begin = max(text.rfind("\n", at, place), text.rfind("\r", at, place), at - 1) + 1
        for token in _TOKEN.finditer(text, begin):
            if token.start() > place:
                break
            if token.end() > place:
                found = token
                break
        yield found
        at = found.end()


def _blank_comments(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    comments: list[tuple[int, int]] = []
    parts, at = [], 0
    for token in _tokens(text, _MAYBE_COMMENT):
        # A candidate that is no token is a comment without end: left for the decoder to refuse.
        if token.group()[0] == "/" and len(token.group()) > 1 and token.re is _TOKEN:
            comments.append(token.span())
            parts += [text[at : token.start()], _NOT_NEWLINE.sub(" ", token.group())]
            at = token.end()
    return "".join([*parts, text[at:]]), tuple(comments)


def _blank_commas(bare: str) -> str:
    parts, at = [], 0
    for token in _tokens(bare, _MAYBE_TRAILING):
        # `[ ,` and `, ,` are faults and not trailing commas: left for the decoder to refuse.
        if token.group() == "," and _before(bare, token.start()) not in "[{,:":
            parts += [bare[at : token.start()], " "]
            at = token.end()
    return "".join([*parts, bare[at:]])


def _before(text: str, at: int) -> str:
    """Return the last character before `at` that is not white space."""
    while at > 0 and text[at - 1] in " \t\r\n":
        at -= 1
    return text[at - 1 : at]


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match
    return match.end()
