"""What a command did or would do, as rows that a command line or a program can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Done = Literal[
    "placed", "unchanged", "updated", "adopted", "removed", "kept", "gone", "skipped", "failed"
]


@dataclass(frozen=True)
class Row:
    """What happened to one placement, or to one host of a plugin."""

    plugin: str
    host: str
    scope: str
    state: Done
    """``kept`` is what the user has changed or removed: his word counts; ``gone`` was to be taken
    out and is no longer there; ``skipped`` does not exist here; ``failed`` was asked for."""
    events: tuple[str, ...] = ()
    path: str = ""
    note: str = ""
    commands: tuple[str, ...] = ()
    """The commands that the host will run."""
    project: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The row as a JSON object."""
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
    """One host or event can't be served; the message says why. The others go on."""
