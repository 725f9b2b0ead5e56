"""Reads TOML, and says where things stand in the text."""

from __future__ import annotations

from hatch_agentplugin._record import dataclass

from ._model import Json, Path
from ._plain import NotPlain


@dataclass(frozen=True)
class Statement:
    """A header or a pair of key and value."""

    kind: str
    """`table`, `array` (of tables) or `pair`."""
    section: Path
    """The table that it stands in; of a header, the table that it opens."""
    path: Path
    """Where it leads, from the root."""
    start: int
    value: int
    """Where the value of a pair begins."""
    end: int
    """Where it ends, before white space and a comment on the line."""
    line_end: int


@dataclass(frozen=True)
class Source:
    """A document that has been read."""

    text: str
    root: dict[str, Json]
    plain: list[Statement] | None
    """The statements of a plain text."""

    def statements(self) -> list[Statement]:
        """Return all headers and pairs in their order."""
        if self.plain is not None:
            return self.plain
        from ._toml_parse import statements

        return statements(self.text)


def read(text: str) -> Source:
    """Read `text`. Raises DocumentError."""
    # In the function: each reader needs what stands above, and that of the rest costs much.
    from . import _toml_plain

    try:
        return Source(text, *_toml_plain.read(text))
    except NotPlain:
        from ._toml_parse import parse

        return Source(text, parse(text), None)
