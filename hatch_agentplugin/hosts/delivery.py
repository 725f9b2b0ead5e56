"""How a host gets to know of a hook: entries in a document, executables, or a code module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from hatch_agentplugin.hosts.files import File
from hatch_agentplugin.words import DocumentFormat, ScopeName

Template: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Entries:
    """Hooks are entries in a document: one entry per event and plugin."""

    files: Mapping[ScopeName, Sequence[File]]
    """Per scope the candidates. The first one is used, but a later one if the user's hooks for the
    event are there already (some hosts let one file mask the other)."""
    at: Sequence[str]
    """Path of the list of entries; ``$event`` and ``$plugin`` are filled in."""
    entry: Template
    """Template of an entry."""
    format: DocumentFormat = "json"
    document: Template = field(default_factory=dict)
    """Top-level keys that the host requires (``{"version": 1}``); missing ones are added."""
    own: bool = False
    """The file is ours alone (its path has ``{plugin}``): written whole, removed whole."""
    beside: Mapping[ScopeName, Sequence[Beside]] = field(default_factory=dict)
    """More files of ours that the host needs before it reads the hooks (a manifest)."""
    register: Mapping[ScopeName, Sequence[Register]] = field(default_factory=dict)
    """Values in the host's settings that make it load our file."""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """A JSON file of ours."""

    file: File
    """Its path or folder has ``{plugin}``."""
    value: Template
    """The document; ``$plugin`` is filled in."""


@dataclass(frozen=True, kw_only=True)
class Executables:
    """Hooks are executables in a folder, one per event; ours is a small shell script."""

    files: Mapping[ScopeName, Sequence[File]]
    """Per scope the candidates. The first path without a foreign file is used."""


@dataclass(frozen=True, kw_only=True)
class Module:
    """Hooks are a code module, rendered from jinja2 templates; it speaks the bridge dialect.

    Templates may include ``_bridge.js.j2``, which calls the launcher.
    """

    files: Mapping[ScopeName, Sequence[File]]
    """Per scope the files of the module, in the order of ``templates``."""
    package: str
    """The package with the folder ``templates``: ``__name__`` in the adapter's ``__init__.py``."""
    templates: Sequence[str]
    """Names of templates in that folder, one per file."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Constants for the templates."""
    register: Mapping[ScopeName, Sequence[Register]] = field(default_factory=dict)
    """Values in the host's settings that make it load the module."""


@dataclass(frozen=True, kw_only=True)
class Register:
    """A value in a settings file of the host: a key, or an item of a list."""

    file: File
    at: Sequence[str]
    """Path of the key or the list; ``$plugin`` is filled in."""
    value: Any
    """``$plugin`` is filled in."""
    op: Literal["key", "item"] = "key"
    format: DocumentFormat = "json"
    only_if_present: bool = False
    """For an item: only if the list exists (an allow-list of the user)."""


#: How hooks get to a host.
Delivery: TypeAlias = Entries | Executables | Module
