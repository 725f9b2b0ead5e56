"""Find the positions of entries in JSON text, and track them while entries are inserted."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from hatch_agentplugin.edit.json_reader import Source, decode_at, skip_space
from hatch_agentplugin.edit.model import Path, Splice

_ESCAPE = r"\\u(?!00[0-7])[0-9a-fA-F]{4}"


@dataclass(frozen=True)
class Member:
    """A member of an object or an element of an array, by offsets in the text."""

    start: int
    """Where the key begins, or the value of an element."""
    value: int
    """Where the value begins."""
    end: int
    """Where the value ends."""


class Container:
    """An object or an array. The offsets of its members are kept relative to its start."""

    def __init__(self, plain: str, start: int, index: int = 0) -> None:
        self.start = start
        """The offset of the opening brace; valid until the next insertion."""
        self.index = index
        """Its position among the members of its parent."""
        self.children: dict[int, Container] = {}
        """The containers inside that have been visited, by position."""
        self._spans: list[tuple[int, int, int]] = []
        self._keys: dict[str, int] = {}
        self._read(plain)

    def _read(self, plain: str) -> None:
        start, is_object = self.start, plain[self.start] == "{"
        at = skip_space(plain, start + 1)
        while plain[at] not in "]}":
            begin = at
            if is_object:
                key, at = decode_at(plain, at)
                self._keys[key] = len(self._spans)
                at = skip_space(plain, skip_space(plain, at) + 1)
            _, end = decode_at(plain, at)
            self._spans.append((begin - start, at - start, end - start))
            at = skip_space(plain, end)
            if plain[at] == ",":
                at = skip_space(plain, at + 1)
        self._length = at + 1 - start

    def __len__(self) -> int:
        return len(self._spans)

    @property
    def end(self) -> int:
        """The offset after the closing brace."""
        return self.start + self._length

    def find(self, key: str) -> int | None:
        """Return the position of the member `key`; of equal keys the last one, as hosts do."""
        return self._keys.get(key)

    def __getitem__(self, index: int) -> Member:
        start, value, end = self._spans[index]
        return Member(self.start + start, self.start + value, self.start + end)

    def last(self, count: int) -> Iterator[Member]:
        """Yield the last members, the very last one first."""
        for index in range(len(self) - 1, max(len(self) - 1 - count, -1), -1):
            yield self[index]

    def append(self, key: str | None, member: Member, growth: int) -> None:
        """Add a member at the end; the container grows by `growth` characters."""
        if key is not None:
            self._keys[key] = len(self._spans)
        base = self.start
        self._spans.append((member.start - base, member.value - base, member.end - base))
        self._length += growth

    def grow(self, index: int, by: int) -> None:
        """Account for an insertion of `by` characters inside the member at `index`."""
        start, value, end = self._spans[index]
        self._spans[index] = (start, value, end + by)
        for later in range(index + 1, len(self._spans)):
            start, value, end = self._spans[later]
            self._spans[later] = (start + by, value + by, end + by)
        self._length += by


class Outline:
    """A text with its comments and the containers that edits have visited."""

    def __init__(self, source: Source) -> None:
        self.text = source.text
        """The whole text."""
        self.bare = source.bare
        """The text with comments overwritten by spaces."""
        self.plain = source.plain
        """The text with comments and trailing commas overwritten by spaces."""
        self.comments = list(source.comments)
        """Where the comments begin and end."""
        self.start = source.start
        """Where the root object begins; None if the document holds no settings."""
        self._root: Container | None = None
        self._escapes: bool | None = None

    @property
    def escapes(self) -> bool:
        """Whether the text contains non-ASCII characters and escapes all of them."""
        if self._escapes is None:
            has_escape = self.text.isascii() and "\\u" in self.text
            self._escapes = has_escape and bool(re.search(_ESCAPE, self.text))
        return self._escapes

    def comments_in(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the comments between two offsets."""
        if not self.comments:
            return []
        first = bisect_left(self.comments, (start, 0))
        return self.comments[first : bisect_left(self.comments, (end, 0))]

    def walk(self, path: Path) -> list[Container]:
        """Return the containers along `path`, from the root to the deepest that exists."""
        assert self.start is not None
        if self._root is None:
            self._root = Container(self.plain, self.start)
        here = self._root
        containers = [here]
        for key in path:
            index = here.find(key)
            if index is None:
                break
            value = here[index].value
            if self.plain[value] not in "[{":
                break
            if index not in here.children:
                here.children[index] = Container(self.plain, value, index)
            here = here.children[index]
            here.start = value
            containers.append(here)
        return containers

    def insert(
        self, containers: list[Container], splice: Splice, key: str | None, member: Member
    ) -> None:
        """Apply an insertion into the last of `containers`, which `walk` has just returned."""
        growth = len(splice.inserted)
        self._apply(splice)
        containers[-1].append(key, member, growth)
        for parent, child in zip(containers[-2::-1], containers[:0:-1], strict=True):
            parent.grow(child.index, growth)

    def begin(self, splice: Splice, start: int) -> None:
        """Apply the insertion of a whole document, whose root object begins at `start`."""
        self._apply(splice)
        self.start = start

    def _apply(self, splice: Splice) -> None:
        if "\\u" in splice.inserted or not splice.inserted.isascii():
            self._escapes = None
        text = spliced(self.text, splice)
        bare = text if self.bare is self.text else spliced(self.bare, splice)
        self.plain = bare if self.plain is self.bare else spliced(self.plain, splice)
        self.text, self.bare = text, bare
        first = bisect_left(self.comments, (splice.offset, 0))
        for index in range(first, len(self.comments)):
            start, end = self.comments[index]
            by = _moved(splice, start)
            self.comments[index] = (start + by, end + by)


def spliced(text: str, splice: Splice) -> str:
    """Return `text`, or a blanked copy of it, with the pieces of `splice` inserted."""
    at, parts = splice.offset, [text[: splice.offset]]
    for number, piece in enumerate(splice.pieces):
        parts.append(text[at : at + len(piece)] if number % 2 else piece)
        at += len(piece) if number % 2 else 0
    return "".join([*parts, text[at:]])


def _moved(splice: Splice, offset: int) -> int:
    """Return how far a splice moves the text at `offset`."""
    at, by = splice.offset, 0
    for number, piece in enumerate(splice.pieces):
        if number % 2:
            at += len(piece)
        elif at <= offset:
            by += len(piece)
    return by
