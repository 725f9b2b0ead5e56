"""The door to the editors, by the name of the format."""

from __future__ import annotations

from . import _values
from ._lines import decode
from ._model import Editor, Json, Missing, Path

FORMATS = ("json", "jsonc", "text", "toml", "yaml")

_made: dict[str, Editor] = {}


def editor(format: str) -> Editor:
    """Return the editor for `json`, `jsonc`, `text`, `toml` or `yaml`; always the same one.

    Raises ValueError for another name. What a format needs is imported at its first use.
    """
    if format not in _made:
        _made[format] = _make(format)
    return _made[format]


def value_at(data: bytes, format: str, at: Path) -> Json | Missing:
    """Return the parsed value at a place, or `MISSING`. Raises DocumentError.

    As the editor's `get`, but where nobody has edited such a document yet no editor is imported.
    """
    if format in _made or format not in ("json", "jsonc", "toml", "yaml"):
        return editor(format).get(data, at)
    return _values.look_up(_root(decode(data), format), at)


def _root(text: str, format: str) -> Json:
    if format == "toml":
        from . import _toml_source

        return _toml_source.read(text).root
    if format == "yaml":
        from . import _yaml_source

        return _yaml_source.read(text).root
    from . import _json_source

    return _json_source.read(text).root


def _make(format: str) -> Editor:
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
