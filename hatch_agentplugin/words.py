"""The vocabulary: events, outcomes, selectors, scopes, formats and placeholders, one table each.

The package ``fire`` does not import it: everything that a firing needs is compiled into the fire
tables. Standard library only.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from hatch_agentplugin.names import fold

# --- scopes, formats and forms ---

#: Whose files a placement goes into.
ScopeName: TypeAlias = Literal["user", "project", "local", "managed"]
SCOPES: tuple[ScopeName, ...] = get_args(ScopeName)

#: Formats of the documents in which a host reads hooks and servers.
DocumentFormat: TypeAlias = Literal["json", "jsonc", "toml", "yaml"]
DOCUMENT_FORMATS: tuple[DocumentFormat, ...] = get_args(DocumentFormat)
#: Formats of all files that are edited; ``text`` is a block in a file such as AGENTS.md.
Format: TypeAlias = Literal[DocumentFormat, "text"]
FORMATS: tuple[Format, ...] = get_args(Format)

#: How an entry starts the launcher: as a line for a shell, an argument list, words that are split
#: without a shell, the path of a script, or the placed file itself.
Form: TypeAlias = Literal["sh", "argv", "words", "path", "file"]
#: The shell that runs a host's commands on Windows.
WindowsShell: TypeAlias = Literal["cmd", "powershell", "bash", "none"]

#: How well a host serves an event, from the best state to the worst.
State: TypeAlias = Literal["native", "approximated", "filtered", "skipped"]
STATES: tuple[State, ...] = get_args(State)

#: Content besides hooks. Reports list it in the column of events, and each server as
#: ``mcp:<name>``.
CONTENT_KINDS = ("mcp", "skills", "commands", "rules")


def is_content(event: str) -> bool:
    """Tell whether a name in a report's event column is content and not an event."""
    return event.partition(":")[0] in CONTENT_KINDS


# --- placeholders ---

#: In texts of authors: the bundle's folder, and the plugin's folder for data.
PLUGIN_ROOT = "${PLUGIN_ROOT}"
PLUGIN_DATA = "${PLUGIN_DATA}"
FOLDERS = (PLUGIN_ROOT, PLUGIN_DATA)
#: In texts of MCP servers: a variable of the user's environment; group 1 is its name.
USER_VARIABLE = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")

#: In templates of hook entries.
ENTRY_PLACEHOLDERS = ("$command", "$event", "$matcher", "$timeout", "$plugin", "$id")
#: In templates of replies.
REPLY_PLACEHOLDERS = (
    "$reason", "$text", "$input", "$output", "$output-text", "$event", "$plugin",
)  # fmt: skip
#: In templates of MCP servers.
SERVER_PLACEHOLDERS = (
    "$name", "$program", "$args", "$argv", "$line", "$env", "$cwd", "$url", "$headers",
)  # fmt: skip

# --- outcomes ---

ALLOW = "allow"
DENY = "deny"
ASK = "ask"
CONTEXT = "context"
MODIFY_INPUT = "modify-input"
MODIFY_OUTPUT = "modify-output"
KEEP_GOING = "keep-going"
HALT = "halt"
MESSAGE = "message"

#: Every outcome that a handler can give -> its meaning.
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


# --- events ---


@dataclass(frozen=True)
class EventInfo:
    """One canonical event."""

    name: str
    """Kebab-case name, as written in ``[tool.agent-plugin.hooks]``."""
    meaning: str
    """When it fires, in one line."""
    outcomes: tuple[str, ...] = ()
    """The outcomes that a handler may give."""
    tool: bool = False
    """The event is about one tool call, so tool selectors apply."""
    kind: Literal["portable", "canonical", "extended"] = "canonical"
    """``portable``: nearly every host has it; ``extended``: few hosts have it."""
    aliases: tuple[str, ...] = ()
    """Other spellings; case and punctuation do not matter."""


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

_BY_SPELLING = {
    fold(spelling): event.name for event in _EVENTS for spelling in (event.name, *event.aliases)
}


def canonical_event(name: str) -> str | None:
    """Return the canonical event for any accepted spelling, None for an unknown name."""
    return _BY_SPELLING.get(fold(name))


def nearest_event(name: str) -> str | None:
    """Return the canonical event whose name or alias is most like ``name``, None if none is near."""
    spelling = nearest(name, _BY_SPELLING)
    return _BY_SPELLING[spelling] if spelling else None


# --- tool selectors ---

#: Selectors that adapters map to the host's own tool names -> what such a tool does.
SELECTORS: dict[str, str] = {
    "shell": "runs a command",
    "file.read": "reads a file",
    "file.write": "creates, changes or deletes a file",
    "mcp": "calls a tool of an MCP server",
    "agent": "starts a subagent",
    "web": "fetches or searches the web",
}

# --- likeness ---


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed name that is most like ``name``, None if none is near."""
    by_fold = {fold(choice): choice for choice in allowed}
    match = difflib.get_close_matches(fold(name), by_fold, n=1, cutoff=0.6)
    return by_fold[match[0]] if match else None
