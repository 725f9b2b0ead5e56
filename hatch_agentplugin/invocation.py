"""How the user runs this program: advice repeats the name, and warns of temporary environments.

A plugin may install the program under a name of its own, for pipx and uvx.
"""

from __future__ import annotations

import os
import shlex
import shutil

NAME = "agent-plugin"
#: The path of the script that was started; empty if another program calls us.
_started = ""


def started_as(path: str) -> None:
    """Remember the path of the script that was started, ``sys.argv[0]``."""
    global _started
    _started = path


def name() -> str:
    """Return the name of this program, as ``--help`` shows it."""
    base = os.path.basename(_started)
    for ending in (".exe", "-script.py", "-script.pyw"):
        base = base.removesuffix(ending)
    if base == "__main__.py":
        return "python -m hatch_agentplugin.cli"
    return base or NAME


def call(*words: str) -> str:
    """Return a command line for advice, in backticks; by its path if its name is not on PATH."""
    program = name()
    if _started and " " not in program:
        found = shutil.which(program)
        if found is None or _file(found) != _file(_started):
            program = quoted(os.path.abspath(_started))
    return f"`{' '.join([program, *words])}`"


def quoted(word: str) -> str:
    """Return a word quoted for the shell of this system."""
    if os.name == "nt":
        return f'"{word}"' if any(char in word for char in " &()^,;='`") else word
    return shlex.quote(word)


def _file(path: str) -> str:
    """Return a path for comparing: Windows starts a script without the extension of its file."""
    real = os.path.normcase(os.path.realpath(path))
    return real.removesuffix(".exe") if os.name == "nt" else real


#: Parts of the paths of temporary environments -> the command that installs permanently instead.
_TEMPORARY = {
    "/archive-v0/": "uv tool install",
    "/environments-v2/": "uv tool install",
    "/.cache/pipx/": "pipx install",
    "/pipx/.cache/": "pipx install",
}


def permanent_installer(environment: str) -> str:
    """Return the command that installs permanently if an environment is a temporary one of uvx or
    pipx, else an empty string."""
    path = environment.replace("\\", "/")
    return next((command for part, command in _TEMPORARY.items() if part in path), "")
