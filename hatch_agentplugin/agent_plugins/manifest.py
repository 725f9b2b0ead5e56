"""Writes and reads ``plugin.json``, the manifest of Agent Plugins 1.0.0. Standard library only."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hatch_agentplugin.agent_plugins import hooks, mcp
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.plan import Plugin, dump
from hatch_agentplugin.problems import Problem

FILE = "plugin.json"
SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
#: Versions that are read; 1.1.0 adds a label and an icon.
KNOWN_SCHEMAS = (SCHEMA, SCHEMA.replace("1.0.0", "1.1.0"))
NAME = re.compile(r"(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?")
NAME_RULE = (
    "1 to 64 of a-z, 0-9, hyphen and period, a letter or digit first and last, no two hyphens or "
    "periods in a row"
)
MAX_BYTES = 1024 * 1024

_KEYS = ("$schema", "name", "version", "description", "author", "homepage", "repository",
         "license", "keywords", "extensions", "displayName", "icon")  # fmt: skip


class ManifestError(ValueError):
    """A ``plugin.json`` that cannot be used; the message is the reason."""


@dataclass(frozen=True, kw_only=True)
class About:
    """Metadata of ``[project]`` besides name, version and description; empty if missing."""

    author: str = ""
    email: str = ""
    homepage: str = ""
    repository: str = ""
    license: str = ""
    keywords: tuple[str, ...] = ()


def author_of(about: About) -> dict[str, str]:
    """Return the author as manifests write it; empty if there is none."""
    pairs = {"name": about.author, "email": about.email}
    return {key: value for key, value in pairs.items() if value}


# --- writing ---


def write(plugin: Plugin, about: About) -> bytes:
    """Return the manifest; a plugin's id is always a valid name."""
    document: dict[str, Any] = {
        "$schema": SCHEMA,
        "name": plugin.id,
        "version": plugin.version,
        "description": plugin.summary,
        "author": author_of(about),
        "homepage": about.homepage,
        "repository": about.repository,
        "license": about.license,
        "keywords": list(about.keywords),
    }
    return dump({key: value for key, value in document.items() if value})


# --- reading ---


def read(data: bytes) -> tuple[Plugin, list[str]]:
    """Return the plugin of a ``plugin.json``, and a note for each key that is ignored.

    Raises :class:`ManifestError`.
    """
    raw = _load(data)
    schema = raw.get("$schema")
    if schema not in KNOWN_SCHEMAS:
        raise ManifestError(
            f'{FILE}: $schema: must be "{SCHEMA}", got {schema!r:.100}; '
            "for a newer version update hatch-agentplugin"
        )
    name = raw.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ManifestError(f"{FILE}: name: {name!r:.100} is not a valid name; write {NAME_RULE}")
    texts = {}
    for key in ("version", "description"):
        value = raw.get(key, "")
        if not isinstance(value, str):
            raise ManifestError(f"{FILE}: {key}: must be a string")
        texts[key] = "".join(char if char.isprintable() else " " for char in value)[:256].strip()
    notes = [f"{FILE}: {key}: unknown key, ignored" for key in raw if key not in _KEYS]
    return Plugin(name, name, texts["version"] or "0", texts["description"]), notes


def _load(data: bytes) -> Mapping[str, Any]:
    if len(data) > MAX_BYTES:
        raise ManifestError(f"{FILE}: must not be larger than {MAX_BYTES} bytes")
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{FILE}: not valid JSON: {error}") from None
    if not isinstance(raw, dict):
        raise ManifestError(f"{FILE}: must be an object")
    return raw


@dataclass(frozen=True)
class Root:
    """The files of a root, and messages for the author."""

    files: Mapping[str, bytes]
    notes: tuple[str, ...] = ()
    """A line for everything that the format cannot express."""
    problems: tuple[Problem, ...] = ()
    """Everything that the format forbids."""


def portable_root(declaration: Declaration, about: About) -> Root:
    """Return ``plugin.json``, and ``mcp.json`` and ``hooks.json`` if they have content."""
    servers, left_out, problems = mcp.write(declaration.mcp)
    commands, not_portable = hooks.write(declaration.hooks)
    files = {
        FILE: write(declaration.plugin, about),
        mcp.FILE: servers,
        hooks.FILE: commands,
    }
    return Root(
        {name: data for name, data in files.items() if data is not None},
        (*not_portable, *left_out),
        tuple(problems),
    )
