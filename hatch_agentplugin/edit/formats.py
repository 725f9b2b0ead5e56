"""The formats of documents, by name."""

from __future__ import annotations

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.json_document import JsonDocument
from hatch_agentplugin.edit.lines import decode
from hatch_agentplugin.edit.text_document import TextDocument
from hatch_agentplugin.edit.toml_document import TomlDocument
from hatch_agentplugin.edit.yaml_document import YamlDocument

_DOCUMENTS: dict[str, type[Document]] = {
    "json": JsonDocument,
    "jsonc": JsonDocument,  # Users write comments into both.
    "text": TextDocument,
    "toml": TomlDocument,
    "yaml": YamlDocument,
}

FORMATS = tuple(_DOCUMENTS)


def read(data: bytes, format: str) -> Document:
    """Parse a document, once. `format` is one of `FORMATS`.

    Raises DocumentError if the bytes are not such a document, and ValueError for another format.
    """
    if format not in _DOCUMENTS:
        raise ValueError(f"no editor for {format!r}; the formats are {', '.join(FORMATS)}")
    return _DOCUMENTS[format].parse(decode(data))
