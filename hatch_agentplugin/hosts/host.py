"""Everything about one coding agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hatch_agentplugin.hosts.content import Content
from hatch_agentplugin.hosts.delivery import Delivery, Dir, Switch
from hatch_agentplugin.hosts.events import Evidence, Matcher, Native, Run, Signature, Wire
from hatch_agentplugin.hosts.package import HostPackage
from hatch_agentplugin.words import ScopeName

_NO_MATCHER = Matcher(style="none")
_USUAL_RUN = Run()
_NO_WIRE = Wire(fields={})
_NO_CONTENT = Content()


@dataclass(frozen=True, kw_only=True)
class Detect:
    """How a host is detected on a machine without running it."""

    binaries: Sequence[str] = ()
    """Names of programs, one of which is on the PATH."""
    dirs: Sequence[Dir] = ()
    """Folders, one of which exists."""


@dataclass(frozen=True, kw_only=True)
class Host:
    """One coding agent."""

    id: str
    """Lower-case letters, digits and hyphens; the name of the adapter's entry point."""
    name: str
    """The vendor's name for it."""
    evidence: Evidence
    """The evidence for this description, unless a part has its own."""
    detect: Detect
    delivery: Delivery | None = None
    """How hooks get to the host; None: it has no hooks."""
    through: str = ""
    """Id of the host whose placements serve this one too (both read the same files)."""
    events: Mapping[str, Native | Sequence[Native]] = field(default_factory=dict)
    """Canonical event -> native event or events."""
    tools: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Selector -> native tool names; ``*`` stands for any text (``mcp__*``)."""
    matcher: Matcher = _NO_MATCHER
    run: Run = _USUAL_RUN
    wire: Wire = _NO_WIRE
    signatures: Sequence[Signature] = ()
    """Signatures of payloads from this host."""
    signatures_in: Mapping[str, Sequence[Signature]] = field(default_factory=dict)
    """Host id -> other signatures for entries of that host, whose own payloads have the usual ones."""
    also_reads: Mapping[str, Sequence[ScopeName]] = field(default_factory=dict)
    """Host id -> scopes whose hook files this host also runs."""
    after: Sequence[str] = ()
    """Steps left to the user after activating, one sentence each."""
    after_project: Sequence[str] = ()
    """The same for the project scope only."""
    switches: Sequence[Switch] = ()
    """Settings of the user that keep hooks from running."""
    native_only: Sequence[str] = ()
    """Native events without a canonical one, for ``[tool.agent-plugin.native.<host>]``."""
    content: Content = _NO_CONTENT
    """Where MCP servers, skills, commands and rules go."""
    package: HostPackage | None = None
    """The host's own plugin package."""
    bom: bool | None = None
    """The host reads a settings file that begins with a byte order mark; None: not tried."""
    note: str = ""
    """A sentence for the user."""

    def natives(self, event: str) -> tuple[Native, ...]:
        """Return the native events of a canonical one, the usual one first; empty if it has none."""
        found = self.events.get(event, ())
        return (found,) if isinstance(found, Native) else tuple(found)
