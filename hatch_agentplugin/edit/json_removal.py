"""Takes one entry out of JSON text: the entry, one comma, its white space, and no comment."""

from __future__ import annotations

import re

from hatch_agentplugin.edit.json_reader import Container, Source

_REST_OF_LINE = re.compile(r"[ \t]*(?:\r|\n|$)")
_BLANKS = re.compile(r"[ \t]*")


def cut_entry(source: Source, container: Container, index: int) -> str:
    """Return the text without entry `index` of `container`. All comments stay."""
    inner = (container.start + 1, container.end - 1)
    if len(container.entries) == 1 and not source.comments_in(*inner):
        return _without(source.text, [inner])
    entry = container.entries[index]
    ranges = [*_around_comments(source, entry.start, entry.end)]
    comma, after = _comma(source, container, index)
    if comma is not None:
        ranges.append((comma, comma + 1))
    ranges.append(_white_space(source, container, index, after))
    return _without(source.text, ranges)


def _comma(source: Source, container: Container, index: int) -> tuple[int | None, int]:
    """Return the comma to cut, and where the text goes on after the cut."""
    entries, entry = container.entries, container.entries[index]
    right = entries[index + 1].start if index + 1 < len(entries) else container.end - 1
    comma = source.bare.find(",", entry.end, right)
    if comma != -1:
        gap = source.text[entry.end : comma].strip()
        return comma, entry.end if gap else comma + 1
    if index > 0:
        return source.bare.index(",", entries[index - 1].end, entry.start), entry.end
    return None, entry.end


def _white_space(source: Source, container: Container, index: int, after: int) -> tuple[int, int]:
    """Return the white space to cut: what leads to the entry, or what follows it."""
    text, start = source.text, container.entries[index].start
    before = source.comments_in(container.start, start)
    lead = before[-1][1] if before else 0  # a line comment may itself end in white space
    lead = max(lead, len(text[:start].rstrip(" \t\r\n")))
    blanks = _BLANKS.match(text, after)
    assert blanks
    following = (after, blanks.end())
    line_ends = bool(_REST_OF_LINE.match(text, after))
    own_line = "\n" in text[lead:start] or "\r" in text[lead:start]
    if before and before[-1][1] == lead and text.startswith("//", before[-1][0]):
        # The line end belongs to the comment: without it the comment would swallow what follows.
        if source.comments_in(start, container.entries[index].end):
            return start, start  # what is left of the entry begins with a comment, too
        return (lead, start) if line_ends else following
    is_last = index == len(container.entries) - 1
    if not is_last and own_line and not line_ends:
        return following
    if not is_last and index == 0 and not own_line:
        return following
    return lead, start


def _around_comments(source: Source, start: int, end: int) -> list[tuple[int, int]]:
    """Split a range so that the comments in it, with the ends of their lines, are left out."""
    ranges, at = [], start
    for left, right in source.comments_in(start, end):
        ranges.append((at, left))
        at = right
        if source.text.startswith("//", left):
            at += 2 if source.text.startswith("\r\n", right) else 1
    return [*ranges, (at, end)]


def _without(text: str, ranges: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(ranges):
        parts.append(text[at:start])
        at = end
    return "".join([*parts, text[at:]])
