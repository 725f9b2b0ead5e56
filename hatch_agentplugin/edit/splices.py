"""Apply, merge and undo splices of text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from hatch_agentplugin.edit.model import Splice


def apply(text: str, splices: Iterable[Splice]) -> str:
    """Return `text` with all splices applied, which are in the order of their offsets."""
    parts, at = [], 0
    for splice in splices:
        parts += [text[at : splice.offset], splice.whole]
        at = splice.offset + len(splice.kept)
    return "".join([*parts, text[at:]])


def undo(
    text: str, splices: Sequence[Splice], accepts: Callable[[int, int], bool]
) -> tuple[str, list[int]] | None:
    """Return `text` with all splices undone, and the offset of each in the result.

    If the text before a splice has changed, the nearest place that holds its pieces is used.
    Returns None if the text does not contain a splice, or if `accepts` refuses its range.
    """
    parts, offsets, at, inserted, moved = list[str](), list[int](), 0, 0, 0
    for splice in splices:
        whole = splice.whole
        start = _nearest(text, whole, splice.offset + inserted + moved, at)
        if start is None or not accepts(start, start + len(whole)):
            return None
        parts += [text[at:start], splice.kept]
        at = start + len(whole)
        offsets.append(start - inserted)
        moved = offsets[-1] - splice.offset
        inserted += len(splice.inserted)
    return "".join([*parts, text[at:]]), offsets


def _nearest(text: str, part: str, wanted: int, first: int) -> int | None:
    """Return the offset of `part` that is nearest to `wanted`, but not before `first`."""
    wanted = max(wanted, first)
    if text.startswith(part, wanted):
        return wanted
    after = text.find(part, wanted)
    before = text.rfind(part, first, wanted + len(part))
    if before == -1 or after == -1:
        return None if before == after else max(before, after)
    return before if wanted - before <= after - wanted else after


class _Span:
    """Inserted text in the new text."""

    __slots__ = ("end", "is_glued", "start")

    def __init__(self, start: int, end: int, is_glued: bool) -> None:
        self.start = start
        self.end = end
        self.is_glued = is_glued
        """True if the old text between the previous span and this one belongs to a splice."""


class Merger:
    """Merges splices that follow each other in time into splices of the first text."""

    def __init__(self) -> None:
        self._spans: list[_Span] = []

    def add(self, splice: Splice) -> None:
        """Add a splice of the text that results from all splices before it."""
        at = splice.offset
        for number, piece in enumerate(splice.pieces):
            if number % 2 == 0:
                self._insert(at, len(piece), is_glued=number > 0)
            at += len(piece)

    def _insert(self, at: int, length: int, is_glued: bool) -> None:
        spans = self._spans
        index = bisect_left(spans, at, key=lambda span: span.end)
        if index < len(spans) and spans[index].start <= at:
            spans[index].end += length
            spans[index].is_glued |= is_glued
        else:
            is_glued |= index < len(spans) and spans[index].is_glued
            spans.insert(index, _Span(at, at + length, is_glued))
        for span in spans[index + 1 :]:
            span.start += length
            span.end += length

    def splices(self, text: str) -> list[Splice]:
        """Return the splices that turn the first text into `text`, in order of their offsets."""
        merged: list[Splice] = []
        inserted = end = 0
        for span in self._spans:
            piece = text[span.start : span.end]
            if span.is_glued:
                last = merged.pop()
                kept = text[end : span.start]
                merged.append(Splice(last.offset, (*last.pieces, kept, piece)))
            else:
                merged.append(Splice(span.start - inserted, (piece,)))
            inserted += len(piece)
            end = span.end
        return merged
