"""Write keys, values and tables as TOML."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hatch_agentplugin.edit.model import DocumentError, Json, Path

_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write_key(path: Path) -> str:
    """Return a dotted key as text."""
    return ".".join(key if is_bare_key(key) else write(key) for key in path)


def write(value: Json) -> str:
    """Return a value as inline text. Raises DocumentError for null: TOML has none."""
    if value is None:
        raise DocumentError("TOML has no null")
    if isinstance(value, dict):
        pairs = ", ".join(f"{write_key((key,))} = {write(child)}" for key, child in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(write, value))}]"
    return _ENCODE(value).replace("\x7f", "\\u007f")


def write_table(path: Path, table: dict[str, Json], array: bool) -> Iterator[str]:
    """Yield the lines of a table: first its own pairs, then the tables inside."""
    yield f"[[{write_key(path)}]]" if array else f"[{write_key(path)}]"
    inner: list[tuple[str, dict[str, Json], bool]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            inner.append((key, value, False))
        elif isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            inner += [(key, child, True) for child in value if isinstance(child, dict)]
        else:
            yield f"{write_key((key,))} = {write(value)}"
    for key, child, is_array in inner:
        yield ""
        yield from write_table((*path, key), child, is_array)


def is_bare_key(key: str) -> bool:
    """Return whether a key needs no quotes."""
    return key.isascii() and key.replace("-", "_").replace("_", "a").isalnum()
