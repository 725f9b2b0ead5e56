"""What the user calls this program: plugins bring it under names of their own, for pipx and uvx."""

from __future__ import annotations

import os

NAME = "agent-plugin"
#: How it was started; empty where it was not started as a script of its own.
_started = ""


def started_as(path: str) -> None:
    """Take the first word of the command line."""
    global _started
    _started = path


def name() -> str:
    """Its name, as in ``--help``."""
    base = os.path.basename(_started)
    for ending in (".exe", "-script.py", "-script.pyw"):
        base = base.removesuffix(ending)
    if base == "__main__.py":
        return "python -m hatch_agentplugin.cli"
    return base or NAME


def call(*words: str) -> str:
    """A command line for advice that works for this user: by a path where no name finds it."""
    import shutil

    first = name()
    if _started and " " not in first:
        found = shutil.which(first)
        if found is None or _file(found) != _file(_started):
            first = quoted(os.path.abspath(_started))
    return f"`{' '.join([first, *words])}`"


def quoted(word: str) -> str:
    """A word as this system's shell takes it."""
    if os.name == "nt":
        return f'"{word}"' if any(char in word for char in " &()^,;='`") else word
    import shlex

    return shlex.quote(word)


def _file(path: str) -> str:
    """The file that a path leads to: scripts on Windows are told their name without its ending."""
    real = os.path.normcase(os.path.realpath(path))
    return real.removesuffix(".exe") if os.name == "nt" else real


#: Folders of a path that show a cache -> what installs for good instead.
_CACHES = {
    "/archive-v0/": "uv tool install",
    "/environments-v2/": "uv tool install",
    "/.cache/pipx/": "pipx install",
    "/pipx/.cache/": "pipx install",
}


def kept_by(prefix: str) -> str:
    """What installs for good, where an environment is a temporary one of uvx or pipx; else empty."""
    path = prefix.replace("\\", "/")
    return next((tool for folder, tool in _CACHES.items() if folder in path), "")
