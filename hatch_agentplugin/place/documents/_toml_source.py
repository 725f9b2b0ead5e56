"""Reads TOML, and says where things stand in the text."""

from __future__ import annotations

from hatch_agentplugin._record import dataclass

from . import _toml_plain
from ._model import Json
from ._toml_plain import Statement


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
    try:
        return Source(text, *_toml_plain.read(text))
    except _toml_plain.NotPlain:
        # In the function: what is plain should not pay for the import.
        from ._toml_parse import parse

        return Source(text, parse(text), None)
