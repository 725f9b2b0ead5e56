"""One coding agent, whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hatch_agentplugin.hosts.content import Content
from hatch_agentplugin.hosts.delivery import Delivery, Dir, File, Format, Scope
from hatch_agentplugin.hosts.events import (
    Evidence,
    Matcher,
    Native,
    Run,
    Signature,
    Wire,
)
from hatch_agentplugin.hosts.package import HostPackage

_NO_MATCHER = Matcher(style="none")
_USUAL_RUN = Run()
_NO_WIRE = Wire(fields={})


@dataclass(frozen=True, kw_only=True)
class Detect:
    """How to see, without running it, that a host is on the machine."""

    binaries: Sequence[str] = ()
    dirs: Sequence[Dir] = ()


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A setting of the user's that keeps placed hooks from running."""

    files: Sequence[File]
    at: Sequence[str]
    is_: Any
    says: str
    format: Format = "json"


@dataclass(frozen=True, kw_only=True)
class Host:
    """One coding agent."""

    id: str
    name: str
    evidence: Evidence
    detect: Detect
    delivery: Delivery | None = None
    """None: the host has no hooks."""
    through: str = ""
    """Id of the host whose placement serves this one too (the same files, read by both)."""
    events: Mapping[str, Native | Sequence[Native]] = field(default_factory=dict)
    """Canonical event -> native event or events."""
    tools: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Selector -> native tool names; ``*`` stands for any text (``mcp__*``)."""
    matcher: Matcher = _NO_MATCHER
    run: Run = _USUAL_RUN
    wire: Wire = _NO_WIRE
    signatures: Sequence[Signature] = ()
    signatures_in: Mapping[str, Sequence[Signature]] = field(default_factory=dict)
    """Other signatures for the payloads that entries of one host id get (its own have them as well)."""
    also_reads: Mapping[str, Sequence[Scope]] = field(default_factory=dict)
    """Host id -> scopes whose hook files this host runs too."""
    after: Sequence[str] = ()
    """What the user must still do after activating, a sentence each."""
    after_project: Sequence[str] = ()
    """The same for project scope."""
    switches: Sequence[Switch] = ()
    native_only: Sequence[str] = ()
    """Native events without a canonical counterpart, for ``[tool.agent-plugin.native.<host>]``."""
    content: Content = field(default_factory=Content)
    """Where MCP servers, skills, commands and rules go."""
    package: HostPackage | None = None
    """The host's own plugin package."""
    bom: bool | None = None
    """Whether it reads a settings file that begins with a byte order mark; None: not tried."""
    note: str = ""

    def natives(self, event: str) -> tuple[Native, ...]:
        """The native events for a canonical one, the usual one first; empty when the host lacks it."""
        found = self.events.get(event, ())
        return (found,) if isinstance(found, Native) else tuple(found)
