"""A home folder with the settings of seven hosts, and how each of them runs hooks."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.built import TREE, user_environment

CONFIGS = TREE / "tests" / "cases" / "configs"
SESSION = "11111111-2222-3333-4444-555555555555"

Json = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What a placed hook returned to its host."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Json:
        value: Json = json.loads(self.out) if self.out.strip() else {}
        return value


@dataclass(frozen=True)
class HostCase:
    """One host: its existing settings, the location of our hooks, and its payloads."""

    id: str
    foreign: dict[str, str]
    """Path below HOME -> fixture below ``tests/cases/configs``."""
    commands: Callable[[Path, str], list[str]]
    """(home, native event) -> our command lines in the host's files."""
    pre: tuple[str, Callable[[str], Json]]
    """Native pre-tool event and the payload for a shell command."""
    start: str
    """Native session-start event."""
    end: str
    """Native turn-end event."""
    denied: Callable[[Reply], str]
    """Reply -> the reason of the refusal; empty if it is not a refusal."""
    context: Callable[[Reply], str]
    """Reply to a session-start -> its context."""
    takes_context: bool = True
    """The host waits for a session-start hook and takes its context."""


def _nested(file: str) -> Callable[[Path, str], list[str]]:
    def commands(home: Path, event: str) -> list[str]:
        groups = json.loads((home / file).read_bytes())["hooks"].get(event, [])
        rows = [hook["command"] for group in groups for hook in group.get("hooks", [])]
        return [row for row in rows if ".agent-plugin" in row]

    return commands


def _flat(file: str, key: str) -> Callable[[Path, str], list[str]]:
    def commands(home: Path, event: str) -> list[str]:
        rows = json.loads((home / file).read_bytes())["hooks"].get(event, [])
        return [row[key] for row in rows if ".agent-plugin" in row.get(key, "")]

    return commands


def _executables(folder: str) -> Callable[[Path, str], list[str]]:
    def commands(home: Path, event: str) -> list[str]:
        files = [file for file in (home / folder).iterdir() if file.stem == event]
        return [shlex.quote(str(f)) for f in files if b".agent-plugin" in f.read_bytes()]

    return commands


def _snake(event: str, tool: str) -> Callable[[str], Json]:
    return lambda command: {
        "session_id": SESSION,
        "cwd": "/tmp",
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": {"command": command},
    }


def _camel(command: str) -> Json:
    args = {"command": command}
    return {"sessionId": SESSION, "cwd": "/tmp", "toolName": "bash", "toolArgs": args}


def _cursor(command: str) -> Json:
    return {"conversation_id": SESSION, **_snake("preToolUse", "Shell")(command)}


def _cline(command: str) -> Json:
    return {
        "taskId": SESSION,
        "hookName": "tool_call",
        "workspaceRoots": ["/tmp"],
        "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": [command]}},
        "preToolUse": {
            "toolName": "run_commands",
            "parameters": {"commands": json.dumps([command])},
        },
    }


def _specific(reply: Reply) -> Json:
    value: Json = reply.json.get("hookSpecificOutput", {})
    return value


def _claude_denied(reply: Reply) -> str:
    specific = _specific(reply)
    if specific.get("permissionDecision") != "deny":
        return ""
    return str(specific["permissionDecisionReason"])


def _claude_context(reply: Reply) -> str:
    return str(_specific(reply).get("additionalContext", ""))


CASES = (
    HostCase(
        "claude-code",
        {".claude/settings.json": "claude/01-many-tools-groups.json"},
        _nested(".claude/settings.json"),
        ("PreToolUse", _snake("PreToolUse", "Bash")),
        "SessionStart",
        "Stop",
        _claude_denied,
        _claude_context,
    ),
    HostCase(
        "codex",
        {
            ".codex/hooks.json": "codex/01-hooks-description-windows-key.json",
            ".codex/config.toml": "codex/02-config-trust-state.toml",
        },
        _nested(".codex/hooks.json"),
        ("PreToolUse", _snake("PreToolUse", "Bash")),
        "SessionStart",
        "Stop",
        _claude_denied,
        _claude_context,
    ),
    HostCase(
        "cursor",
        {".cursor/hooks.json": "cursor/01-hooks-before-version.json"},
        _flat(".cursor/hooks.json", "command"),
        ("preToolUse", _cursor),
        "sessionStart",
        "stop",
        lambda r: r.json.get("user_message", "") if r.json.get("permission") == "deny" else "",
        lambda r: r.json.get("additional_context", ""),
    ),
    HostCase(
        "copilot-cli",
        {".copilot/hooks/hooks.json": "copilot/02-both-shells-env-version-last.json"},
        _flat(".copilot/hooks/example-plugin.json", "command"),
        ("preToolUse", _camel),
        "sessionStart",
        "agentStop",
        lambda r: (
            r.json.get("permissionDecisionReason", "")
            if r.json.get("permissionDecision") == "deny"
            else ""
        ),
        lambda r: r.json.get("additionalContext", ""),
    ),
    HostCase(
        "gemini-cli",
        {".gemini/settings.json": "gemini/01-flat-and-nested-mixed.json"},
        _nested(".gemini/settings.json"),
        ("BeforeTool", _snake("BeforeTool", "run_shell_command")),
        "SessionStart",
        "AfterAgent",
        lambda r: r.json.get("reason", "") if r.json.get("decision") == "deny" else "",
        _claude_context,
    ),
    HostCase(
        "cline",
        {"Documents/Cline/Hooks/PreToolUse": "cline/01-foreign-PreToolUse"},
        _executables("Documents/Cline/Hooks"),
        ("PreToolUse", _cline),
        "TaskStart",
        "TaskComplete",
        lambda r: r.json.get("errorMessage", "") if r.json.get("cancel") else "",
        lambda r: r.json.get("contextModification", ""),
        takes_context=False,
    ),
)
#: OpenCode loads a module instead of running commands; its test runs the module in Node.js.
OPENCODE_FILES = {".config/opencode/opencode.jsonc": "opencode/01-trailing-commas.jsonc"}


def fill(home: Path) -> None:
    """Write every host's existing settings to the home folder."""
    wanted = dict(OPENCODE_FILES)
    for case in CASES:
        wanted |= case.foreign
    for path, fixture in wanted.items():
        file = home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((CONFIGS / fixture).read_bytes())
    (home / "Documents/Cline/Hooks/PreToolUse").chmod(0o755)


def fire(command: str, payload: Json, home: Path) -> Reply:
    """Run a placed command line in a shell, with the payload on standard input, as a host does."""
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        input=json.dumps(payload),
        env=user_environment(home),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Reply(done.returncode, done.stdout, done.stderr)


def snapshot(folder: Path) -> dict[str, tuple[Any, ...]]:
    """Return every path below a folder with its kind, mode, bytes and modification time."""

    def walk() -> Iterator[tuple[str, tuple[Any, ...]]]:
        for root, folders, files in os.walk(folder):
            for name in folders:
                path = Path(root, name)
                yield str(path.relative_to(folder)), ("folder", stat.S_IMODE(path.stat().st_mode))
            for name in files:
                path = Path(root, name)
                status = path.lstat()
                key = str(path.relative_to(folder))
                yield key, ("file", status.st_mode, path.read_bytes(), status.st_mtime_ns)

    return dict(walk())


def without_times(shot: dict[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    return {path: entry[:3] for path, entry in shot.items()}
