"""The plugin package of a host, for its own marketplace or plugin folder.

Templates of manifests and indexes have these placeholders; a key with an empty value is left out.

==============================  ========================================================
placeholder                     value
==============================  ========================================================
``$name`` ``$version``          from the project
``$semver``                     the version as a semantic version, if it can be one
``$description``                from the project
``$author``                     an object with name and email
``$homepage`` ``$repository``   from the project's URLs
``$license`` ``$keywords``      from the project
``$market``                     name of the marketplace
``$source``                     folder of the package
``$module`` ``$entry``          path of the code module
``$skills`` ``$commands``       their folders
==============================  ========================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hatch_agentplugin.hosts.delivery import Seen


@dataclass(frozen=True, kw_only=True)
class PackageServers:
    """How a package names its MCP servers."""

    file: str
    """Path of the file with the servers; may be the manifest."""
    root: str
    """How a server's values refer to the package's folder; empty: they cannot."""
    folder: str = ""
    """The servers' working folder, if ``root`` is relative to it."""
    data: str = ""
    """How a server's values refer to the plugin's data folder; empty: they cannot."""
    remote: Mapping[str, str] = field(
        default_factory=lambda: {"streamable-http": "url", "sse": "url"}
    )
    """Transport -> key of the address."""
    types: Mapping[str, str] = field(
        default_factory=lambda: {"streamable-http": "http", "sse": "sse"}
    )
    """Transport -> value of ``type_key``; a missing transport has no such key."""
    type_key: str = "type"
    """Key of the transport."""


@dataclass(frozen=True, kw_only=True)
class WindowsCommand:
    """A hook's command on Windows, for hosts with a key for it."""

    key: str
    """Key of the command."""
    line: str
    """A line for the host's shell on Windows, with ``$host`` and ``$slot``. It succeeds if the
    launcher is missing."""
    other: str = ""
    """Key of the command on other systems if it is not the usual one."""


@dataclass(frozen=True, kw_only=True)
class HostPackage:
    """A host's plugin package. All paths are relative to it."""

    manifest: str
    """Path of the manifest."""
    fields: Mapping[str, Any]
    """Template of the manifest."""
    hooks: str = ""
    """Path of the file with the hooks; may be the manifest. Empty: hooks are a code module."""
    at: Sequence[str] | None = None
    """Path of an event's list in that file if it differs from the user's settings."""
    root: str = ""
    """How a hook's command refers to the package's folder, without quotes."""
    windows: WindowsCommand | None = None
    module: str = ""
    """Path of the code module, with ``$name``."""
    servers: PackageServers | None = None
    skills: str = "skills"
    """Folder of skills; empty: the package cannot contain any."""
    commands: str = ""
    """Folder of Markdown commands; empty: the package cannot contain any."""
    marketplace: str = ""
    """Path of the index beside the package; empty: the host has none."""
    index: Mapping[str, Any] = field(default_factory=dict)
    """Template of the index."""
    seen: Sequence[Seen] = ()
    """Where the host records that a user has installed the package."""
    install: str = ""
    """Instructions to install it, with ``$name``, ``$market`` and DIR for the index's folder."""
