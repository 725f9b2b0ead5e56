"""Write values as YAML: scalars as JSON does, containers as blocks of lines."""

from __future__ import annotations

import json
import re

from hatch_agentplugin.edit.model import Json

_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_UNPRINTABLE = "[\x7f-\x84\x86-\x9f\u2028\u2029\ufeff\ufffe\uffff]"

#: Words that at least one YAML parser does not read as strings.
_NOT_KEYS = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def write_inline(key: str | None, value: Json) -> str:
    """Return an element or, with a key, a member for a container in brackets or braces."""
    return _scalar(value) if key is None else f"{_scalar(key)}: {_scalar(value)}"


def write_lines(key: str | None, value: Json, indent: str) -> list[str]:
    """Return the lines of a list item or, with a key, of a member of a mapping."""
    lead = f"{indent}-" if key is None else f"{indent}{_key(key)}:"
    if not isinstance(value, (dict, list)) or not value:
        return [f"{lead} {_scalar(value)}"]
    inner = indent + "  "
    lines: list[str] = []
    if isinstance(value, dict):
        for name, content in value.items():
            lines += write_lines(name, content, inner)
    else:
        for content in value:
            lines += write_lines(None, content, inner)
    if key is None:
        return [f"{lead} {lines[0].lstrip(' ')}", *lines[1:]]
    return [lead, *lines]


def _key(key: str) -> str:
    return key if is_plain_key(key) else _scalar(key)


def _scalar(value: Json) -> str:
    text = _ENCODE(value)
    if text.isprintable():
        return text
    return re.sub(_UNPRINTABLE, lambda m: f"\\u{ord(m.group()):04x}", text)


def is_plain_key(key: str) -> bool:
    """Return whether every YAML parser reads an unquoted key as a string."""
    word = key.replace("-", "_")
    return (
        word.isascii()
        and word.isidentifier()
        and not key.startswith("-")
        and key.lower() not in _NOT_KEYS
    )
