"""Hand-written hooks that test a driver without the product.

A recorder places hooks in the host's native form. They record the events for which they are called,
and `fired` returns these. Nothing here comes from the adapters, so the two can contradict each
other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Recorder:
    """How to record one host's events."""

    place: Callable[[Path, Path], None]
    """Writes the hooks: HOME or the project, and the program that notes its first argument and its stdin."""
    events: tuple[str, ...]
    """Native events that a run with one shell call fires."""


def noter(folder: Path) -> Path:
    """Return a program that records event and payload; hooks run in parallel, so a file per call."""
    notes = folder / "notes"
    notes.mkdir(parents=True, exist_ok=True)
    program = folder / "note.sh"
    program.write_text(f'#!/bin/sh\ncat > "{notes}/$1.$$"\nexit 0\n')
    program.chmod(0o755)
    return program


def fired(folder: Path) -> list[str]:
    """Return the recorded events, in order."""
    notes = sorted((folder / "notes").iterdir(), key=lambda note: note.stat().st_mtime_ns)
    return [note.name.rpartition(".")[0] for note in notes]


def keeper(folder: Path, reason: str) -> Path:
    """Return a program that keeps an agent going once, in the form that most hosts accept."""
    program = folder / "keep.sh"
    answer = json.dumps({"decision": "block", "reason": reason})
    program.write_text(
        f"#!/bin/sh\ngrep -Eq 'top_?[hH]ook_?[aA]ctive\": *true' || echo '{answer}'\n"
    )
    program.chmod(0o755)
    return program


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _nested(event: str, program: Path) -> object:
    return {"hooks": [{"type": "command", "command": f"{program} {event}"}]}


def _flat(event: str, program: Path) -> object:
    return {"type": "command", "bash": f"{program} {event}"}


def _json(
    name: str,
    *events: str,
    entry: Callable[[str, Path], object] = _nested,
    at_root: bool = False,
) -> Recorder:
    """Add entries by event to a JSON file below HOME; its other keys stay."""

    def place(home: Path, program: Path) -> None:
        file = home / name
        document = json.loads(file.read_text("utf-8")) if file.exists() else {}
        hooks = {event: [entry(event, program)] for event in events}
        document.update(hooks if at_root else {"hooks": hooks})
        _write(file, json.dumps(document, indent=2))

    return Recorder(place, events)


def _text(name: str, entry: str, *events: str, head: str = "") -> Recorder:
    """Append a text to a file below HOME, once per event; EVENT and NOTE are replaced."""

    def place(home: Path, program: Path) -> None:
        file = home / name
        before = file.read_text("utf-8") if file.exists() else ""
        entries = (entry.replace("EVENT", e).replace("NOTE", str(program)) for e in events)
        _write(file, before + head + "".join(entries))

    return Recorder(place, events)


def _executables(folder: str, *events: str) -> Recorder:
    """Write one script per event, named after it."""

    def place(home: Path, program: Path) -> None:
        for event in events:
            file = home / folder / event
            _write(file, f"#!/bin/sh\nexec {program} {event}\n")
            file.chmod(0o755)

    return Recorder(place, events)


_NOTE = """\
import { spawnSync } from "node:child_process"
const note = (name) => { spawnSync(NOTE, [name], { input: "{}" }) }
const events = EVENTS
"""

_OPENCODE = (
    _NOTE
    + """
export default async () => ({
  event: async ({ event }) => { if (events.includes(event.type)) note(event.type) },
  "chat.message": async () => note("chat.message"),
  "tool.execute.before": async () => note("tool.execute.before"),
  "tool.execute.after": async () => note("tool.execute.after"),
  dispose: async () => note("dispose"),
})
"""
)

_PI = (
    _NOTE
    + """
export default (pi) => { for (const name of events) pi.on(name, async () => { note(name) }) }
"""
)

_OPENCLAW = (
    _NOTE
    + """
export default {
  id: "note",
  name: "note",
  configSchema: { type: "object", additionalProperties: false, properties: {} },
  register(api) { for (const name of events) api.on(name, async () => { note(name) }) },
}
"""
)


def _module(name: str, text: str, *events: str) -> Recorder:
    """Write a code plugin below HOME."""

    def place(home: Path, program: Path) -> None:
        filled = text.replace("NOTE", json.dumps(str(program)))
        _write(home / name, filled.replace("EVENTS", json.dumps(events)))

    return Recorder(place, events)


def _openclaw(*events: str) -> Recorder:
    """Write a plugin of three files, and the two settings that it needs to be loaded."""
    folder = ".openclaw/extensions/note"
    module = _module(f"{folder}/index.mjs", _OPENCLAW, *events)

    def place(home: Path, program: Path) -> None:
        module.place(home, program)
        package = {"name": "note", "type": "module", "openclaw": {"extensions": ["./index.mjs"]}}
        schema = {"type": "object", "additionalProperties": False, "properties": {}}
        manifest = {
            "id": "note",
            "name": "note",
            "activation": {"onStartup": True},
            "configSchema": schema,
        }
        _write(home / folder / "package.json", json.dumps(package))
        _write(home / folder / "openclaw.plugin.json", json.dumps(manifest))
        config = home / ".openclaw/openclaw.json"
        document = json.loads(config.read_text("utf-8"))
        entry = {"enabled": True, "hooks": {"allowConversationAccess": True}}
        document["plugins"] = {"entries": {"note": entry}}
        _write(config, json.dumps(document, indent=2))

    return Recorder(place, events)


def _claude(*more: str) -> Iterable[str]:
    return ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", *more)


_OPENCODE_EVENTS = (
    "session.created",
    "chat.message",
    "tool.execute.before",
    "tool.execute.after",
    "session.idle",
    "dispose",
)
_TOML = '\n[[hooks]]\nevent = "EVENT"\ncommand = "NOTE EVENT"\n'
_VIBE = '\n[[hooks]]\nname = "note-EVENT"\ntype = "EVENT"\ncommand = "NOTE EVENT"\n'
_YAML = "  EVENT:\n    - command: NOTE EVENT\n"

_GEMINI = ("SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd")
_CLINE = ("TaskStart", "PreToolUse", "PostToolUse", "TaskComplete")
_COPILOT = (
    "sessionStart",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "agentStop",
    "sessionEnd",
)
_PI_EVENTS = (
    "session_start",
    "input",
    "tool_call",
    "tool_result",
    "agent_settled",
    "session_shutdown",
)
_OMP_EVENTS = (
    "session_start",
    "before_agent_start",
    "tool_call",
    "tool_result",
    "session_stop",
    "agent_end",
    "session_shutdown",
)
_DROID = ("SessionStart", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
_AUGGIE = ("SessionStart", "PromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
_HERMES = (
    "on_session_start",
    "pre_llm_call",
    "pre_tool_call",
    "post_tool_call",
    "post_llm_call",
    "on_session_end",
)

OF_USER = {
    "claude-code": _json(".claude/settings.json", *_claude("SessionEnd")),
    "opencode": _module(".config/opencode/plugin/note.js", _OPENCODE, *_OPENCODE_EVENTS),
    "codex": _json(".codex/hooks.json", *_claude("SessionEnd")),
    "gemini-cli": _json(".gemini/settings.json", *_GEMINI),
    "qwen-code": _json(".qwen/settings.json", *_claude()),
    "cline": _executables(".cline/hooks", *_CLINE),
    "copilot-cli": _json(".copilot/hooks/note.json", *_COPILOT, entry=_flat),
    "pi": _module(".pi/agent/extensions/note.ts", _PI, *_PI_EVENTS),
    "kilo-cli": _module(".config/kilo/plugin/note.js", _OPENCODE, *_OPENCODE_EVENTS),
    "grok": _json(".grok/hooks/note.json", *_claude("SessionEnd")),
    "droid": _json(".factory/hooks.json", *_DROID, at_root=True),
    "kimi": _text(".kimi-code/config.toml", _TOML, *_claude()),
    "kimi-cli-legacy": _text(".kimi/config.toml", _TOML, *_claude("SessionEnd")),
    "hermes": _text(".hermes/config.yaml", _YAML, *_HERMES, head="hooks:\n"),
    "mistral-vibe": _text(".vibe/hooks.toml", _VIBE, "pre_tool", "post_tool", "post_agent"),
    "omp": _module(".omp/agent/extensions/note.ts", _PI, *_OMP_EVENTS),
    "openclaw": _openclaw(
        "before_prompt_build",
        "before_tool_call",
        "after_tool_call",
        "before_agent_finalize",
        "agent_end",
    ),
    "auggie": _json(".augment/settings.json", *_AUGGIE),
}
"""In files below HOME."""

_SAME_PATH = (
    "claude-code",
    "codex",
    "gemini-cli",
    "qwen-code",
    "cline",
    "grok",
    "droid",
    "mistral-vibe",
    "auggie",
)
OF_PROJECT = {
    **{host: OF_USER[host] for host in _SAME_PATH},
    "opencode": _module(".opencode/plugin/note.js", _OPENCODE, *_OPENCODE_EVENTS),
    "copilot-cli": _json(".github/hooks/note.json", *_COPILOT, entry=_flat),
    "pi": _module(".pi/extensions/note.ts", _PI, *_PI_EVENTS),
    "kilo-cli": _module(".kilo/plugin/note.js", _OPENCODE, *_OPENCODE_EVENTS),
    "omp": _module(".omp/extensions/note.ts", _PI, *_OMP_EVENTS),
}
"""In files below the project; the others have no such files."""


_SETTINGS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "qwen-code": ".qwen/settings.json",
    "grok": ".grok/hooks/note.json",
    "droid": ".factory/hooks.json",
}


def rival(host: str, event: str) -> Recorder:
    """Add one hook of the user for this event."""
    return _json(_SETTINGS[host], event, at_root=host == "droid")
