"""The vocabulary: events, tool selectors and outcomes, one table each.

Standard library only; read by the compiler, the command line and the tests. The hook path does
not import it: what it needs is compiled into the fire tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

ALLOW = "allow"
DENY = "deny"
ASK = "ask"
CONTEXT = "context"
MODIFY_INPUT = "modify-input"
MODIFY_OUTPUT = "modify-output"
KEEP_GOING = "keep-going"
HALT = "halt"
MESSAGE = "message"

#: Every outcome a handler can give, with what it means.
OUTCOMES: dict[str, str] = {
    ALLOW: "let the call run without asking the user",
    DENY: "refuse; the reason goes to the model",
    ASK: "let the user decide; the reason is shown",
    CONTEXT: "add text to what the model sees",
    MODIFY_INPUT: "run the tool with another input",
    MODIFY_OUTPUT: "show the model another tool output",
    KEEP_GOING: "do not stop yet; the reason goes to the model",
    HALT: "end the run",
    MESSAGE: "show a message to the user",
}


@dataclass(frozen=True)
class EventInfo:
    """One canonical event."""

    name: str
    """Kebab-case name, as written in ``[tool.agent-plugin.hooks]``."""
    meaning: str
    """When it fires, in one line."""
    outcomes: tuple[str, ...] = ()
    """What a handler may answer; anything else is an error naming event and outcome."""
    tool: bool = False
    """Whether the event is about one tool call, so tool selectors apply."""
    kind: str = "canonical"
    """``portable`` (nearly every host), ``canonical`` or ``extended`` (few hosts)."""
    aliases: tuple[str, ...] = ()
    """Other spellings, compared without case and punctuation."""


_EVENTS = (
    EventInfo("session-start", "a session begins or is resumed",
              (CONTEXT, HALT, MESSAGE), kind="portable",
              aliases=("SessionStart", "session/start", "sessionCreated", "TaskStart", "agentSpawn")),
    EventInfo("turn-start", "the user has submitted a prompt",
              (ALLOW, DENY, CONTEXT, HALT, MESSAGE), kind="portable",
              aliases=("UserPromptSubmit", "turn/start", "beforeSubmitPrompt", "userPromptSubmitted",
                       "PromptSubmit", "BeforeAgent", "prompt-submit", "user-prompt")),
    EventInfo("pre-tool-use", "a tool is about to run",
              (ALLOW, DENY, ASK, CONTEXT, MODIFY_INPUT, HALT, MESSAGE), tool=True, kind="portable",
              aliases=("PreToolUse", "tool/before", "beforeTool", "before-tool-use", "pre-tool",
                       "tool.execute.before", "preToolCall")),
    EventInfo("post-tool-use", "a tool has run",
              (CONTEXT, MODIFY_OUTPUT, HALT, MESSAGE), tool=True, kind="portable",
              aliases=("PostToolUse", "tool/after", "afterTool", "after-tool-use", "post-tool",
                       "tool.execute.after", "postToolCall")),
    EventInfo("turn-end", "the agent has answered and would stop",
              (KEEP_GOING, HALT, MESSAGE), kind="portable",
              aliases=("Stop", "turn/end", "agentStop", "AfterAgent", "session.idle", "TaskComplete")),
    EventInfo("session-end", "the session is over",
              (), kind="portable", aliases=("SessionEnd", "session/end", "SessionShutdown")),
    EventInfo("pre-compact", "the conversation is about to be compacted",
              (DENY, CONTEXT, HALT, MESSAGE), aliases=("PreCompact", "PreCompress", "before-compact")),
    EventInfo("post-compact", "the conversation has been compacted",
              (HALT, MESSAGE), aliases=("PostCompact", "PostCompaction", "after-compact")),
    EventInfo("notification", "the host notifies the user",
              (CONTEXT, MESSAGE), aliases=("Notification", "notify")),
    EventInfo("permission-request", "the host is about to ask the user for permission",
              (ALLOW, DENY, MODIFY_INPUT, HALT, MESSAGE), tool=True,
              aliases=("PermissionRequest", "permission.ask", "permission/request")),
    EventInfo("post-tool-use-failure", "a tool call has failed",
              (CONTEXT, MESSAGE), tool=True,
              aliases=("PostToolUseFailure", "tool/failure", "tool-error")),
    EventInfo("subagent-start", "a subagent begins",
              (ALLOW, DENY, CONTEXT, MESSAGE), aliases=("SubagentStart", "subagent/start")),
    EventInfo("subagent-stop", "a subagent has answered and would stop",
              (KEEP_GOING, HALT, MODIFY_OUTPUT, MESSAGE),
              aliases=("SubagentStop", "subagent/stop", "subagent-end")),
    EventInfo("permission-denied", "a permission was refused", (), tool=True, kind="extended",
              aliases=("PermissionDenied",)),
    EventInfo("stop-failure", "the turn ended by an error", (), kind="extended",
              aliases=("StopFailure", "errorOccurred", "TaskError")),
    EventInfo("file-change", "a watched file has changed", (), kind="extended",
              aliases=("FileChanged", "file-changed", "afterFileEdit")),
    EventInfo("config-change", "the host's settings have changed", (), kind="extended",
              aliases=("ConfigChange", "config-changed")),
    EventInfo("task-create", "a task was created", (), kind="extended",
              aliases=("TaskCreated", "TodoCreated")),
    EventInfo("task-complete", "a task was completed", (), kind="extended",
              aliases=("TaskCompleted", "TodoCompleted")),
    EventInfo("agent-idle", "a team-mate agent is about to go idle", (), kind="extended",
              aliases=("TeammateIdle",)),
    EventInfo("workspace-open", "a workspace was opened", (), kind="extended",
              aliases=("workspaceOpen",)),
    EventInfo("model-switch-before", "the model is about to be switched", (), kind="extended",
              aliases=("PreModelSwitch",)),
    EventInfo("model-switch-after", "the model was switched", (), kind="extended",
              aliases=("PostModelSwitch",)),
)  # fmt: skip

#: Canonical events by name, in the order of a session.
EVENTS: dict[str, EventInfo] = {event.name: event for event in _EVENTS}
PORTABLE_EVENTS = tuple(event.name for event in _EVENTS if event.kind == "portable")

#: Tool selectors that every adapter maps to its host's native tool names.
SELECTORS: dict[str, str] = {
    "shell": "runs a command",
    "file.read": "reads a file",
    "file.write": "creates, changes or deletes a file",
    "mcp": "calls a tool of an MCP server",
    "agent": "starts a subagent",
    "web": "fetches or searches the web",
}


def _fold(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())


_BY_SPELLING: dict[str, str] = {}
for _event in _EVENTS:
    for _spelling in (_event.name, *_event.aliases):
        _BY_SPELLING[_fold(_spelling)] = _event.name


def canonical_event(name: str) -> str | None:
    """The canonical event for any accepted spelling, or None when there is none."""
    return _BY_SPELLING.get(_fold(name))


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """The allowed name most like ``name``, for "did you mean", or None when none is near."""
    import difflib  # late: only mistakes need it

    by_fold = {_fold(choice): choice for choice in allowed}
    match = difflib.get_close_matches(_fold(name), by_fold, n=1, cutoff=0.6)
    return by_fold[match[0]] if match else None


def nearest_event(name: str) -> str | None:
    """The canonical event whose name or alias is most like ``name``."""
    import difflib

    match = difflib.get_close_matches(_fold(name), _BY_SPELLING, n=1, cutoff=0.6)
    return _BY_SPELLING[match[0]] if match else None
