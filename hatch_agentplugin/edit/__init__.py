"""Edit settings files that people own: bytes in, bytes out; all other bytes stay in place."""

from hatch_agentplugin.edit.document import Document
from hatch_agentplugin.edit.formats import FORMATS, read
from hatch_agentplugin.edit.insertion import check, insert
from hatch_agentplugin.edit.model import (
    MISSING,
    Batch,
    DocumentError,
    Entry,
    Found,
    Json,
    Missing,
    Patch,
    Path,
    Splice,
)
from hatch_agentplugin.edit.rewriting import Address, Rewritten, rewrite
from hatch_agentplugin.edit.values import longest_string, same, strings

__all__ = [
    "FORMATS",
    "MISSING",
    "Address",
    "Batch",
    "Document",
    "DocumentError",
    "Entry",
    "Found",
    "Json",
    "Missing",
    "Patch",
    "Path",
    "Rewritten",
    "Splice",
    "check",
    "insert",
    "longest_string",
    "read",
    "rewrite",
    "same",
    "strings",
]
