"""Take one entry out of JSON text: the entry, one comma and its white space; comments stay."""

from __future__ import annotations

import re

from hatch_agentplugin.edit.json_outline import Container, Outline

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
        return (lead, start) if line_ends else following
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
        at = end
    return "".join([*parts, text[at:]])
