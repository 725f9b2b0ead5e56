"""What comes of a simulated call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Decisions, then the other outcomes, the most telling first.
_TELLING = (
    *("halt", "deny", "ask", "keep-going", "allow"),
    *("modify-input", "modify-output", "context", "message"),
)


class CannotSimulate(Exception):
    """The event does not fire on this host at all; the text says why."""


class HookFailed(Exception):
    """A hook did not do as its event demands; the text names hook, event and what was wrong."""


@dataclass(frozen=True)
class Result:
    """What the host sees, and what led to it."""

    host: str
    event: str
    native: str
    """The host's own name of the event."""
    payload: Any
    """What was sent."""
    outcomes: Mapping[str, Any]
    """Outcome -> text or value, as it reaches the host."""
    said: Mapping[str, Any]
    """The same before anything was degraded."""
    degraded: Sequence[Mapping[str, str]]
    """What the host can't express: ``outcome``, what it became (``as``; empty: dropped), ``why``."""
    hooks: Sequence[Mapping[str, Any]]
    """Hooks that ran in Python: ``key``, and ``did`` or ``failed`` with ``what`` and ``traceback``."""
    reply: str
    """Standard output."""
    stderr: str
    """Standard error: what handlers print, and reasons for hosts that read it there."""
    status: int
    """Exit status."""
    seconds: float
    """Wall time of the whole call."""
    note: str = ""
    """Why nothing was called, or that no Python was needed."""

    @property
    def outcome(self) -> str:
        """The most telling outcome: a decision if there is one; ``none`` where nothing was said."""
        return next((name for name in _TELLING if name in self.outcomes), "none")

    @property
    def reason(self) -> str | None:
        """The text that goes with :attr:`outcome`."""
        found = self.outcomes.get(self.outcome)
        return found if isinstance(found, str) else None

    @property
    def context(self) -> str | None:
        """Text for the model."""
        return self.outcomes.get("context")

    @property
    def message(self) -> str | None:
        """Text for the user."""
        return self.outcomes.get("message")

    @property
    def input(self) -> Any:
        """The changed input."""
        return self.outcomes.get("modify-input")

    @property
    def output(self) -> Any:
        """The changed output."""
        return self.outcomes.get("modify-output")

    @property
    def document(self) -> Any:
        """The reply as JSON; None where it is silence or plain text."""
        try:
            return json.loads(self.reply)
        except ValueError:
            return None

    def check(self) -> None:
        """Raise :class:`HookFailed` if a hook has failed."""
        for hook in self.hooks:
            if "failed" in hook:
                where = f"{hook['key']}: {self.event} on {self.host}"
                detail = hook.get("traceback") or hook.get("what", "")
                raise HookFailed(f"{where}: {hook['failed']}: {detail}".rstrip())
