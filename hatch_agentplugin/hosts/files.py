"""Folders, files and settings on the user's machine, as a host itself finds them.

Adapters describe them, plans carry them, ``activate`` resolves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hatch_agentplugin.words import DocumentFormat


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
    """Where it can be seen that a user has a plugin as the host's own package."""

    file: File
    """Without ``at``: a file or folder that exists with the package. Its path has ``{plugin}``, which
    the compiler fills in."""
    inside: str = ""
    """If given, ``file`` is a folder, and a folder in it contains this path, with ``{plugin}``."""
    at: tuple[str, ...] = ()
    """Path of a table whose keys are ``NAME`` or ``NAME@MARKETPLACE``, or of a list of sources or of
    objects with ``id`` or ``name``."""
    format: DocumentFormat = "json"
