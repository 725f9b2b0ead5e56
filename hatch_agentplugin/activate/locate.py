"""Locates the folders and files that a plan names on this machine.

`folder` and `file_path` are pure rules over strings for every system, so the rules of Windows and
macOS can be tested anywhere. `locate` also checks where real links lead.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Literal

from hatch_agentplugin.hosts.delivery import Dir, File
from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.transaction import image
from hatch_agentplugin.words import ScopeName

System = Literal["linux", "macos", "windows"]

#: Windows folders below the home folder, for when the variable itself is missing.
_WINDOWS_DEFAULTS = {
    "USERPROFILE": (),
    "APPDATA": ("AppData", "Roaming"),
    "LOCALAPPDATA": ("AppData", "Local"),
}


class LocateError(ValueError):
    """A folder or file that cannot be used. The message says why."""


@dataclass(frozen=True)
class Machine:
    """The user's machine: environment variables, home folder, system."""

    environ: Mapping[str, str]
    """Environment variables; an empty one counts as not set."""
    home: str
    """The home folder, absolute."""
    system: System
    """The system whose rules apply."""
    image: str = ""
    """Root folder of an image that is being prepared, links resolved; empty for this machine."""

    @classmethod
    def here(cls, environ: Mapping[str, str] | None = None, image: str = "") -> Machine:
        """Return the machine this program runs on, or an image that is prepared on it."""
        environ = os.environ if environ is None else environ
        windows = sys.platform == "win32"
        home = environ.get("USERPROFILE" if windows else "HOME") or os.path.expanduser("~")
        system: System = "windows" if windows else "macos" if sys.platform == "darwin" else "linux"
        return cls(environ, os.path.abspath(home), system, image)

    @property
    def paths(self) -> ModuleType:
        """Return the path module with this system's rules."""
        if self.system == "windows":
            return ntpath
        return posixpath

    def variable(self, name: str) -> str | None:
        """Return the value of a variable, None if it is missing or empty."""
        if self.system == "windows":
            for key, value in self.environ.items():
                if key.upper() == name.upper():
                    return value or None
            return None
        return self.environ.get(name) or None


@dataclass(frozen=True)
class Scope:
    """A scope, with its project folder if it has one."""

    name: ScopeName = "user"
    project: str | None = None
    """The project folder, absolute; None for the user and the managed scope."""

    @property
    def in_project(self) -> bool:
        """Whether its files are in a project."""
        return self.name in ("project", "local")


#: The folder of launchers and ledger in the managed scope. Only an administrator can make it or write
#: to it: ``/usr/local`` may belong to a group or, with Homebrew, to a user, and anybody may make
#: folders in ``%ProgramData%``. Some hosts split a command at blanks, so it has none if possible.
SYSTEM_FOLDERS: Mapping[System, str] = {
    "linux": "/var/lib/agent-plugin",
    "macos": "/Library/agent-plugin",
    "windows": "%ProgramFiles%/agent-plugin",
}


def system_folder(machine: Machine) -> str:
    """Return our folder of the managed scope, as the image names it. Raises LocateError."""
    text = SYSTEM_FOLDERS[machine.system]
    return _expand(text, machine) if machine.system == "windows" else text


def folder(plan: Dir, machine: Machine, scope: Scope) -> str:
    """Return a folder as the host finds it, named as in the image. Raises LocateError."""
    if machine.image and scope.name != "managed":
        raise LocateError(f"an image has no user's files, so the {scope.name} scope cannot be used")
    value = machine.variable(plan.env) if plan.env and not machine.image else None
    if value is not None:
        return _from_variable(str(plan.env), value, plan.inside, machine)
    text = plan.default
    if machine.system == "windows" and plan.windows:
        text = plan.windows
    elif machine.system == "macos" and plan.macos:
        text = plan.macos
    _check(text)
    parts = (text.replace("\\", "/") if machine.system == "windows" else text).split("/")
    if parts[0] == "~":
        if machine.image:
            raise LocateError(f"{text!r} is in a home folder, and an image has none")
        return str(machine.paths.join(machine.home, *filter(None, parts[1:])))
    if machine.system == "windows" and "%" in text:
        return _expand(text, machine)
    if machine.paths.isabs(text) or text.startswith("/"):
        if scope.name != "managed":
            raise LocateError(f"{text!r} is absolute, which only the managed scope may use")
        return text
    if not scope.in_project or scope.project is None:
        raise LocateError(f"{text!r} is below a project, but the scope is {scope.name}")
    return str(machine.paths.join(scope.project, *filter(None, parts)))


def file_path(target: File, machine: Machine, scope: Scope) -> str:
    """Return the path of a target file. Raises LocateError."""
    path = target.path
    if machine.system == "windows" and target.windows:
        path = target.windows
    if not is_safe_relative(path):
        raise LocateError(f"{path!r} leaves its folder")
    return str(machine.paths.join(folder(target.dir, machine, scope), *path.split("/")))


def locate(target: File, machine: Machine, scope: Scope) -> Path:
    """Return the path of a target file, and check its links. Raises LocateError.

    A user's own links may lead anywhere, for example to a dotfiles repository. In a project the
    links are somebody else's, so the real file must be in the real project folder. An image's
    absolute links mean other files here, so the real file must be in the image.
    """
    path = image.here(machine.image, file_path(target, machine, scope))
    if scope.in_project and scope.project is not None:
        check_below(path, scope.project, "the project")
    elif machine.image:
        check_below(path, machine.image, "the image (an absolute one means another file there)")
    return Path(path)


def check_below(path: str, root: str, what: str) -> None:
    """Raise LocateError if a link leads a path out of a folder."""
    if real := image.escapes(path, root):
        raise LocateError(f"a link leads out of {what}, to {real}")


def _from_variable(name: str, value: str, inside: str, machine: Machine) -> str:
    if "\0" in value or not machine.paths.isabs(value):
        raise LocateError(f"{name}={value!r} is not an absolute path")
    if inside:
        _check(inside)
        if not is_safe_relative(inside):
            raise LocateError(f"{inside!r} leaves its folder")
    return str(machine.paths.join(value, *filter(None, inside.split("/"))))


def _expand(text: str, machine: Machine) -> str:
    """Return a path with ``%NAME%`` replaced as Windows does."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        found = machine.variable(name)
        if found is None and name.upper() in _WINDOWS_DEFAULTS:
            return str(machine.paths.join(machine.home, *_WINDOWS_DEFAULTS[name.upper()]))
        if found is None:
            raise LocateError(f"%{name}% is not set")
        return found

    result = ntpath.normpath(re.sub(r"%([A-Za-z_()0-9]+)%", value, text))
    if not ntpath.isabs(result):
        raise LocateError(f"{text!r} is not an absolute path here: {result!r}")
    return result


def _check(text: str) -> None:
    if not text or (not text.isprintable() and _has_control(text)):
        raise LocateError(f"{text!r} is not a plain folder")
    if ".." in text and ".." in text.replace("\\", "/").split("/"):
        raise LocateError(f"{text!r} leaves its folder")


def _has_control(text: str) -> bool:
    return any(ord(char) < 32 or ord(char) == 127 for char in text)
