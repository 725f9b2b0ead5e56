"""Portable commands run by the dispatcher: beside handlers, and wherever no shell can run them.

What the slot script does in ``sh`` is done here again with the same effect: no input, output
discarded, status ignored, a timeout of its own.
"""

from __future__ import annotations

import sys
from time import monotonic, sleep

from hatch_agentplugin.fire.process import NULL, Deadline, Expired, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


#: SIGPIPE and SIGXFSZ, which a command must find as the shell would leave them.
_IGNORED_BY_PYTHON = (13, 25)
#: Bytes that are kept of what a command prints for the model.
MOST_SAID = 64 * 1024


def run(
    hook: dict[str, Any], names: dict[str, str], seconds: float, said: list[bytes] | None = None
) -> str:
    """Run one command hook to its end or for ``seconds``.

    ``said`` gets the first part of what it prints; else that is dropped.

    ``names`` has PLUGIN_ROOT and the other variables that commands see. Returns ``ran``,
    ``timeout``, or ``missing`` where the command could not be started. Raises nothing.
    """
    try:
        argv = [_program(hook["command"], names), *(_fill(arg, names) for arg in hook["args"])]
        values = {**names, **{key: _fill(value, names) for key, value in hook["env"].items()}}
        folder = _fill(hook["cwd"], names) if hook.get("cwd") else None
        if sys.platform == "win32":
            return _run_windows(argv, values, folder, seconds, said)
        return _run_posix(argv, values, folder, seconds, said)
    except (OSError, ValueError):
        return "missing"


def _program(command: str, names: dict[str, str]) -> str:
    return names["PLUGIN_ROOT"] + command[1:] if command.startswith("./") else command


def _fill(text: str, names: dict[str, str]) -> str:
    for name in ("PLUGIN_ROOT", "PLUGIN_DATA"):
        text = text.replace("${" + name + "}", names[name])
    return text


def _run_posix(
    argv: list[str],
    values: dict[str, str],
    folder: str | None,
    seconds: float,
    said: list[bytes] | None,
) -> str:
    """Start without ``subprocess``, whose import costs more than a whole call."""
    environment: dict[Any, Any] = dict(system.environ)
    environment.update((_encode(key), _encode(value)) for key, value in values.items())
    actions = [
        (system.POSIX_SPAWN_OPEN, 0, NULL, system.O_RDONLY, 0),
        (system.POSIX_SPAWN_OPEN, 1, NULL, system.O_WRONLY, 0),
        (system.POSIX_SPAWN_DUP2, 1, 2),
    ]
    ours, theirs = (-1, -1) if said is None else system.pipe()
    if said is not None:
        actions.append((system.POSIX_SPAWN_DUP2, theirs, 1))
    if folder is not None:  # posix_spawn has no folder
        argv = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', folder, *argv]
        if not folder.startswith(("/", ".")):
            argv[3] = f"./{folder}"
    try:
        child = system.posix_spawnp(
            argv[0], argv, environment, file_actions=actions, setsigdef=_IGNORED_BY_PYTHON
        )
    except OSError:
        _close(ours)
        raise
    finally:
        _close(theirs)
    try:
        try:
            Deadline.start(seconds, lambda: None, Expired)
            if said is not None:
                _listen(ours, said)
            system.waitpid(child, 0)
            return "ran"
        finally:
            Deadline.stop()
    except Expired:
        _end(child)
        return "timeout"
    finally:
        _close(ours)


def _close(descriptor: int) -> None:
    if descriptor >= 0:
        system.close(descriptor)


def _listen(descriptor: int, said: list[bytes]) -> None:
    """Keep the first :data:`MOST_SAID` bytes; read on, so that the command is not held up."""
    left = MOST_SAID
    while True:
        piece = system.read(descriptor, 65536)
        if not piece:
            return
        said.append(piece[:left])
        left -= min(left, len(piece))


def _end(child: int) -> None:
    """Ask the child to end, then make it."""
    for number in (15, 9):
        try:
            system.kill(child, number)
            until = monotonic() + 1.0
            while monotonic() < until:
                if system.waitpid(child, system.WNOHANG)[0]:
                    return
                sleep(0.01)
        except OSError:
            return


def _encode(text: str) -> bytes:
    return text.encode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def _run_windows(
    argv: list[str],
    values: dict[str, str],
    folder: str | None,
    seconds: float,
    said: list[bytes] | None,
) -> str:  # pragma: no cover
    import os
    import subprocess

    child = subprocess.Popen(
        argv,
        env={**os.environ, **values},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if said is None else subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        printed = child.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        child.kill()
        return "timeout"
    if said is not None:
        said.append(printed[:MOST_SAID])
    return "ran"
