"""Edits settings files that people own: bytes in, bytes out, and nothing else moves."""

from hatch_agentplugin.edit.editors import FORMATS, editor, value_at
from hatch_agentplugin.edit.history import replay, take_out, unwind
from hatch_agentplugin.edit.model import (
    MISSING,
    DocumentError,
    Edit,
    Editor,
    Found,
    Json,
    Missing,
    Path,
    Record,
)

__all__ = [
    "FORMATS",
    "MISSING",
    "DocumentError",
    "Edit",
    "Editor",
    "Found",
    "Json",
    "Missing",
    "Path",
    "Record",
    "editor",
    "replay",
    "take_out",
    "unwind",
    "value_at",
]
