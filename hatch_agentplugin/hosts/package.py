"""How a host's own plugin package looks, as data of its adapter.

In templates these strings stand for a value; a key whose value is empty is left out: ``$name``
``$version`` ``$semver`` (the version as a semantic one, where that can be) ``$description``
``$author`` (name and email) ``$homepage`` ``$repository`` ``$license`` ``$keywords`` ``$market`` (the
marketplace's name) ``$source`` (the package's folder) ``$module`` ``$entry`` (the code module's
path, where there is one) ``$skills`` ``$commands`` (their folders, where there are any).

Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hatch_agentplugin.hosts.files import Seen


@dataclass(frozen=True, kw_only=True)
class PackageServers:
    """Where a package names its MCP servers."""

    file: str
    """May be the manifest."""
    root: str
    """The package's folder in a server's values; empty: the host has no word for it."""
    folder: str = ""
    """The server's folder, to which ``root`` is a relative path; empty: it is none."""
    data: str = ""
    """The plugin's data folder there; empty: the host has no word for it."""
    remote: Mapping[str, str] = field(
        default_factory=lambda: {"streamable-http": "url", "sse": "url"}
    )
    """Transport -> key of the address."""
    types: Mapping[str, str] = field(
        default_factory=lambda: {"streamable-http": "http", "sse": "sse"}
    )
    """Transport -> value of ``type_key``; none where it is missing."""
    type_key: str = "type"


@dataclass(frozen=True, kw_only=True)
class WindowsCommand:
    """The command of an entry on Windows, where a host has a key for it."""

    key: str
    line: str
    """For the host's shell there, with ``$host`` and ``$slot``. Where it finds no launcher it ends
    with success."""
    other: str = ""
    """Key of the command for all other systems, where it is not the usual one."""


@dataclass(frozen=True, kw_only=True)
class HostPackage:
    """A host's plugin package."""

    manifest: str
    """Path of the manifest in the package."""
    fields: Mapping[str, Any]
    """Its template."""
    hooks: str = ""
    """Path of the file with the hooks; may be the manifest. Empty: they are a code module."""
    at: Sequence[str] | None = None
    """Path of an event's list in it, where it is not that of the user's settings."""
    root: str = ""
    """The package's folder in a hook's command, as the host fills it in, without quotes."""
    windows: WindowsCommand | None = None
    module: str = ""
    """Path of the code module, with ``$name``."""
    servers: PackageServers | None = None
    skills: str = "skills"
    """Folder of skills; empty: the package can't carry them."""
    commands: str = ""
    """Folder of Markdown commands; empty: the package can't carry them."""
    marketplace: str = ""
    """Path of the index beside the package; empty: the host has none."""
    index: Mapping[str, Any] = field(default_factory=dict)
    """Template of the index."""
    seen: Sequence[Seen] = ()
    install: str = ""
    """What a user runs to get it, with ``$name``, ``$market`` and DIR for the index's folder."""
