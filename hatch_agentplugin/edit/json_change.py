"""Reads a large document again after a change, without reading what the change does not touch."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from hatch_agentplugin.edit.json_reader import Container, Entry, Source, read
from hatch_agentplugin.edit.model import DocumentError

_LARGE_VALUE = 1000


def changed(source: Source, start: int, end: int, new: str) -> Source | None:
    """Read the text with that from `start` to `end` replaced, without reading all of it again.

    Large values at the root that the change does not touch are taken over. While the rest is read,
    an empty string stands for each; where that is still in its place, so is the value. None where
    nothing can be spared. Raises DocumentError, without a line.
    """
    if source.start is None:
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
