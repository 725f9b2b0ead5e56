"""The door to the editors, by the name of the format."""

from __future__ import annotations

from functools import cache

from ._model import Editor

FORMATS = ("json", "jsonc", "text", "toml", "yaml")


@cache
def editor(format: str) -> Editor:
    """Return the editor for `json`, `jsonc`, `text`, `toml` or `yaml`; always the same one.

    Raises ValueError for another name. What a format needs is imported at its first use.
    """
    if format in ("json", "jsonc"):
        from ._json import JsonEditor

        return JsonEditor(format)
    if format == "toml":
        from ._toml import TomlEditor

        return TomlEditor()
    if format == "yaml":
        from ._yaml import YamlEditor

        return YamlEditor()
    if format == "text":
        from ._text import TextEditor

        return TextEditor()
    raise ValueError(f"no editor for {format!r}; there are {', '.join(FORMATS)}")
