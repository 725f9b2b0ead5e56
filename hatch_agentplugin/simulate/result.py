"""The result of a simulated call, and its errors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Outcomes by importance: decisions first.
_BY_IMPORTANCE = (
    *("halt", "deny", "ask", "keep-going", "allow"),
    *("modify-input", "modify-output", "context", "message"),
)


class CannotSimulate(Exception):
    """The event does not fire on this host; the message says why."""


class HookFailed(Exception):
    """A hook has failed; the message names the hook, the event and the cause."""


@dataclass(frozen=True)
class Result:
    """The result that the host would see, and the steps that led to it."""

    host: str
    """Id of the host whose form the reply has."""
    event: str
    """Canonical event name."""
    native: str
    """The host's own name for the event."""
    payload: Any
    """The payload that was sent."""
    outcomes: Mapping[str, Any]
    """Outcome -> text or value, as the host gets it."""
    said: Mapping[str, Any]
    """Outcome -> text or value, before the outcomes were degraded."""
    degraded: Sequence[Mapping[str, str]]
    """Outcomes that the host can't express: ``outcome``, ``as`` (empty if dropped) and ``why``."""
    hooks: Sequence[Mapping[str, Any]]
    """Hooks that ran in Python: ``key``, and ``did`` or ``failed``, ``what`` and ``traceback``."""
    reply: str
    """Standard output."""
    stderr: str
    """Standard error: output of handlers, and reasons for hosts that read them there."""
    status: int
    """Exit status."""
    seconds: float
    """Wall time of the whole call."""
    note: str = ""
    """Why the dispatcher did not run."""

    @property
    def outcome(self) -> str:
        """The most important outcome: the decision if any; ``none`` if there is no outcome."""
        return next((name for name in _BY_IMPORTANCE if name in self.outcomes), "none")

    @property
    def reason(self) -> str | None:
        """The text of :attr:`outcome`."""
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
        """The tool input in place of the host's."""
        return self.outcomes.get("modify-input")

    @property
    def output(self) -> Any:
        """The tool output in place of the host's."""
        return self.outcomes.get("modify-output")

    @property
    def document(self) -> Any:
        """The reply as JSON; None if it is empty or plain text."""
        try:
            return json.loads(self.reply)
        except ValueError:
            return None

    def check(self) -> None:
        """Raise HookFailed if a hook has failed."""
        for hook in self.hooks:
            if "failed" in hook:
                where = f"{hook['key']}: {self.event} on {self.host}"
                detail = hook.get("traceback") or hook.get("what", "")
                raise HookFailed(f"{where}: {hook['failed']}: {detail}".rstrip())
