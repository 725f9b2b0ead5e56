"""A checked declaration: what ``[tool.agent-plugin]`` says, as plain values for the compiler.

``config.py`` makes it from pyproject.toml; whatever else can be read as hooks makes the same.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hatch_agentplugin.plan import Plugin

#: Seconds a hook may take where it names no timeout.
DEFAULT_TIMEOUT = 30.0
#: How handlers run in the agents' own plugin packages.
Carried = Literal["python", "uvx"]


@dataclass(frozen=True, kw_only=True)
class Hook:
    """One declared hook: either ``handler`` or ``command`` is set."""

    key: str
    """TOML key below ``tool.agent-plugin``, e.g. ``hooks.pre-tool-use[1]`` (counted from 1)."""
    event: str
    """Canonical event name."""
    handler: str | None = None
    """``package.module:callable``."""
    command: str | None = None
    """One executable token: bare, or ``./``-relative and inside the plugin."""
    args: tuple[str, ...] = ()
    """May hold ``${PLUGIN_ROOT}`` and ``${PLUGIN_DATA}``, as may the values of ``env`` and ``cwd``."""
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    tools: tuple[str, ...] = ()
    """Selectors, or ``<host>:<Name>``; empty: every tool."""
    hosts: tuple[str, ...] = ()
    """Host ids; empty: every host."""
    timeout: float = DEFAULT_TIMEOUT
    """Seconds."""
    when: str | None = None
    """A path below the user's project that must exist."""
    on_error: Literal["allow", "deny"] = "allow"
    result: Literal["none", "context"] = "none"
    """``context``: what a command prints goes to the model, within bounds."""


@dataclass(frozen=True, kw_only=True)
class Server:
    """One declared MCP server: either ``command`` or ``url`` is set.

    Strings may hold ``${PLUGIN_ROOT}``, ``${PLUGIN_DATA}`` and ``${env:NAME}``.
    """

    name: str
    command: str | None = None
    """One executable token, as of a hook."""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    cwd_matters: bool = True
    """An agent without a key for the folder can't have the server. Not where a format has filled
    in the folder because the author has said nothing."""
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    transport: Literal["streamable-http", "sse"] = "streamable-http"
    hosts: tuple[str, ...] = ()
    """Host ids; empty: every host."""


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Everything an author declares."""

    plugin: Plugin
    hooks: tuple[Hook, ...]
    files: tuple[str, ...] = ()
    """Project-relative files that travel in the bundle at the same path (scripts)."""
    native: Mapping[str, Mapping[str, tuple[Any, ...]]] = field(default_factory=dict)
    """Host id -> native event -> verbatim entries."""
    mcp: tuple[Server, ...] = ()
    skills: tuple[str, ...] = ()
    """Files of skills in the bundle: ``skills/NAME/SKILL.md`` and what lies beside it."""
    commands: tuple[str, ...] = ()
    """``commands/NAME.md`` in the bundle."""
    rules: str | None = None
    """``rules/FILE`` in the bundle."""
    prebuilt: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Host id -> path in the host's folder -> file in the bundle."""
    executables: frozenset[str] = frozenset()
    """Those of ``prebuilt`` that can be executed."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """Path in the bundle -> path in the project, for what does not travel at its own path."""
    carrier: Carried = "python"
    """``python``: handlers are in the packages; ``uvx``: they come from the package index."""
