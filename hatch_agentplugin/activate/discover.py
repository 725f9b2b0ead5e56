"""Discovers installed plugins by their markers, without importing any of their code.

A wheel carries ``<dist-info>/extra_metadata/agent-plugin/plugin.json``::

    {"format": 1, "id": "acme", "name": "acme", "version": "1.0", "bundle": "acme_agent_plugin"}

where ``bundle`` is a folder beside the dist-info folder.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from hatch_agentplugin.names import is_id
from hatch_agentplugin.plan import Plan, PlanError

FORMAT = 1
MARKER = ("extra_metadata", "agent-plugin", "plugin.json")

_MAX_MARKER = 64 * 1024


@dataclass(frozen=True)
class Installed:
    """One installed plugin."""

    id: str
    name: str
    version: str
    bundle: Path
    """The bundle folder; an upgrade of the plugin does not move it."""
    source: Path | None = None
    """The project's folder, for an editable install: its bundle is as old as the install."""

    def plan(self) -> Plan:
        """Read the plugin's plan. Raises PlanError, also if it belongs to another plugin."""
        path = self.bundle / "plan.json"
        try:
            if path.is_symlink() or not path.is_file():
                raise PlanError("", f"{path} is not a file")
            plan = Plan.read(self.bundle)
        except OSError as error:
            raise PlanError("", f"{path}: {error.strerror or error}") from None
        if plan.plugin.id != self.id:
            raise PlanError(
                "plugin.id", f"{plan.plugin.id!r} is not {self.id!r}, as its marker says"
            )
        return plan


def is_gone(bundle: str) -> bool:
    """Return whether a plugin's package is gone; one that cannot be reached may still exist."""
    try:
        os.stat(os.path.join(bundle, "plan.json"))
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


@dataclass(frozen=True)
class BadMarker:
    """A marker that cannot be used."""

    path: Path
    reason: str


def discover(paths: Iterable[str] | None = None) -> tuple[list[Installed], list[BadMarker]]:
    """Return the installed plugins sorted by id, and the markers that cannot be used.

    `paths` are the folders to search, by default those of ``sys.path`` without the working folder.
    Of two plugins with one id the first on the path counts, which is the one that Python imports.
    """
    found: dict[str, Installed] = {}
    bad: list[BadMarker] = []
    for site in _import_path() if paths is None else paths:
        for marker in _markers(site):
            try:
                plugin = _read(Path(site), marker)
            except (OSError, ValueError, RecursionError) as error:
                bad.append(BadMarker(marker, str(error)))
                continue
            found.setdefault(plugin.id, plugin)
    return [found[name] for name in sorted(found)], bad


def _import_path() -> Iterator[str]:
    """Yield ``sys.path`` without the working folder, which may hold code of a stranger."""
    try:
        here = os.stat(os.getcwd())
    except OSError:  # it was removed
        here = None
    for path in dict.fromkeys(sys.path):
        if path and (path.endswith("-packages") or not _is(path, here)):
            yield path


def _is(path: str, folder: os.stat_result | None) -> bool:
    try:
        return folder is not None and os.path.samestat(os.stat(path), folder)
    except OSError:
        return False


def _markers(site: str) -> Iterator[Path]:
    try:
        names = os.listdir(site or ".")
    except OSError:
        return
    for name in sorted([name for name in names if name.endswith(".dist-info")]):
        marker = Path(site, name, *MARKER)
        if marker.exists():
            yield marker


def _read(site: Path, marker: Path) -> Installed:
    with open(marker, "rb") as file:
        data = file.read(_MAX_MARKER + 1)
    if len(data) > _MAX_MARKER:
        raise ValueError("too large")
    raw = json.loads(data.decode("utf-8"))
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise ValueError("not a marker of format 1; update hatch-agentplugin")
    bundle = _text(raw, "bundle", _is_bundle)
    folder = site / bundle
    if folder.is_symlink() or not folder.is_dir():
        raise ValueError(f"the bundle {bundle} is not a folder beside it")
    return Installed(
        id=_text(raw, "id", is_id),
        name=_text(raw, "name", None),
        version=_text(raw, "version", None),
        bundle=Path(os.path.abspath(folder)),
        source=_editable_source(marker.parents[2] / "direct_url.json"),
    )


def _editable_source(record: Path) -> Path | None:
    """Return the project folder of an editable install, None for any other install."""
    try:
        url = json.loads(record.read_bytes())
        if url["dir_info"]["editable"] is not True:
            return None
        return Path(url2pathname(urlsplit(url["url"]).path))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_bundle(name: str) -> bool:
    """Return whether a name is a package name that every system can have."""
    return name.isascii() and name.isidentifier() and len(name) <= 128


def _text(raw: dict[str, Any], key: str, is_plain: Callable[[str], bool] | None) -> str:
    value = raw.get(key)
    if not isinstance(value, str) or not value or len(value) > 256:
        raise ValueError(f"{key} is missing or not a string")
    if any(ord(char) < 32 or 127 <= ord(char) < 160 for char in value):
        raise ValueError(f"{key} holds control characters")
    if is_plain is not None and not is_plain(value):
        raise ValueError(f"{key} {value!r} is not a plain name")
    return value
