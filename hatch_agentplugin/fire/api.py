"""What a handler gets and what it may answer.

A handler is a function of one argument, an :class:`Event`. It returns None (nothing to say), an
outcome from this module, outcomes joined by ``|``, or the plain dict that they are::

    def guard(event: Event) -> Outcome | None:
        if event.selector == "shell" and "rm -rf /" in str(event.input):
            return deny("That would delete everything.") | message("Refused rm -rf /")
        return None

Importing this module imports nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False  # true for type checkers, without importing typing on the hook path
if TYPE_CHECKING:
    from typing import Any, Literal, TypedDict

    class Outcome(TypedDict, total=False):
        """Every key is optional; ``{}`` says the same as None."""

        decision: Literal["allow", "deny", "ask", "keep-going", "halt"]
        """What becomes of the call, the turn or the run."""
        reason: str
        """Why, for deny and keep-going told to the model, for ask and halt to the user."""
        context: str
        """Text that the model sees."""
        input: Any
        """The tool input that takes the place of the present one."""
        output: Any
        """What the model sees instead of the tool's output."""
        message: str
        """Text that the user sees."""

else:
    Outcome = dict


class Event:
    """One event of one host, normalised. What a host does not tell is None."""

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
    """Id of the host that runs the hook: ``claude-code``, ``cursor``, ..."""
    event: str
    """Canonical event name: ``pre-tool-use``."""
    native: str
    """The host's own name of the event: ``PreToolUse``."""
    session_id: str | None
    """The host's id of the session."""
    cwd: str | None
    """The folder the agent works in."""
    tool: str | None
    """The host's own name of the tool."""
    selector: str | None
    """The kind of tool: shell, file.read, file.write, mcp, agent or web."""
    input: Any
    """The tool's input, as changed by the handlers before this one."""
    output: Any
    """The tool's output, as changed by the handlers before this one."""
    prompt: str | None
    """What the user has typed."""
    reason: str | None
    """Why a session started or ended, a turn stopped or a compaction began."""
    error: str | None
    """What failed."""
    agent: str | None
    """Kind or name of the subagent."""
    message: str | None
    """Text of a notification, or the last answer of the agent."""
    call_id: str | None
    """The host's id of this tool call; the same before and after."""
    transcript: str | None
    """Path of the session's transcript."""
    stop_active: bool
    """The turn goes on only because a hook has kept it going."""
    raw: dict[str, Any]
    """The host's whole payload."""
    root: str
    """The plugin's own folder, ``${PLUGIN_ROOT}``."""
    data: str
    """A folder for the plugin's files on this machine, ``${PLUGIN_DATA}``."""

    def __init__(self, **values: Any) -> None:
        for name in self.__slots__:
            setattr(self, name, values.get(name))
        self.stop_active = bool(self.stop_active)

    def __repr__(self) -> str:
        said = [name for name in ("event", "host", "tool", "selector") if getattr(self, name)]
        return f"Event({', '.join(f'{name}={getattr(self, name)!r}' for name in said)})"


def allow() -> Outcome:
    """Let the call run without asking the user."""
    return {"decision": "allow"}


def deny(reason: str) -> Outcome:
    """Refuse; the model is told ``reason``."""
    return {"decision": "deny", "reason": reason}


def ask(reason: str) -> Outcome:
    """Let the user decide; ``reason`` is shown. A deny on hosts that can't ask."""
    return {"decision": "ask", "reason": reason}


def keep_going(reason: str) -> Outcome:
    """Do not stop yet: the model goes on and is told ``reason``. Bounded in rounds."""
    return {"decision": "keep-going", "reason": reason}


def halt(reason: str) -> Outcome:
    """End the run; the user is told ``reason``."""
    return {"decision": "halt", "reason": reason}


def context(text: str) -> Outcome:
    """Add ``text`` to what the model sees."""
    return {"context": text}


def message(text: str) -> Outcome:
    """Show ``text`` to the user."""
    return {"message": text}


def modify(input: Any) -> Outcome:
    """Run the tool with ``input``, which takes the place of the whole present input."""
    return {"input": input}


def modify_output(output: Any) -> Outcome:
    """Show the model ``output`` instead of the tool's own."""
    return {"output": output}
