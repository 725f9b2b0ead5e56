"""Reads JSON with comments and trailing commas, and says where things stand in the text.

The trick that keeps it short and fast: comments and trailing commas are overwritten with as many
spaces, and the standard decoder, which is written in C, reads the rest. Every offset stays true.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
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
#: From which size on, in characters, reading only a part of a document is worth the effort.
_WORTH_SPARING = 100_000
_LARGE_VALUE = 1000
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


def changed(source: Source, start: int, end: int, new: str) -> Source | None:
    """Read the text with that from `start` to `end` replaced, without reading all of it again.

    Large values at the root that the change does not touch are taken over. While the rest is read,
    an empty string stands for each; where that is still in its place, so is the value. None where
    nothing can be spared. Raises DocumentError, without a line.
    """
    if source.start is None or len(source.text) < _WORTH_SPARING:
        return None
    entries = source.container(source.start).entries
    spared = [
        entry
        for entry in entries
        if entry.end - entry.value >= _LARGE_VALUE and (entry.end <= start or end <= entry.start)
    ]
    if not spared or len({entry.key for entry in entries}) < len(entries):
        return None  # Of equal keys the last one counts: it might go.
    slim = _Slim(source, spared)
    try:
        short = read(slim.changed(start, end, new))
    except DocumentError as error:
        raise DocumentError(error.reason) from None
    if short.start is None or not slim.stands(short.container(short.start)):
        return None
    text = source.text[:start] + new + source.text[end:]
    bare = text if _has_none(source, short, "bare") else slim.whole(short.bare, source.bare)
    plain = text if _has_none(source, short, "plain") else slim.whole(short.plain, source.plain)
    spare = {entry.key for entry in spared}
    root = {key: source.root[key] if key in spare else short.root[key] for key in short.root}
    made = Source(text, bare, plain, slim.comments(short), root, slim.offset(short.start))
    made.seen[slim.offset(short.start)] = slim.container(short.container(short.start))
    return made


def _has_none(source: Source, short: Source, what: str) -> bool:
    """Tell whether there is nothing that `what` would have blanked."""
    return all(getattr(one, what) is one.text for one in (source, short))


class _Slim:
    """A document in which an empty string stands for each of some values."""

    def __init__(self, source: Source, spared: list[Entry]) -> None:
        self._source = source
        self._spared = spared
        saved = [entry.end - entry.value - 2 for entry in spared]
        self._saved = [0, *accumulate(saved)]
        """How much the text is shorter before each value, and in all."""
        self._at = [one.value - less for one, less in zip(spared, self._saved, strict=False)]
        """Where the stand-ins are."""

    def changed(self, start: int, end: int, new: str) -> str:
        """The text with a change, which is given in offsets of the whole text."""
        at, text = 0, self._source.text
        parts = []
        for entry in self._spared:
            parts += [text[at : entry.value], '""']
            at = entry.end
        slim = "".join([*parts, text[at:]])
        less = self._saved[sum(entry.end <= start for entry in self._spared)]
        moved = len(new) - (end - start)
        self._at = [at + moved if entry.start >= end else at
                    for entry, at in zip(self._spared, self._at, strict=True)]  # fmt: skip
        return slim[: start - less] + new + slim[end - less :]

    def stands(self, root: Container) -> bool:
        """Tell whether all stand-ins are in their places, and no key is there twice."""
        there = {(entry.key, entry.value, entry.end) for entry in root.entries}
        wanted = {(one.key, at, at + 2) for one, at in zip(self._spared, self._at, strict=True)}
        keys = {entry.key for entry in root.entries}
        return len(keys) == len(root.entries) and wanted <= there

    def offset(self, at: int) -> int:
        """The offset in the whole text."""
        return at + self._saved[bisect_left(self._at, at - 1)]

    def container(self, here: Container) -> Container:
        """A container with offsets of the whole text."""
        entries = tuple(
            Entry(one.key, *map(self.offset, (one.start, one.value, one.end)))
            for one in here.entries
        )
        return Container(self.offset(here.start), self.offset(here.end), entries)

    def whole(self, short: str, whole: str) -> str:
        """A text in which the values are what they are in another one."""
        at, parts = 0, []
        for entry, place in zip(self._spared, self._at, strict=True):
            parts += [short[at:place], whole[entry.value : entry.end]]
            at = place + 2
        return "".join([*parts, short[at:]])

    def comments(self, short: Source) -> tuple[tuple[int, int], ...]:
        """The comments of what was read again and of what was spared."""
        found = [(self.offset(start), self.offset(end)) for start, end in short.comments]
        for entry, place in zip(self._spared, self._at, strict=True):
            by = self.offset(place) - entry.value
            inner = self._source.comments_in(entry.value, entry.end)
            found += [(start + by, end + by) for start, end in inner]
        return tuple(sorted(found))


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
