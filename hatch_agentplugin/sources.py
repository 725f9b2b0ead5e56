"""The digest of what a bundle is compiled from, to see that an editable install is stale.

Standard library only (tomli reads the TOML on Python 3.10).
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

#: Top-level names of a bundle that compiling writes; no file of the author may be in their place.
RESERVED = ("fire", "hooks.json", "hosts", "mcp.json", "plan.json", "plugin.json")


def digest(table: Mapping[str, Any], root: Path, files: Iterable[str]) -> str:
    """SHA-256 over ``[tool.agent-plugin]`` and the project's files that travel.

    The order of keys and files does not matter; a file that is gone counts as such.
    """
    total = hashlib.sha256(json.dumps(table, default=str, sort_keys=True).encode())
    hooks = table.get("hooks")
    for name in sorted([*files, *([hooks] if isinstance(hooks, str) else [])]):
        try:
            content = hashlib.sha256((root / origin(table, name)).read_bytes()).hexdigest()
        except OSError:
            content = "gone"
        total.update(f"\0{name}\0{content}".encode())
    return total.hexdigest()


def origin(table: Mapping[str, Any], name: str) -> str:
    """The project's path of a file of the bundle: skills, commands and rules may be moved."""
    top, _, rest = name.partition("/")
    source = table.get(top) if top in ("skills", "commands", "rules") else None
    if not isinstance(source, str):
        return name
    return source if top == "rules" else f"{source}/{rest}"


def is_stale(inputs: str, bundle: Path, root: Path) -> bool | None:
    """Whether the project in ``root`` has changed since ``bundle`` was compiled from it.

    ``inputs`` is the digest in the bundle's plan. None where there is no such project any more.
    Files that were added to an included folder are not noticed.
    """
    try:
        table = _table(root)
    except (OSError, ValueError):
        return None
    files = [
        Path(folder, name).relative_to(bundle).as_posix()
        for folder, _, names in os.walk(bundle)
        for name in names
    ]
    author = [name for name in files if name.partition("/")[0] not in RESERVED]
    return digest(table, root, author) != inputs


def _table(root: Path) -> Mapping[str, Any]:
    """``[tool.agent-plugin]`` as plain values. Raises OSError or ValueError."""
    text = (root / "pyproject.toml").read_text("utf-8")
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    document: dict[str, Any] = tomllib.loads(text)
    table: Mapping[str, Any] = document.get("tool", {}).get("agent-plugin", {})
    return table
