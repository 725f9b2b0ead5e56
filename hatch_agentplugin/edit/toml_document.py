"""Edit TOML: tables and arrays of tables as blocks of lines, the rest in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.lines import BOM
from hatch_agentplugin.edit.model import DocumentError, Entry, Path, Splice
from hatch_agentplugin.edit.toml_insertion import insert_entry
from hatch_agentplugin.edit.toml_outline import Outline
from hatch_agentplugin.edit.toml_reader import Statement, parse, statements
from hatch_agentplugin.edit.toml_removal import cut_element, cut_statements
from hatch_agentplugin.edit.values import dotted, last_index, look_up


@dataclass(frozen=True)
class TomlDocument(Document):
    """A TOML document."""

    @classmethod
    def parse(cls, text: str) -> TomlDocument:
        """See `Document.parse`."""
        return cls(text, parse(text))

    @property
    def is_blank(self) -> bool:
        """See `Document.is_blank`. A text of comments is not blank: new text goes around them."""
        return not self.text.strip(BOM + " \t\r\n")

    def offset_of(self, path: Path) -> int:
        """See `Document.offset_of`."""
        return next((s.start for s in statements(self.text) if _is_below(s, path)), 0)

    def place(self, entries: Sequence[tuple[Entry, int]]) -> list[Splice]:
        """See `Document.place`."""
        outline = Outline(self.text)
        for entry, depth in entries:
            insert_entry(outline, entry, depth)
        return outline.splices()

    def without_entry(self, entry: Entry) -> str:
        """See `Document.without_entry`."""
        found = statements(self.text)
        if entry.op == "key":
            group = [s for s in found if _is_below(s, entry.path)]
        else:
            index = last_index(look_up(self.root, entry.path), entry.value)  # type: ignore[arg-type]
            pair = next((s for s in found if s.kind == "pair" and s.path == entry.path), None)
            if pair is not None:
                return cut_element(self.text, pair.value, index)
            group = _table_of_array(found, entry.path, index)
        if not group:
            raise DocumentError(f"cannot find {dotted(entry.path)} in the text; remove it by hand")
        return cut_statements(self.text, group)

    def without_empty(self, path: Path, before: str | None) -> str:
        """See `Document.without_empty`. A table with a comment in it stays."""
        if not path:
            return before if self.is_blank and before is not None else self.text
        found = statements(self.text)
        group = [s for s in found if _is_below(s, path)]
        if not group:
            return self.text
        end = next((s.start for s in found if s.start > group[-1].start), len(self.text))
        if "#" in self.text[group[0].start : end]:
            return self.text
        return cut_statements(self.text, group)


def _is_below(statement: Statement, path: Path) -> bool:
    return statement.path[: len(path)] == path


def _table_of_array(found: list[Statement], path: Path, index: int) -> list[Statement]:
    """Return the statements of one table of an array of tables."""
    heads = [i for i, s in enumerate(found) if s.kind == "array" and s.path == path]
    if index >= len(heads):
        return []
    group = [found[heads[index]]]
    for statement in found[heads[index] + 1 :]:
        is_inner = statement.section[: len(path)] == path
        if not is_inner or (statement.kind == "array" and statement.path == path):
            break
        group.append(statement)
    return group
