"""Where a plan's folders and files are on this machine.

Pure rules over strings (`folder`, `file_path`) that hold for every system, so that the Windows
and macOS rules are testable anywhere, and `locate`, which adds the look at real links.
"""

from __future__ import annotations

import os
import posixpath
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Literal

from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.plan import Dir, File, ScopeName
from hatch_agentplugin.transaction import image

System = Literal["linux", "macos", "windows"]

#: Where Windows keeps these below the home folder when the variable itself is missing.
_WINDOWS_DEFAULTS = {
    "USERPROFILE": (),
    "APPDATA": ("AppData", "Roaming"),
    "LOCALAPPDATA": ("AppData", "Local"),
}


class LocateError(ValueError):
    """A folder or file that cannot be used; the message says why."""


@dataclass(frozen=True)
class Machine:
    """What placing has to know of the user's machine."""

    environ: Mapping[str, str]
    """Environment variables; one that is set to nothing counts as not set."""
    home: str
    """The home folder, absolute."""
    system: System
    """Which system's rules hold."""
    image: str = ""
    """The folder that will be ``/`` elsewhere, links resolved; empty for this very machine."""

    @classmethod
    def here(cls, environ: Mapping[str, str] | None = None, image: str = "") -> Machine:
        """The machine this program runs on, or an image that is prepared on it."""
        environ = os.environ if environ is None else environ
        windows = sys.platform == "win32"
        home = environ.get("USERPROFILE" if windows else "HOME") or os.path.expanduser("~")
        system: System = "windows" if windows else "macos" if sys.platform == "darwin" else "linux"
        return cls(environ, os.path.abspath(home), system, image)

    @property
    def paths(self) -> ModuleType:
        """The path module with this system's rules."""
        if self.system == "windows":
            import ntpath  # late: elsewhere it is of no use

            return ntpath
        return posixpath

    def variable(self, name: str) -> str | None:
        """A variable's value, or None where it is missing or empty."""
        if self.system == "windows":
            for key, value in self.environ.items():
                if key.upper() == name.upper():
                    return value or None
            return None
        return self.environ.get(name) or None


@dataclass(frozen=True)
class Place:
    """The scope and the project that a placement is for."""

    scope: ScopeName = "user"
    project: str | None = None
    """The project folder, absolute; None for the user and managed scopes."""

    @property
    def in_project(self) -> bool:
        """Whether the files stand below a project."""
        return self.scope in ("project", "local")


#: Where an administrator's launchers and ledger are, for all users of a machine: a folder that only
#: an administrator can write to or make (``/usr/local`` may belong to a group or, with Homebrew, to
#: a user; anybody may make folders in ``%ProgramData%``), without blanks where that can be had,
#: because some hosts split a command at them.
SYSTEM_FOLDERS: Mapping[System, str] = {
    "linux": "/var/lib/agent-plugin",
    "macos": "/Library/agent-plugin",
    "windows": "%ProgramFiles%/agent-plugin",
}


def system_folder(machine: Machine) -> str:
    """The folder of what is placed for all users, as it is named there. Raises LocateError."""
    text = SYSTEM_FOLDERS[machine.system]
    return _expand(text, machine) if machine.system == "windows" else text


def folder(plan: Dir, machine: Machine, place: Place) -> str:
    """The folder of a plan as the host finds it. Raises LocateError.

    In an image it is the folder as the image will name it.
    """
    if machine.image and place.scope != "managed":
        raise LocateError(f"an image has no files of a user's, which the {place.scope} scope means")
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
        if place.scope != "managed":
            raise LocateError(f"{text!r} is absolute, which only the managed scope may use")
        return text
    if not place.in_project or place.project is None:
        raise LocateError(f"{text!r} is below a project, but the scope is {place.scope}")
    return str(machine.paths.join(place.project, *filter(None, parts)))


def file_path(target: File, machine: Machine, place: Place) -> str:
    """The path of a target file. Raises LocateError."""
    path = target.path
    if machine.system == "windows" and target.windows:
        path = target.windows
    if not is_safe_relative(path):
        raise LocateError(f"{path!r} leaves its folder")
    return str(machine.paths.join(folder(target.dir, machine, place), *path.split("/")))


def locate(target: File, machine: Machine, place: Place) -> Path:
    """The path of a target file, with the links on the way looked at. Raises LocateError.

    A user's own links are followed (settings kept in a dotfiles repository). In a project they are
    somebody else's: there the real file has to be below the real project folder. So it is in an
    image, whose absolute links mean something else here.
    """
    path = image.here(machine.image, file_path(target, machine, place))
    if place.in_project and place.project is not None:
        check_below(path, place.project, "the project")
    elif machine.image:
        check_below(path, machine.image, "the image (an absolute one means another file there)")
    return Path(path)


def check_below(path: str, root: str, what: str) -> None:
    """Refuse a path that a link leads out of a folder. Raises LocateError."""
    real, root = os.path.realpath(path), os.path.realpath(root)
    if os.path.commonpath([real, root]) != root or real == root:
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
    """Replace ``%NAME%`` as Windows does."""
    import ntpath
    import re

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
