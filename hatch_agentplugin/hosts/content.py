"""Where a host has MCP servers, skills, commands and rules, as data beside its hooks.

Templates of servers are JSON values in which these strings stand for a value filled in later; a
key whose slot has no value is left out.

=====================  ============================================================
slot                   stands for
=====================  ============================================================
``$name``              the server's name
``$program`` ``$args``  the program, and the list of its arguments
``$argv``              program and arguments in one list
``$line``              program and arguments as one line for a shell
``$env`` ``$cwd``      variables and working folder of the program
``$url`` ``$headers``  address and headers of a remote server
=====================  ============================================================

Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from hatch_agentplugin.hosts.delivery import File, Scope
from hatch_agentplugin.hosts.events import Evidence

#: What may stand in the template of a server.
MCP_SLOTS = (
    "$name", "$program", "$args", "$argv", "$line", "$env", "$cwd", "$url", "$headers",
)  # fmt: skip
#: The columns of the report and the matrix that are no events; servers are ``mcp:<name>``.
KINDS = ("mcp", "skills", "commands", "rules")


def is_content(event: str) -> bool:
    """Whether a name in an event's place means content instead."""
    return event.partition(":")[0] in KINDS


@dataclass(frozen=True, kw_only=True)
class Mcp:
    """How a host is told of an MCP server."""

    files: Mapping[Scope, Sequence[File]]
    """Per scope the files that may hold it: the first that exists, else the first."""
    at: Sequence[str]
    """Path of the entry, with ``$name``; with ``as_list``, of the list."""
    stdio: Mapping[str, Any] | str | None = None
    """Entry of a local program; None: the host has no such servers."""
    http: Mapping[str, Any] | None = None
    """Entry of a remote server by streamable HTTP."""
    sse: Mapping[str, Any] | None = None
    """Entry of a remote server by server-sent events."""
    format: Literal["json", "jsonc", "toml", "yaml"] = "json"
    as_list: bool = False
    """Entries are items of a list, told apart by their key ``name``."""
    variable: str = ""
    """How a value names a variable of the user's, with ``NAME``: ``${env:NAME}``; empty: not."""
    evidence: Evidence | None = None
    """What this rests on; None: what the host does."""


@dataclass(frozen=True, kw_only=True)
class Content:
    """What a host takes besides hooks; an empty mapping says that no place is known."""

    mcp: Mcp | None = None
    skills: Mapping[Scope, File] = field(default_factory=dict)
    """Per scope the folder of ``NAME/SKILL.md`` trees."""
    commands: Mapping[Scope, File] = field(default_factory=dict)
    """Per scope the folder of ``NAME.md`` files."""
    command_suffix: str = ".md"
    """What command files end with there."""
    rules: Mapping[Scope, File] = field(default_factory=dict)
    """Per scope the file that gets a block of text; a file of our own if its path has ``{plugin}``."""
    mcp_from: Sequence[str] = ()
    """Ids of hosts whose servers this one lists as well."""
    evidence: Evidence | None = None
    """What skills, commands and rules rest on; None: what the host does."""
