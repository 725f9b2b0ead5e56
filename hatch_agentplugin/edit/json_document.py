"""Edit JSON and JSON with comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.json_insertion import insert_entry
from hatch_agentplugin.edit.json_outline import Container, Outline
from hatch_agentplugin.edit.json_reader import Source, read
from hatch_agentplugin.edit.lines import BOM, error_at
from hatch_agentplugin.edit.model import Entry, Path, Splice
from hatch_agentplugin.edit.splices import Merger
from hatch_agentplugin.edit.values import last_index


@dataclass(frozen=True)
class JsonDocument(Document):
    """A JSON document. Comments and trailing commas are accepted, because users write them."""

    source: Source
    """The document as it has been read."""

    @classmethod
    def parse(cls, text: str) -> JsonDocument:
        """See `Document.parse`."""
        source = read(text)
        return cls(text, source.root, source)

    @property
    def is_blank(self) -> bool:
        """See `Document.is_blank`."""
        return self.source.start is None

    def comments(self) -> Sequence[str]:
        """Return the comments: a comma that moves into one would pass all other checks."""
        return [self.text[start:end] for start, end in self.source.comments]

    def line_of(self, path: Path, number: int) -> int | None:
        """See `Document.line_of`."""
        containers = [] if self.is_blank else Outline(self.source).walk(path)
        if len(containers) <= len(path) or number >= len(containers[-1]):
            return None
        return error_at(self.text, containers[-1][number].start, "").line

    def offset_of(self, path: Path) -> int:
        """See `Document.offset_of`."""
        start = self.source.start or 0
        if self.is_blank or not path:
            return start
        parent = Outline(self.source).walk(path[:-1])[-1]
        index = parent.find(path[-1])
        return start if index is None else parent[index].start

    def place(self, entries: Sequence[tuple[Entry, int]]) -> list[Splice]:
        """See `Document.place`."""
        outline, merger = Outline(self.source), Merger()
        for entry, depth in entries:
            merger.add(insert_entry(outline, entry, depth))
        return merger.splices(outline.text)

    def without_entry(self, entry: Entry) -> str:
        """See `Document.without_entry`."""
        outline = Outline(self.source)
        if entry.op == "item":
            container = outline.walk(entry.path)[-1]
            return cut_entry(outline, container, last_index(self.get(entry.path), entry.value))  # type: ignore[arg-type]
        container = outline.walk(entry.path[:-1])[-1]
        index = container.find(entry.path[-1])
        assert index is not None
        return cut_entry(outline, container, index)

    def without_empty(self, path: Path, before: str | None) -> str:
        """See `Document.without_empty`. A container with a comment in it stays."""
        outline = Outline(self.source)
        if self.is_blank:
            return self.text
        containers = outline.walk(path)
        here = containers[-1]
        if self.text[here.start + 1 : here.end - 1].strip(" \t\r\n"):
            return self.text
        if not path:
            return self._without_root(here, before or "")
        return cut_entry(outline, containers[-2], here.index)

    def _without_root(self, here: Container, before: str) -> str:
        """Return the original text, unless the rest of the text has changed since."""
        rest = self.text[: here.start] + self.text[here.end :]
        return before if rest.strip(BOM).split() == before.strip(BOM).split() else rest


_REST_OF_LINE = re.compile(r"[ \t]*(?:\r|\n|$)")
_BLANKS = re.compile(r"[ \t]*")


def cut_entry(outline: Outline, container: Container, index: int) -> str:
    """Return the text without entry `index` of `container`, and with all comments."""
    inner = (container.start + 1, container.end - 1)
    if len(container) == 1 and not outline.comments_in(*inner):
        return _without(outline.text, [inner])
    entry = container[index]
    ranges = [*_around_comments(outline, entry.start, entry.end)]
    comma, after = _comma(outline, container, index)
    if comma is not None:
        ranges.append((comma, comma + 1))
    ranges.append(_white_space(outline, container, index, after))
    return _without(outline.text, ranges)


def _comma(outline: Outline, container: Container, index: int) -> tuple[int | None, int]:
    """Return the comma to cut, and where the text continues after the cut."""
    entry = container[index]
    right = container[index + 1].start if index + 1 < len(container) else container.end - 1
    comma = outline.bare.find(",", entry.end, right)
    if comma != -1:
        gap = outline.text[entry.end : comma].strip()
        return comma, entry.end if gap else comma + 1
    if index > 0:
        return outline.bare.index(",", container[index - 1].end, entry.start), entry.end
    return None, entry.end


def _white_space(outline: Outline, container: Container, index: int, after: int) -> tuple[int, int]:
    """Return the white space to cut, before the entry or after it."""
    text, start = outline.text, container[index].start
    before = outline.comments_in(container.start, start)
    lead = before[-1][1] if before else 0  # A line comment may end in white space.
    lead = max(lead, len(text[:start].rstrip(" \t\r\n")))
    blanks = _BLANKS.match(text, after)
    assert blanks
    following = (after, blanks.end())
    line_ends = bool(_REST_OF_LINE.match(text, after))
    own_line = "\n" in text[lead:start] or "\r" in text[lead:start]
    if before and before[-1][1] == lead and text.startswith("//", before[-1][0]):
        # The line end belongs to the comment, which without it would swallow the next line.
        if outline.comments_in(start, container[index].end):
            return start, start  # The rest of the entry begins with a comment, too.
        # Also the blanks after the entry, which would lengthen the comment.
        return (lead, blanks.end()) if line_ends else following
    is_last = index == len(container) - 1
    if not is_last and own_line and not line_ends:
        return following
    if not is_last and index == 0 and not own_line:
        return following
    return lead, start


def _around_comments(outline: Outline, start: int, end: int) -> list[tuple[int, int]]:
    """Split a range: leave out the comments in it, with the ends of their lines."""
    ranges, at = [], start
    for left, right in outline.comments_in(start, end):
        ranges.append((at, left))
        at = right
        if outline.text.startswith("//", left):
            at += 2 if outline.text.startswith("\r\n", right) else 1
    return [*ranges, (at, end)]


def _without(text: str, ranges: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(ranges):
        parts.append(text[at:start])
        at = max(at, end)
    return "".join([*parts, text[at:]])
