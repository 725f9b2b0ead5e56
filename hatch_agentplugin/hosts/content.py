"""The places where a host reads MCP servers, skills, commands and rules.

The template of a server is a JSON value with placeholders. A key whose placeholder has no value is
left out.

======================  ============================================================
placeholder             value
======================  ============================================================
``$name``               the server's name
``$program`` ``$args``  the program, and the list of its arguments
``$argv``               program and arguments in one list
``$line``               program and arguments as one line for a shell
``$env`` ``$cwd``       environment variables and working folder of the program
``$url`` ``$headers``   address and headers of a remote server
======================  ============================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hatch_agentplugin.hosts.delivery import File
from hatch_agentplugin.hosts.events import Evidence
from hatch_agentplugin.words import DocumentFormat, ScopeName


@dataclass(frozen=True, kw_only=True)
class Mcp:
    """How MCP servers are written in a host's settings."""

    files: Mapping[ScopeName, Sequence[File]]
    """Per scope the candidates: the first one that exists, or else the first."""
    at: Sequence[str]
    """Path of the entry, with ``$name``; with ``as_list`` the path of the list."""
    stdio: Mapping[str, Any] | str | None = None
    """Template of a local program; None: the host has no such servers."""
    http: Mapping[str, Any] | None = None
    """Template of a remote server with streamable HTTP; None: the host has no such servers."""
    sse: Mapping[str, Any] | None = None
    """Template of a remote server with server-sent events; None: the host has no such servers."""
    format: DocumentFormat = "json"
    as_list: bool = False
    """Entries are items of a list, told apart by their key ``name``."""
    variable: str = ""
    """Syntax for an environment variable NAME of the user, such as ``${env:NAME}``; empty: the host
    has none."""
    evidence: Evidence | None = None
    """The evidence for this; None: the host's evidence."""


@dataclass(frozen=True, kw_only=True)
class Content:
    """The content that a host reads besides hooks; an empty mapping: no file or folder is known."""

    mcp: Mcp | None = None
    skills: Mapping[ScopeName, File] = field(default_factory=dict)
    """Per scope the folder of ``NAME/SKILL.md`` trees."""
    commands: Mapping[ScopeName, File] = field(default_factory=dict)
    """Per scope the folder of ``NAME.md`` files."""
    command_suffix: str = ".md"
    """Extension of command files."""
    rules: Mapping[ScopeName, File] = field(default_factory=dict)
    """Per scope the file that gets a block of text, or a file of our own if its path has
    ``{plugin}``."""
    mcp_from: Sequence[str] = ()
    """Ids of hosts whose MCP servers this host also reads."""
    evidence: Evidence | None = None
    """The evidence for skills, commands and rules; None: the host's evidence."""
