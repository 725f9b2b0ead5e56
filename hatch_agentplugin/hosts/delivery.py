"""Where a host is told of a hook: folders and files, and the three kinds of delivery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, Union

Scope: TypeAlias = Literal["user", "project", "local", "managed"]
Format: TypeAlias = Literal["json", "jsonc", "toml", "yaml"]
Template: TypeAlias = "Mapping[str, Any]"


@dataclass(frozen=True)
class Dir:
    """A folder on the user's machine, as the host itself finds it."""

    default: str
    """``~/.claude`` (below the home folder), ``.claude`` (below the project) or absolute."""
    env: str | None = None
    """Variable of the host that moves the folder."""
    inside: str = ""
    """Path below what ``env`` names (``.gemini`` for GEMINI_CLI_HOME); empty: the folder itself."""
    windows: str | None = None
    """Default on Windows where it differs; ``%APPDATA%`` and the like are expanded."""
    macos: str | None = None
    """Default on macOS where it differs."""


@dataclass(frozen=True)
class File:
    """A file in a :class:`Dir`. ``path`` may hold ``{plugin}`` and ``{event}`` (native name)."""

    dir: Dir
    path: str
    windows: str | None = None
    """Path on Windows where it differs (another extension)."""


@dataclass(frozen=True, kw_only=True)
class Entries:
    """Hooks are entries in a document: one entry per event and plugin."""

    files: Mapping[Scope, Sequence[File]]
    """Per scope: the first is written; a further one instead where the user's hooks for the same
    event already live there (some hosts let one file mask the other)."""
    at: Sequence[str]
    """Path of the list the entry is appended to; ``$event`` and ``$plugin`` are filled in."""
    entry: Template
    format: Format = "json"
    document: Mapping[str, Any] = field(default_factory=dict)
    """Top-level keys that the host demands (``{"version": 1}``), added where missing."""
    own: bool = False
    """The file is ours alone (its name holds ``{plugin}``): written whole, removed whole."""
    second_at: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Another ``at`` for the file with this name, where it differs (Droid's settings.json)."""
    beside: Mapping[Scope, Sequence[Beside]] = field(default_factory=dict)
    """Further files of ours without which the host does not look at the hooks (a manifest)."""
    register: Mapping[Scope, Sequence[Register]] = field(default_factory=dict)
    """Values in the host's own settings that make it load our file."""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """A JSON file of ours; its path or folder holds ``{plugin}``, its value may hold ``$plugin``."""

    file: File
    value: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Executables:
    """Hooks are executables in a folder, one per event; ours is a small shell script."""

    files: Mapping[Scope, Sequence[File]]
    """Candidates in order; a name taken by a foreign file is never overwritten, the next is used."""


@dataclass(frozen=True, kw_only=True)
class Module:
    """Hooks are a code module made from a jinja2 template; it speaks the bridge dialect."""

    files: Mapping[Scope, Sequence[File]]
    """All files of the module, each rendered from the template of the same position."""
    package: str
    """The package with the folder ``templates``: ``__name__`` in the adapter's ``__init__.py``."""
    templates: Sequence[str]
    """Names of templates in that folder, one per file."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Constants for the template."""
    register: Mapping[Scope, Sequence[Register]] = field(default_factory=dict)
    """Keys to set in the host's own settings so that it loads the module."""


@dataclass(frozen=True, kw_only=True)
class Register:
    """A value placed in a settings file beside a module: a key, or an item of a list."""

    file: File
    at: Sequence[str]
    value: Any
    op: Literal["key", "item"] = "key"
    format: Format = "json"
    only_if_present: bool = False
    """For an item: only where the list exists already (an allow-list the user keeps)."""


#: How hooks get to a host.
Delivery: TypeAlias = Union[Entries, Executables, Module]
