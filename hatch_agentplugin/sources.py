"""The digest of a bundle's sources, which tells whether an editable install is stale.

Standard library only, and tomli on Python 3.10.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Top-level names of a bundle that the compiler writes; files of the author cannot have them.
RESERVED = ("fire", "hooks.json", "hosts", "mcp.json", "plan.json", "plugin.json")


def read_table(root: Path) -> Mapping[str, Any] | None:
    """Return ``[tool.agent-plugin]`` of pyproject.toml unchecked, None if the project has none.

    Raises OSError if the file cannot be read, ValueError if it is not TOML.
    """
    document = tomllib.loads((root / "pyproject.toml").read_bytes().decode("utf-8"))
    tool = document.get("tool")
    table: Mapping[str, Any] | None = tool.get("agent-plugin") if isinstance(tool, dict) else None
    return table


def digest(table: Mapping[str, Any], root: Path, files: Iterable[str]) -> str:
    """Return the SHA-256 of ``[tool.agent-plugin]`` and of the project's files in the bundle.

    ``files`` are paths in the bundle. The order of keys and files does not matter; a missing file
    counts as missing.
    """
    total = hashlib.sha256(json.dumps(table, default=str, sort_keys=True).encode())
    hooks = table.get("hooks")
    for name in sorted([*files, *([hooks] if isinstance(hooks, str) else [])]):
        try:
            content = hashlib.sha256(
                (root / _path_in_project(table, name)).read_bytes()
            ).hexdigest()
        except OSError:
            content = "gone"
        total.update(f"\0{name}\0{content}".encode())
    return total.hexdigest()


def _path_in_project(table: Mapping[str, Any], name: str) -> str:
    """Return the path in the project of a file in the bundle.

    Skills, commands and rules may have another path there.
    """
    top, _, rest = name.partition("/")
    source = table.get(top) if top in ("skills", "commands", "rules") else None
    if not isinstance(source, str):
        return name
    return source if top == "rules" else f"{source}/{rest}"


def is_stale(inputs: str, bundle: Path, root: Path) -> bool | None:
    """Tell whether the project in ``root`` has changed since ``bundle`` was compiled from it.

    ``inputs`` is the digest in the bundle's plan. Returns None if the project cannot be read. Files
    added to an included folder are not noticed.
    """
    try:
        table = read_table(root) or {}
    except (OSError, ValueError):
        return None
    files = [
        Path(folder, name).relative_to(bundle).as_posix()
        for folder, _, names in os.walk(bundle)
        for name in names
    ]
    author = [name for name in files if name.partition("/")[0] not in RESERVED]
    return digest(table, root, author) != inputs
