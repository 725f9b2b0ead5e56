"""The declaration: a checked ``[tool.agent-plugin]`` as plain values for the compiler.

``config`` makes it from pyproject.toml, ``agent_plugins`` from a folder in the public format.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from hatch_agentplugin.plan import Plugin

#: Seconds that a hook without a timeout may take.
DEFAULT_TIMEOUT = 30.0
#: What runs handlers in the hosts' own plugin packages.
RunnerName: TypeAlias = Literal["python", "uvx"]


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
    """One executable: a bare name, or a ``./`` path inside the plugin."""
    args: tuple[str, ...] = ()
    """May contain ``${PLUGIN_ROOT}`` and ``${PLUGIN_DATA}``, like the values of ``env`` and ``cwd``."""
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    tools: tuple[str, ...] = ()
    """Selectors, or ``<host>:<Name>`` for a native tool; empty: every tool."""
    hosts: tuple[str, ...] = ()
    """Host ids; empty: every host."""
    timeout: float = DEFAULT_TIMEOUT
    """Seconds."""
    when: str | None = None
    """A path below the user's project; the hook runs only if it exists."""
    on_error: Literal["allow", "deny"] = "allow"
    """The answer if a handler fails or exceeds its timeout."""
    result: Literal["none", "context"] = "none"
    """``context``: the output of a command goes to the model, up to a limit."""


@dataclass(frozen=True, kw_only=True)
class Server:
    """One declared MCP server: either ``command`` or ``url`` is set.

    Strings may contain ``${PLUGIN_ROOT}``, ``${PLUGIN_DATA}`` and ``${env:NAME}``.
    """

    name: str
    command: str | None = None
    """One executable, as in a hook."""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    cwd_matters: bool = True
    """A host that has no key for the working folder cannot have the server. False if ``cwd`` is only
    the default of a format."""
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
    """Files of the project that go into the bundle at the same path."""
    native: Mapping[str, Mapping[str, tuple[Any, ...]]] = field(default_factory=dict)
    """Host id -> native event -> entries that are placed unchanged."""
    mcp: tuple[Server, ...] = ()
    skills: tuple[str, ...] = ()
    """Files of skills in the bundle: ``skills/NAME/SKILL.md`` and other files of the skill."""
    commands: tuple[str, ...] = ()
    """``commands/NAME.md`` in the bundle."""
    rules: str | None = None
    """``rules/FILE`` in the bundle."""
    prebuilt: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Host id -> path in the host's folder -> file in the bundle."""
    executables: frozenset[str] = frozenset()
    """The files of ``prebuilt`` that are executable."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """Path in the bundle -> path in the project, for skills, commands and rules."""
    runner: RunnerName = "python"
    """``python``: host packages contain the handlers; ``uvx``: they come from the package index."""
