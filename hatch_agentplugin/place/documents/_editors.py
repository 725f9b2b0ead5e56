"""The door to the editors, by the name of the format."""

from __future__ import annotations

from functools import cache

from ._json import JsonEditor
from ._model import Editor
from ._text import TextEditor
from ._toml import TomlEditor
from ._yaml import YamlEditor

FORMATS = ("json", "jsonc", "text", "toml", "yaml")


@cache
def editor(format: str) -> Editor:
    """Return the editor for `json`, `jsonc`, `text`, `toml` or `yaml`; always the same one.

    Raises ValueError for another name. What a format needs is imported at its first use.
    """
    if format in ("json", "jsonc"):
        return JsonEditor(format)
    if format == "toml":
        return TomlEditor()
    if format == "yaml":
        return YamlEditor()
    if format == "text":
        return TextEditor()
    raise ValueError(f"no editor for {format!r}; there are {', '.join(FORMATS)}")
