"""Hooks of our own making, to prove a driver without the product.

`record(host, home, project)` places, in the host's native form, a hook that notes each event it is
called for; `fired` tells which were. Nothing here comes from the adapters: where both
disagree about a host, the run decides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

CLAUDE_EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")


@dataclass(frozen=True, slots=True)
class Recorder:
    """How to make one host's events seen."""

    place: Callable[[Path, Path], None]
    """Writes the hooks: HOME and the program that notes its first argument and its stdin."""
    events: frozenset[str]
    """Events that a run with one shell call fires, by the names given to `place`'s program."""


def noter(folder: Path) -> Path:
    """A program that notes event and payload; one file per call, as hooks run side by side."""
    notes = folder / "notes"
    notes.mkdir(parents=True, exist_ok=True)
    program = folder / "note.sh"
    # Some hosts never close a hook's stdin; the payload is one line or the host closes it.
    program.write_text(f'#!/bin/sh\ncat > "{notes}/$1.$$"\nexit 0\n')
    program.chmod(0o755)
    return program


def fired(folder: Path) -> list[str]:
    """The events noted, in order."""
    notes = sorted((folder / "notes").iterdir(), key=lambda note: note.stat().st_mtime_ns)
    return [note.name.rpartition(".")[0] for note in notes]


def nested(events: Iterable[str], program: Path) -> dict[str, object]:
    """The shape that Claude Code began: event, groups, handlers."""
    return {
        event: [{"hooks": [{"type": "command", "command": f"{program} {event}"}]}]
        for event in events
    }


def json_file(name: str, events: Iterable[str], wrap: bool = True) -> Recorder:
    """A JSON file below HOME in that shape; the file's other keys stay."""
    events = tuple(events)

    def place(home: Path, program: Path) -> None:
        file = home / name
        document = json.loads(file.read_text("utf-8")) if file.exists() else {}
        hooks = nested(events, program)
        document.update({"hooks": hooks} if wrap else hooks)
        write(file, json.dumps(document, indent=2))

    return Recorder(place, frozenset(events))


def module(name: str, text: str, events: Iterable[str]) -> Recorder:
    """A code plugin below HOME; NOTE stands for the program in its text."""

    def place(home: Path, program: Path) -> None:
        write(home / name, text.replace("NOTE", json.dumps(str(program))))

    return Recorder(place, frozenset(events))


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


_OPENCODE = """\
import { spawnSync } from "node:child_process"
const note = (name) => { spawnSync(NOTE, [name], { input: "{}" }) }
export default async () => ({
  event: async ({ event }) => {
    if (["session.created", "session.idle"].includes(event.type)) note(event.type)
  },
  "chat.message": async () => note("chat.message"),
  "tool.execute.before": async () => note("tool.execute.before"),
  "tool.execute.after": async () => note("tool.execute.after"),
  dispose: async () => note("dispose"),
})
"""
_OPENCODE_EVENTS = (
    "session.created",
    "chat.message",
    "tool.execute.before",
    "tool.execute.after",
    "session.idle",
    "dispose",
)

RECORDERS = {
    "claude-code": json_file(".claude/settings.json", (*CLAUDE_EVENTS, "SessionEnd")),
    "opencode": module(".config/opencode/plugin/note.js", _OPENCODE, _OPENCODE_EVENTS),
}
