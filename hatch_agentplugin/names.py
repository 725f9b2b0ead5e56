"""Which names and paths may be used, and how names are compared. Standard library only."""

from __future__ import annotations

import re

#: Variables that the launcher sets for commands, and the prefixes of all its variables.
LAUNCHER_VARIABLES = ("PLUGIN_ROOT", "PLUGIN_DATA", "AGENT_PLUGIN_", "AP_")

_ID = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
_SLOT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}")
_PROGRAM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SERVER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL = re.compile(r"[\x00-\x1f]")
_UNSAFE = re.compile(r'[\x00-\x1f\\:*?"<>|]')


def normalize(name: str) -> str:
    """Return a distribution's name as PEP 503 normalises it; this is also a plugin's id."""
    return re.sub(r"[-_.]+", "-", name).lower()


def fold(name: str) -> str:
    """Return the letters and digits of a name in lower case, for comparing spellings."""
    return "".join(char for char in name.lower() if char.isalnum())


def is_id(text: str) -> bool:
    """Tell whether a text can be the id of a plugin or a host."""
    return _ID.fullmatch(text) is not None


def is_slot(text: str) -> bool:
    """Tell whether a text can name a slot."""
    return _SLOT.fullmatch(text) is not None


def is_program(text: str) -> bool:
    """Tell whether a text is the bare name of a program."""
    return _PROGRAM.fullmatch(text) is not None


def is_variable(text: str) -> bool:
    """Tell whether a text can name an environment variable."""
    return _VARIABLE.fullmatch(text) is not None


def is_launcher_variable(text: str) -> bool:
    """Tell whether a variable is one of those that the launcher sets. Windows ignores case."""
    return text.upper().startswith(LAUNCHER_VARIABLES)


def is_server_name(text: str) -> bool:
    """Tell whether a text can name an MCP server, or a command of an agent."""
    return _SERVER.fullmatch(text) is not None


def is_header(text: str) -> bool:
    """Tell whether a text can name an HTTP header."""
    return _HEADER.fullmatch(text) is not None


def is_safe_relative(path: str) -> bool:
    """Tell whether a path stays below the folder it is relative to, on every system."""
    if not path or path[0] == "/" or _UNSAFE.search(path):
        return False
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return ".." not in parts and "~" not in parts[:1]


def is_plain_folder(folder: str) -> bool:
    """Tell whether a folder's path has no ``..`` and no control character; it may be empty."""
    return ".." not in folder.split("/") and not _CONTROL.search(folder)
