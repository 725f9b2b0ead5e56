"""Run portable commands from the dispatcher, if the slot script has not run them in ``sh``.

They run as the slot script runs them: no input, output discarded, status ignored, each
with its own timeout.
"""

from __future__ import annotations

import sys
from time import monotonic, sleep

from hatch_agentplugin.fire.process import NULL, Deadline, Expired, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


#: SIGPIPE and SIGXFSZ: Python ignores them, but a command must not inherit that.
_IGNORED_BY_PYTHON = (13, 25)
#: Largest number of bytes kept of a command's output for the model.
MAX_OUTPUT = 64 * 1024


def run(
    hook: dict[str, Any], names: dict[str, str], seconds: float, output: list[bytes] | None = None
) -> str:
    """Run one command hook for at most ``seconds``.

    ``names`` holds PLUGIN_ROOT and the other variables for commands. The beginning of the output
    is appended to ``output``; without ``output`` it is discarded. Returns ``ran``, ``timeout``, or
    ``missing`` if the command can't be started. Raises nothing.
    """
    try:
        argv = [_program(hook["command"], names), *(_fill(arg, names) for arg in hook["args"])]
        values = {**names, **{key: _fill(value, names) for key, value in hook["env"].items()}}
        folder = _fill(hook["cwd"], names) if hook.get("cwd") else None
        if sys.platform == "win32":
            return _run_windows(argv, values, folder, seconds, output)
        return _run_posix(argv, values, folder, seconds, output)
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
    output: list[bytes] | None,
) -> str:
    """Start the command without ``subprocess``, whose import costs more than a whole call."""
    environment: dict[Any, Any] = dict(system.environ)
    environment.update((_encode(key), _encode(value)) for key, value in values.items())
    actions = [
        (system.POSIX_SPAWN_OPEN, 0, NULL, system.O_RDONLY, 0),
        (system.POSIX_SPAWN_OPEN, 1, NULL, system.O_WRONLY, 0),
        (system.POSIX_SPAWN_DUP2, 1, 2),
    ]
    ours, theirs = (-1, -1) if output is None else system.pipe()
    if output is not None:
        actions.append((system.POSIX_SPAWN_DUP2, theirs, 1))
    if folder is not None:  # posix_spawn can't change the folder
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
            if output is not None:
                _collect(ours, output)
            system.waitpid(child, 0)
            return "ran"
        finally:
            Deadline.stop()
    except Expired:
        _terminate(child)
        return "timeout"
    finally:
        _close(ours)


def _close(descriptor: int) -> None:
    if descriptor >= 0:
        system.close(descriptor)


def _collect(descriptor: int, output: list[bytes]) -> None:
    """Keep the first :data:`MAX_OUTPUT` bytes, but read all, so that the command never blocks."""
    left = MAX_OUTPUT
    while True:
        piece = system.read(descriptor, 65536)
        if not piece:
            return
        output.append(piece[:left])
        left -= min(left, len(piece))


def _terminate(child: int) -> None:
    """Terminate the child; kill it if it has not ended after a second."""
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
    output: list[bytes] | None,
) -> str:  # pragma: no cover
    import os
    import subprocess

    child = subprocess.Popen(
        argv,
        env={**os.environ, **values},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if output is None else subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        printed = child.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        child.kill()
        return "timeout"
    if output is not None:
        output.append(printed[:MAX_OUTPUT])
    return "ran"
