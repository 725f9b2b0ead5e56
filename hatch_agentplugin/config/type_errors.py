"""Turns pydantic's errors into problems in the words of TOML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any, TypeAlias, get_args

from pydantic import ValidationError

from hatch_agentplugin.config.models import AgentPluginTable, HookTable, PackagesTable, ServerTable
from hatch_agentplugin.problems import TABLE, Mistake, Problem, choose, quoted, toml_key

_AnyTable: TypeAlias = AgentPluginTable | PackagesTable | HookTable | ServerTable
#: First key -> the model of the tables below it; any other key has hooks below it.
_BELOW: Mapping[Any, type[_AnyTable]] = {"mcp": ServerTable, "packages": PackagesTable}

#: Type of a pydantic error -> the expected type in the words of TOML.
_EXPECTED = {
    "string_type": "a string",
    "list_type": "an array",
    "dict_type": "a table",
    "model_type": "a table",
    "float_type": "a number",
}
#: The first match counts: in Python a boolean is an integer.
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "a boolean"),
    (int, "an integer"),
    (float, "a float"),
    (str, "a string"),
    (list, "an array"),
    (dict, "a table"),
    ((date, time), "a date or time"),
)


def problems_of(error: ValidationError, table: Any) -> Iterator[Problem]:
    """Yield one problem per error of the validation of ``table``."""
    for item in error.errors(include_url=False):
        loc = tuple(part for part in item["loc"] if part != "[key]")
        where = toml_key(TABLE, *_path_in_file(loc, table))
        yield Problem(where, *_what_and_advice(item, loc))


def _path_in_file(loc: tuple[int | str, ...], value: Any) -> Iterator[int | str]:
    """Yield the path without the index 0 of a single table that counts as a list."""
    for part in loc:
        if isinstance(part, int) and not isinstance(value, list):
            continue
        yield part
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            value = None


def _what_and_advice(item: Any, loc: tuple[int | str, ...]) -> tuple[str, str]:
    kind, value = item["type"], item["input"]
    cause = item.get("ctx", {}).get("error")
    if isinstance(cause, Mistake):
        return cause.what, cause.advice
    if kind == "extra_forbidden":
        model = AgentPluginTable if len(loc) == 1 else _below(loc)
        return "unknown key", choose(str(loc[-1]), _keys(model))
    if kind == "literal_error":
        return f"unknown value {quoted(value)}", choose(str(value), _allowed(loc))
    expected = _EXPECTED.get(kind)
    if expected:
        return f"must be {expected}, got {kind_of(value)}", _example(loc, expected, value)
    return item["msg"], "see the reference of [tool.agent-plugin]"


def kind_of(value: Any) -> str:
    """Return the word of TOML for the type of a value."""
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "nothing")


def _below(loc: tuple[int | str, ...]) -> type[_AnyTable]:
    return _BELOW.get(loc[0], HookTable) if loc else HookTable


def _allowed(loc: tuple[int | str, ...]) -> tuple[str, ...]:
    """Return the words that a key accepts."""
    fields = _below(loc).model_fields.items()
    field = next(field for name, field in fields if loc[-1] in (field.alias, name))
    return get_args(field.annotation)


def _keys(model: type[_AnyTable]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _example(loc: tuple[int | str, ...], expected: str, value: Any) -> str:
    """Return the author's value in the right form if that is obvious, else the key's example."""
    if expected == "a string" and isinstance(value, (bool, int, float)):
        return f"write it in quotes: {quoted(str(value).lower())}"
    if expected == "a number" and isinstance(value, str):
        return "write a number of seconds without quotes, for example 10"
    examples = _examples(_below(loc))
    if loc[:1] == ("mcp",) and len(loc) <= 2:
        return 'for example: [tool.agent-plugin.mcp.acme] with command = "acme-mcp"'
    if loc == ("packages",):
        return 'for example: packages = { runner = "uvx" }'
    name = next((part for part in reversed(loc) if part in examples), None)
    if name == "hooks" or name is None:
        return 'for example: turn-end = [{ command = "./scripts/turn-end.sh" }]'
    return f"for example: {name} = {toml(examples[name])}"


def _examples(below: type[_AnyTable]) -> Mapping[int | str, Any]:
    found: dict[int | str, Any] = {"hooks": None}
    for model in (AgentPluginTable, below):
        for name, field in model.model_fields.items():
            if field.examples:
                found[field.alias or name] = field.examples[0]
    return found


def toml(value: Any) -> str:
    """Return a value as TOML, on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
