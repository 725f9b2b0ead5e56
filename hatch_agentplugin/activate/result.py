"""The report of an operation: rows for people and programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Done = Literal[
    "placed", "unchanged", "updated", "adopted", "removed", "kept", "gone", "skipped", "failed"
]


@dataclass(frozen=True)
class Row:
    """The result for one placement, or for a plugin in one host."""

    plugin: str
    host: str
    scope: str
    state: Done
    """``kept``: the user has changed or removed it, and that is respected. ``gone``: it no longer
    existed when it was to be removed. ``skipped``: it does not apply here. ``failed``: it was
    requested, but was not possible."""
    events: tuple[str, ...] = ()
    path: str = ""
    note: str = ""
    commands: tuple[str, ...] = ()
    """The commands that the host runs."""
    project: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return {
            "plugin": self.plugin,
            "host": self.host,
            "scope": self.scope,
            "project": self.project,
            "state": self.state,
            "events": list(self.events),
            "path": self.path or None,
            "note": self.note or None,
            "commands": list(self.commands),
        }


class Refused(Exception):
    """One host or placement is not possible. The message says why; the others continue."""
