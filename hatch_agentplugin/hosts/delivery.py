"""How hooks are delivered to a host: entries in a document, executables, or a code module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from hatch_agentplugin.words import DocumentFormat, ScopeName

Template: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Entries:
    """Hooks are entries in a document: one entry per event and plugin."""

    files: Mapping[ScopeName, Sequence[File]]
    """Candidates per scope. The first one is used, or a later one that already holds hooks of the
    user for the event (in some hosts one file masks the other)."""
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
    """Settings of the host that make it load our file."""


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
    """Settings of the host that make it load the module."""


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


#: The ways to deliver hooks to a host.
Delivery: TypeAlias = Entries | Executables | Module


@dataclass(frozen=True)
class Dir:
    """A folder."""

    default: str
    """``~/.claude`` (below the home folder), ``.claude`` (below the project) or absolute."""
    env: str | None = None
    """The host's environment variable that moves the folder."""
    inside: str = ""
    """Path below the folder that ``env`` names (``.gemini`` for GEMINI_CLI_HOME)."""
    windows: str | None = None
    """Default on Windows if it differs; ``%APPDATA%`` and the like are expanded."""
    macos: str | None = None
    """Default on macOS if it differs."""


@dataclass(frozen=True)
class File:
    """A file or folder in a :class:`Dir`."""

    dir: Dir
    path: str
    """In an adapter it may contain ``{plugin}`` and ``{event}`` (the native name)."""
    windows: str | None = None
    """Path on Windows if it differs (another extension)."""
    at: tuple[str, ...] | None = None
    """Path of the list of entries in this file if it differs from the usual one."""


@dataclass(frozen=True)
class Switch:
    """A setting of the user that keeps our hooks from running: ``at`` equals ``is_``."""

    files: tuple[File, ...]
    """Files that may have the setting."""
    at: tuple[str, ...]
    """Path of the key."""
    is_: Any
    """The value that switches hooks off."""
    says: str
    """A sentence for the user."""
    format: DocumentFormat = "json"


@dataclass(frozen=True)
class Seen:
    """Where the host records that a user has installed a plugin as a host package."""

    file: File
    """Without ``at``: a file or folder that exists with the package. Its path has ``{plugin}``, which
    the compiler fills in."""
    inside: str = ""
    """If given, ``file`` is a folder, and a folder in it contains this path, with ``{plugin}``."""
    at: tuple[str, ...] = ()
    """Path of a table whose keys are ``NAME`` or ``NAME@MARKETPLACE``, or of a list of sources or of
    objects with ``id`` or ``name``."""
    format: DocumentFormat = "json"
