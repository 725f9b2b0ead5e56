"""The placeholders in a plan's values, and the caller they are resolved for."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.templates import fill_folders
from hatch_agentplugin.transaction.image import here
from hatch_agentplugin.words import FOLDERS, PLUGIN_DATA

_PLACEHOLDERS = ("$text", "$program", "$line", "$file")


class PlaceholderError(ValueError):
    """A placeholder that has no value here; only its own placement is left out."""


def is_placeholder(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a placeholder."""
    return len(value) == 1 and next(iter(value)) in _PLACEHOLDERS


def resolve(node: Mapping[str, Any], who: Caller) -> str:
    """Return the value of a placeholder. Raises PlaceholderError."""
    ((kind, value),) = node.items()
    if kind == "$line" and isinstance(value, list):
        return shlex.join(
            resolve(item, who) if isinstance(item, dict) else str(item) for item in value
        )
    if not isinstance(value, str):
        raise PlaceholderError(f"{node!r} is not a string")
    if kind == "$program":
        return _program(value, who)
    if kind == "$file":
        return _file(value, who)
    return _text(value, who)


def _text(text: str, who: Caller) -> str:
    root, data = who.root, str(Path(who.launcher).parent / "data")
    if who.managed and PLUGIN_DATA in text:
        raise PlaceholderError("it names a folder that differs for each user")
    if who.shared and any(folder in text for folder in FOLDERS):
        raise PlaceholderError(
            "it holds a path of this machine, which can't be shared in a project"
        )
    return fill_folders(text, root, data)


def _program(name: str, who: Caller) -> str:
    """Return the path of a program: hosts start without the environment's PATH."""
    if who.shared or not who.programs:
        return name
    for ending in (".exe", ".cmd", "") if who.on_windows else ("",):
        path = os.path.join(who.programs, name + ending)
        real = here(who.image, path)
        if os.path.isfile(real) and os.access(real, os.X_OK):
            return path
    return name


def _file(name: str, who: Caller) -> str:
    root = os.path.realpath(here(who.image, who.root))
    path = os.path.realpath(os.path.join(root, name))
    if not is_safe_relative(name) or os.path.commonpath([path, root]) != root:
        raise PlaceholderError(f"{name} leads out of the bundle")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise PlaceholderError(f"{path}: {error}; install the plugin again") from None


def server_command(value: Any) -> tuple[str, ...]:
    """Return the command or URL of an MCP server, to show to the user."""
    return tuple(_shown(value))


def _shown(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        program = value.get("command", value.get("cmd"))
        args = value.get("args", [])
        if isinstance(program, str):
            yield shlex.join([program, *map(str, args)])
        elif isinstance(program, list):
            yield shlex.join(map(str, program))
        else:
            keys = ("url", "httpUrl", "serverUrl", "uri")
            yield from (value[key] for key in keys if isinstance(value.get(key), str))


Shell = Literal["sh", "cmd", "powershell", "bash", "none"]


@dataclass(frozen=True)
class Caller:
    """The plugin and host that a command is for, and the paths and shell it needs."""

    plugin: str
    """The plugin's id."""
    host: str
    launcher: str
    """Absolute path of the plugin's launcher on this machine."""
    shell: Shell = "sh"
    """The host's shell; ``sh`` on every system but Windows."""
    shared: bool = False
    """The file belongs to a project, so it may not hold a path of this machine."""
    managed: bool = False
    """The file is for all users, so it may not hold a path of one user."""
    flag: str = ""
    """A third argument for the launcher; empty for none."""
    root: str = ""
    """The plugin's bundle: ``${PLUGIN_ROOT}``."""
    programs: str = ""
    """The folder of the environment's programs."""
    image: str = ""
    """The image that these paths are in; empty for this machine."""

    @property
    def on_windows(self) -> bool:
        """Whether the launcher is the batch file for Windows."""
        return self.shell != "sh"

    def arguments(self, slot: str) -> list[str]:
        """Return the launcher's arguments for a slot."""
        return [self.host, slot, self.flag] if self.flag else [self.host, slot]
