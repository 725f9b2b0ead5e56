"""Edit JSON and JSON with comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.json_insertion import insert_entry
from hatch_agentplugin.edit.json_outline import Container, Outline
from hatch_agentplugin.edit.json_reader import Source, read
from hatch_agentplugin.edit.json_removal import cut_entry
from hatch_agentplugin.edit.lines import BOM, error_at
from hatch_agentplugin.edit.model import Entry, Path, Splice
from hatch_agentplugin.edit.splices import Merger
from hatch_agentplugin.edit.values import last_index


@dataclass(frozen=True)
class JsonDocument(Document):
    """A JSON document. Comments and trailing commas are accepted: users have them."""

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
        """Return the text of before, unless the rest of the text has changed since."""
        rest = self.text[: here.start] + self.text[here.end :]
        return before if rest.strip(BOM).split() == before.strip(BOM).split() else rest
