"""A plugin laid out by hand as build and activate would do: bundle, state folder, launcher."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hatch_agentplugin
from hatch_agentplugin.scripts import launcher
from hatch_agentplugin.scripts.slot import slot_script

RUNTIME = Path(hatch_agentplugin.__file__).resolve().parent.parent

CLAUDE_ANSWERS: dict[str, Any] = {
    "allow": {
        "reply": {
            "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
        }
    },
    "deny": {
        "reply": {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": "$reason",
            }
        }
    },
    "ask": {
        "reply": {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "ask",
                "permissionDecisionReason": "$reason",
            }
        }
    },
    "context": {
        "reply": {
            "hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "$text"}
        }
    },
    "modify-input": {
        "reply": {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": "$input"}}
    },
    "halt": {"reply": {"continue": False, "stopReason": "$reason"}},
    "message": {"reply": {"systemMessage": "$text"}},
}


def table(**changes: Any) -> dict[str, Any]:
    """The fire table of a tool event in Claude Code's form, with changes."""
    return {
        "plugin": "acme",
        "host": "claude-code",
        "event": "pre-tool-use",
        "native": "PreToolUse",
        "tool_event": True,
        "fields": {
            "session": [["session_id"]],
            "cwd": [["cwd"]],
            "tool": [["tool_name"]],
            "input": [["tool_input"]],
            "call_id": [["tool_use_id"]],
        },
        "input_is_text": False,
        "only": [],
        "not_when": [],
        "tools": [["Bash", "shell"], ["Write", "file.write"], ["mcp__*", "mcp"]],
        "hooks": [],
        "exact": True,
        "answers": CLAUDE_ANSWERS,
        "silence": None,
        "context_limit": 10_000,
        "deadline": 20.0,
        "turn_limit": 0,
        "detached": False,
        "stdin_may_stay_open": False,
        "readers": {},
        **changes,
    }


def stop_table(**changes: Any) -> dict[str, Any]:
    """The fire table of turn-end."""
    return (
        table(
            event="turn-end",
            native="Stop",
            tool_event=False,
            fields={"session": [["session_id"]], "stop_active": [["stop_hook_active"]]},
            tools=[],
            answers={
                "keep-going": {"reply": {"decision": "block", "reason": "$reason"}},
                "halt": {"reply": {"continue": False, "stopReason": "$reason"}},
                "message": {"reply": {"systemMessage": "$text"}},
            },
            turn_limit=3,
        )
        | changes
    )


def start_table(**changes: Any) -> dict[str, Any]:
    """The fire table of session-start, which can give context."""
    return (
        table(
            event="session-start",
            native="SessionStart",
            tool_event=False,
            fields={"session": [["session_id"]], "cwd": [["cwd"]], "reason": [["source"]]},
            tools=[],
            answers={
                "context": {"reply": {"hookSpecificOutput": {"additionalContext": "$text"}}},
                "message": {"reply": {"systemMessage": "$text"}},
            },
        )
        | changes
    )


def handler(name: str = "handle", **changes: Any) -> dict[str, Any]:
    """A handler hook in a table."""
    return {
        "key": f"hooks.x[{name}]",
        "handler": f"acme_hooks:{name}",
        "timeout": 10.0,
        "on_error": "allow",
        "when": None,
        **changes,
    }


def command(command: str, *args: str, **changes: Any) -> dict[str, Any]:
    """A command hook in a table."""
    return {
        "key": f"hooks.x[{command}]",
        "command": command,
        "args": list(args),
        "env": {},
        "cwd": None,
        "timeout": 10.0,
        "when": None,
        **changes,
    }


TOOL_CALL = {
    "session_id": "s-1",
    "cwd": "/",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "tool_use_id": "t-1",
}


@dataclass
class Result:
    """What the host sees."""

    status: int
    out: bytes
    err: bytes
    seconds: float

    @property
    def reply(self) -> Any:
        """The one document on standard output, or None for silence."""
        return json.loads(self.out.decode("utf-8")) if self.out.strip() else None

    @property
    def decision(self) -> str | None:
        """The permission decision in the reply."""
        found: str | None = ((self.reply or {}).get("hookSpecificOutput") or {}).get(
            "permissionDecision"
        )
        return found

    @property
    def silent(self) -> bool:
        """True if the host sees neither an answer nor an error."""
        return (self.status, self.out, self.err) == (0, b"", b"")


class Rig:
    """One plugin on one machine."""

    def __init__(self, root: Path, shell: str = "/bin/sh", python: str = sys.executable) -> None:
        self.shell = shell
        self.python = python
        self.site = root / "site packages"
        self.bundle = self.site / "acme_agent_plugin"
        self.state = root / "home" / "acme"
        self.project = root / "project"
        self.trace = root / "trace"
        for folder in (self.bundle, self.project):
            folder.mkdir(parents=True)
        for name in ("fired", "disabled"):
            (self.state / name).mkdir(parents=True, mode=0o700)
        (self.state / "placed").touch()
        self.launcher = self.state / "launch"
        self.place()

    def place(self, **changes: str) -> None:
        """Write the launcher; ``changes`` replace its paths."""
        paths = {
            "plugin": "acme",
            "state": str(self.state),
            "bundle": str(self.bundle),
            "python": self.python,
            "runtime": str(RUNTIME),
        }
        self.launcher.write_text(launcher.render(**(paths | changes)), encoding="utf-8")
        self.launcher.chmod(0o700)

    def slot(self, *tables: dict[str, Any]) -> Rig:
        """Write fire tables and slot scripts into the bundle."""
        for made in tables:
            folder = self.bundle / "fire" / made["host"]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{made['event']}.json").write_text(json.dumps(made), encoding="utf-8")
            (folder / f"{made['event']}.sh").write_text(slot_script(made), encoding="utf-8")
        return self

    def handlers(self, source: str, module: str = "acme_hooks") -> Rig:
        """Write the plugin's module beside the bundle."""
        text = textwrap.dedent(source)
        (self.site / f"{module}.py").write_text(text, encoding="utf-8")
        return self

    def script(self, name: str, text: str) -> str:
        """Write an executable into the bundle. Return its path for a command hook."""
        path = self.bundle / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{textwrap.dedent(text)}", encoding="utf-8")
        path.chmod(0o755)
        return f"./{name}"

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a hook call."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.state.parent), **more}

    def fire(
        self,
        payload: Any = None,
        slot: str = "pre-tool-use",
        host: str = "claude-code",
        *more: str,
        env: dict[str, str] | None = None,
    ) -> Result:
        """Run the launcher as a host does. A payload that is not bytes is sent as JSON."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload or TOOL_CALL).encode()
        began = time.monotonic()
        done = subprocess.run(
            [self.shell, str(self.launcher), host, slot, *more],
            input=data,
            capture_output=True,
            cwd=self.project,
            env=self.environment(**(env or {})),
            timeout=60,
        )
        return Result(done.returncode, done.stdout, done.stderr, time.monotonic() - began)

    def traced(self, payload: Any = None, slot: str = "pre-tool-use", **more: Any) -> Any:
        """Fire and return the trace record, or None if no dispatcher ran."""
        self.trace.unlink(missing_ok=True)
        env = {**(more.pop("env", None) or {}), "AGENT_PLUGIN_TRACE": str(self.trace)}
        self.fire(payload, slot, env=env, **more)
        return json.loads(self.trace.read_text("utf-8")) if self.trace.exists() else None

    @property
    def log(self) -> str:
        """The failure log."""
        path = self.state / "log"
        return path.read_text("utf-8") if path.exists() else ""

    def wait_for(self, path: Path, seconds: float = 30.0) -> str:
        """Wait for a file that a background process writes, and return its text."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if path.exists() and path.read_text("utf-8"):
                return path.read_text("utf-8")
            time.sleep(0.02)
        raise AssertionError(f"{path.name} was not written")
