"""The door to the editors, by the name of the format."""

from __future__ import annotations

from hatch_agentplugin.edit import values
from hatch_agentplugin.edit.lines import decode
from hatch_agentplugin.edit.model import Editor, Json, Missing, Path

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
    return values.look_up(_root(decode(data), format), at)


def _root(text: str, format: str) -> Json:
    if format == "toml":
        from hatch_agentplugin.edit import toml_reader

        return toml_reader.read(text).root
    if format == "yaml":
        from hatch_agentplugin.edit import yaml_reader

        return yaml_reader.read(text).root
    from hatch_agentplugin.edit import json_reader

    return json_reader.read(text).root


def _make(format: str) -> Editor:
    if format in ("json", "jsonc"):
        from hatch_agentplugin.edit.json_editor import JsonEditor

        return JsonEditor(format)
    if format == "toml":
        from hatch_agentplugin.edit.toml_editor import TomlEditor

        return TomlEditor()
    if format == "yaml":
        from hatch_agentplugin.edit.yaml_editor import YamlEditor

        return YamlEditor()
    if format == "text":
        from hatch_agentplugin.edit.text_editor import TextEditor

        return TextEditor()
    raise ValueError(f"no editor for {format!r}; there are {', '.join(FORMATS)}")
