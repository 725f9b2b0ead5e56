"""The commands in host entries, per form, shell and scope. Pure functions.

A command starts the launcher with the host and the slot. These never need quotes; the launcher's
path may. In a project's file the command is the same for all members of a team: it finds the
launcher of the user who runs it, and does nothing if there is none.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any

from hatch_agentplugin.activate import placeholders
from hatch_agentplugin.activate.placeholders import Caller
from hatch_agentplugin.plan import LAUNCHER_TEXT
from hatch_agentplugin.words import Form

Rendered = str | list[str]


class CommandError(ValueError):
    """A command that cannot be rendered. The message says why."""


def render(
    value: Any, caller: Caller, script: Callable[[str], str] | None = None
) -> tuple[Any, tuple[str, ...]]:
    """Replace every placeholder in a value.

    `script` returns the path of the shim of a slot, for the form ``path``. Returns the value, and
    the commands in it that start the launcher. Raises CommandError and PlaceholderError.
    """
    commands: list[str] = []

    def walk(node: Any) -> Any:
        if isinstance(node, dict):
            if set(node) == {"$launcher"}:
                result = _node(node["$launcher"], caller, script)
                commands.append(result if isinstance(result, str) else shlex.join(result))
                return result
            if placeholders.is_placeholder(node):
                return placeholders.resolve(node, caller)
            return {key: walk(item) for key, item in node.items()}
        if isinstance(node, list):
            return [walk(item) for item in node]
        return node

    return walk(value), tuple(commands)


def slots_in(value: Any) -> tuple[str, ...]:
    """Return the slots that the ``$launcher`` placeholders of a value name, in order."""
    if isinstance(value, dict):
        node = value.get("$launcher")
        if set(value) == {"$launcher"} and isinstance(node, dict):
            return (str(node.get("slot")),)
        return tuple(slot for item in value.values() for slot in slots_in(item))
    if isinstance(value, list):
        return tuple(slot for item in value for slot in slots_in(item))
    return ()


def command(caller: Caller, slot: str, form: Form, guard: bool = False) -> Rendered:
    """Return the command for a slot in one of the forms ``sh``, ``argv`` and ``words``."""
    if form == "sh":
        return line(caller, slot, guard)
    if form in ("argv", "words"):
        argv = _argv(caller, slot, guard)
        return argv if form == "argv" else shlex.join(argv)
    raise CommandError(f"form {form!r} is not a command")


def line(caller: Caller, slot: str, guard: bool = False) -> str:
    """Return one line for the host's shell."""
    if caller.shell == "sh":
        return _posix(caller, slot, guard)
    if caller.shell == "bash":
        return _git_bash(caller, slot, guard)
    if caller.shell == "powershell":
        return _powershell(caller, slot, guard)
    return _cmd(caller, slot, guard)


def shim(caller: Caller, slot: str, suffix: str = "") -> bytes:
    """Return a script of our own that starts the launcher for one slot.

    `suffix` is the file's extension, which decides the language on Windows.
    """
    note = (
        f"Starts the hooks of the plugin {caller.plugin} in {caller.host}. Placed by agent-plugin."
    )
    if suffix == ".ps1":
        text = f"# {note}\r\n{_powershell(caller, slot, True)}\r\n"
        return text.encode("utf-8" if text.isascii() else "utf-8-sig")
    if suffix in (".cmd", ".bat"):
        text = _cmd(caller, slot, True)
        page = "" if text.isascii() else "@chcp 65001 >nul\r\n"
        return f"@rem {note}\r\n{page}@{text}\r\n".encode()
    return f"#!/bin/sh\n# {note}\n{_bare(caller, slot)}\n".encode()


def fill_artifact(data: bytes, caller: Caller) -> bytes:
    """Return an artifact with the launcher's path filled in. Raises CommandError."""
    placeholder = LAUNCHER_TEXT.encode()
    if placeholder not in data:
        return data
    if caller.shared:
        raise CommandError(
            "a module holds the launcher's path, so it cannot be shared in a project"
        )
    text = json.dumps(caller.launcher, ensure_ascii=False)
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return data.replace(placeholder, text.encode("utf-8", "surrogatepass"))


def _node(node: Any, caller: Caller, script: Callable[[str], str] | None) -> Rendered:
    if not isinstance(node, dict) or not isinstance(node.get("slot"), str):
        raise CommandError(f"{node!r} does not name a slot")
    form = node.get("form", "sh")
    if form == "path":
        if caller.shared or script is None:
            raise CommandError(
                f"{caller.host} runs scripts by their path, and a path of this machine "
                "cannot be shared in a project"
            )
        return script(node["slot"])
    return command(caller, node["slot"], form, bool(node.get("guard", False)))


def _argv(caller: Caller, slot: str, guard: bool) -> list[str]:
    arguments = caller.arguments(slot)
    if caller.on_windows:
        if caller.shared:
            raise CommandError(
                "a list of words cannot find the launcher of another user on Windows"
            )
        return ["cmd.exe", "/d", "/c", caller.launcher, *arguments]
    if caller.shared or guard:
        return ["sh", "-c", _posix(caller, slot, guard)]
    return [caller.launcher, *arguments]


def _posix(caller: Caller, slot: str, guard: bool) -> str:
    if caller.shared or guard:
        return _bare(caller, slot, "; ")
    return f"{shlex.quote(caller.launcher)} {' '.join(caller.arguments(slot))}"


def _bare(caller: Caller, slot: str, newline: str = "\n") -> str:
    """Return the guarded start of the launcher, as a script or as one line."""
    path = shlex.quote(caller.launcher)
    start = []
    if caller.shared:
        start = [f'f="${{AGENT_PLUGIN_HOME:-$HOME/.agent-plugin}}/{caller.plugin}/launch"']
        path = '"$f"'
    arguments = " ".join(caller.arguments(slot))
    return newline.join([*start, f"[ -x {path} ] || exit 0", f"exec {path} {arguments}"])


def _git_bash(caller: Caller, slot: str, guard: bool) -> str:
    """Git Bash accepts forward slashes; a path without blanks also works in PowerShell."""
    arguments = " ".join(caller.arguments(slot))
    if caller.shared:
        return (
            f'f="${{AGENT_PLUGIN_HOME:-$HOME/.agent-plugin}}/{caller.plugin}/launch"; '
            f'[ -x "$f" ] || f="$f.cmd"; [ -f "$f" ] || exit 0; exec "$f" {arguments}'
        )
    path = shlex.quote(caller.launcher.replace("\\", "/"))
    return f"[ -f {path} ] || exit 0; exec {path} {arguments}" if guard else f"{path} {arguments}"


def _powershell(caller: Caller, slot: str, guard: bool) -> str:
    arguments = " ".join(caller.arguments(slot))
    if caller.shared:
        home = "$(if ($env:AGENT_PLUGIN_HOME) { $env:AGENT_PLUGIN_HOME } else { Join-Path $HOME '.agent-plugin' })"
        return (
            f"$f = Join-Path {home} '{caller.plugin}\\launch.cmd'; "
            f"if (Test-Path -LiteralPath $f) {{ & $f {arguments}; exit $LASTEXITCODE }}"
        )
    path = "'" + caller.launcher.replace("'", "''") + "'"
    if guard:
        return f"if (Test-Path -LiteralPath {path}) {{ & {path} {arguments}; exit $LASTEXITCODE }}"
    return f"& {path} {arguments}"


def _cmd(caller: Caller, slot: str, guard: bool) -> str:
    arguments = " ".join(caller.arguments(slot))
    path = f'"{caller.launcher}"'
    if caller.shared:
        path = f'"%USERPROFILE%\\.agent-plugin\\{caller.plugin}\\launch.cmd"'
        guard = True
    return f"if exist {path} {path} {arguments}" if guard else f"{path} {arguments}"
