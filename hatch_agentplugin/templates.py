"""Fills JSON templates and the placeholders in texts; lists the strings of a JSON value.

Standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hatch_agentplugin.words import PLUGIN_DATA, PLUGIN_ROOT

_ABSENT = object()


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """Return a template with its placeholders replaced by their values.

    A string that is a placeholder becomes its value, of whatever type; in a longer string, values
    that are strings are inserted. A key or an item whose placeholder stands for None is left out, and
    so is an object or a list that has nothing left.
    """
    filled = _fill(template, values)
    return type(template)() if filled is _ABSENT else filled


def _fill(template: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(template, str):
        value = _fill_string(template, values)
        return _ABSENT if value is None else value
    if isinstance(template, Mapping):
        pairs = {key: _fill(item, values) for key, item in template.items()}
        kept: Any = {key: item for key, item in pairs.items() if item is not _ABSENT}
    elif isinstance(template, Sequence):
        items = [_fill(item, values) for item in template]
        kept = [item for item in items if item is not _ABSENT]
    else:
        return template
    return kept if kept or not template else _ABSENT


def _fill_string(text: str, values: Mapping[str, Any]) -> Any:
    if text in values:
        return values[text]
    inserted = {name: value for name, value in values.items() if isinstance(value, str)}
    if "$" not in text or not inserted:
        return text
    longest_first = sorted(map(re.escape, inserted), key=len, reverse=True)
    found = re.compile(f"(?:{'|'.join(longest_first)})(?![a-z])")
    return found.sub(lambda match: inserted[match[0]], text)


def fill_folders(text: str, root: str, data: str) -> str:
    """Return a text with ``${PLUGIN_ROOT}`` and ``${PLUGIN_DATA}`` replaced."""
    return text.replace(PLUGIN_ROOT, root).replace(PLUGIN_DATA, data)


def strings(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value, but no key."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, Sequence)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from strings(item)


def map_strings(value: Any, change: Callable[[str], Any]) -> Any:
    """Return a JSON value with every string replaced by what ``change`` returns for it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: map_strings(item, change) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [map_strings(item, change) for item in value]
    return value
