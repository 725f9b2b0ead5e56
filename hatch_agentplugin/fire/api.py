"""The event that a handler receives and the outcomes that it can return.

A handler is a function with one argument, an :class:`Event`. It returns None (no outcome), an
outcome from this module, several outcomes joined by ``|``, or an equivalent plain dict::

    def guard(event: Event) -> Outcome | None:
        if event.selector == "shell" and "rm -rf /" in str(event.input):
            return deny("That would delete everything.") | message("Refused rm -rf /")
        return None

This module imports nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False  # true for type checkers, without importing typing on the hook path
if TYPE_CHECKING:
    from typing import Any, Literal, TypedDict

    class Outcome(TypedDict, total=False):
        """The answer of a handler. Every key is optional; ``{}`` means the same as None."""

        decision: Literal["allow", "deny", "ask", "keep-going", "halt"]
        """Whether the call, the turn or the run goes on."""
        reason: str
        """Why: shown to the model for deny and keep-going, to the user for ask and halt."""
        context: str
        """Text for the model."""
        input: Any
        """The tool input that replaces the current one."""
        output: Any
        """The output that the model sees in place of the tool's output."""
        message: str
        """Text for the user."""

else:
    Outcome = dict


class Event:
    """One event of one host, normalised. An attribute that the host does not send is None."""

    __slots__ = (
        "agent",
        "call_id",
        "cwd",
        "data",
        "error",
        "event",
        "host",
        "input",
        "message",
        "native",
        "output",
        "prompt",
        "raw",
        "reason",
        "root",
        "selector",
        "session_id",
        "stop_active",
        "tool",
        "transcript",
    )

    host: str
    """Id of the host that called the hook: ``claude-code``, ``cursor``, ..."""
    event: str
    """Canonical event name: ``pre-tool-use``."""
    native: str
    """The host's own name for the event: ``PreToolUse``."""
    session_id: str | None
    """The host's id for the session."""
    cwd: str | None
    """The folder that the agent works in."""
    tool: str | None
    """The host's own name for the tool."""
    selector: str | None
    """The kind of tool: shell, file.read, file.write, mcp, agent or web."""
    input: Any
    """The tool's input, as changed by the handlers before this one."""
    output: Any
    """The tool's output, as changed by the handlers before this one."""
    prompt: str | None
    """The user's prompt."""
    reason: str | None
    """Why the session started or ended, the turn ended or the compaction began."""
    error: str | None
    """The error of a failed tool call or turn."""
    agent: str | None
    """Kind or name of the subagent."""
    message: str | None
    """The text of a notification, or the agent's last answer."""
    call_id: str | None
    """The host's id for this tool call, the same before and after it."""
    transcript: str | None
    """Path of the session's transcript."""
    stop_active: bool
    """True if the turn continues only because a hook kept it going."""
    raw: dict[str, Any]
    """The host's payload as it was sent."""
    root: str
    """The plugin's own folder, ``${PLUGIN_ROOT}``."""
    data: str
    """A folder for the plugin's files on this machine, ``${PLUGIN_DATA}``."""

    def __init__(self, **values: Any) -> None:
        for name in self.__slots__:
            setattr(self, name, values.get(name))
        self.stop_active = bool(self.stop_active)

    def __repr__(self) -> str:
        known = [name for name in ("event", "host", "tool", "selector") if getattr(self, name)]
        return f"Event({', '.join(f'{name}={getattr(self, name)!r}' for name in known)})"


def allow() -> Outcome:
    """Let the call run without asking the user."""
    return {"decision": "allow"}


def deny(reason: str) -> Outcome:
    """Refuse the call and tell the model ``reason``."""
    return {"decision": "deny", "reason": reason}


def ask(reason: str) -> Outcome:
    """Show the user ``reason`` and let them decide. Denies on hosts that can't ask."""
    return {"decision": "ask", "reason": reason}


def keep_going(reason: str) -> Outcome:
    """Don't end the turn yet: the model continues and is told ``reason``, up to the turn limit."""
    return {"decision": "keep-going", "reason": reason}


def halt(reason: str) -> Outcome:
    """End the run and tell the user ``reason``."""
    return {"decision": "halt", "reason": reason}


def context(text: str) -> Outcome:
    """Give ``text`` to the model."""
    return {"context": text}


def message(text: str) -> Outcome:
    """Show ``text`` to the user."""
    return {"message": text}


def modify(input: Any) -> Outcome:
    """Run the tool with ``input``, which replaces its whole current input."""
    return {"input": input}


def modify_output(output: Any) -> Outcome:
    """Give the model ``output`` instead of the tool's own output."""
    return {"output": output}
