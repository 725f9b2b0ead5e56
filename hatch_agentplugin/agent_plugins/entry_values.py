"""Checks of the values that entries of ``hooks.json`` and ``mcp.json`` share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeGuard

from hatch_agentplugin.names import is_program, is_safe_relative
from hatch_agentplugin.words import FOLDERS, PLUGIN_ROOT

#: Tells whether the plugin has a file at a relative path.
IsFile = Callable[[str], bool]


class EntryError(ValueError):
    """One entry that cannot be used; the message is the reason."""


def check_keys(entry: Mapping[str, Any], allowed: Collection[str]) -> None:
    """Check that an entry has only allowed keys. Raises :class:`EntryError`."""
    for key in entry:
        if key not in allowed:
            raise EntryError(f'unknown key "{key}"; allowed: {", ".join(allowed)}')


def command_of(entry: Mapping[str, Any], is_file: IsFile) -> str:
    """Return the executable of an entry. Raises :class:`EntryError`."""
    command = entry.get("command")
    if not is_text(command) or not command:
        raise EntryError("command: must be a string with one executable")
    if command.startswith("./"):
        if not is_safe_relative(command[2:]):
            raise EntryError(f'command: "{command}" is outside the plugin')
        if not is_file(command[2:]):
            raise EntryError(f'command: the plugin has no file "{command}"')
    elif not is_program(command):
        raise EntryError(
            f'command: "{command:.80}" is not one executable; write a bare name or a "./" path, '
            "and arguments in args"
        )
    return command


def args_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the arguments of an entry. Raises :class:`EntryError`."""
    args = entry.get("args", [])
    if not isinstance(args, list) or not all(map(is_text, args)):
        raise EntryError("args: must be an array of strings")
    return tuple(args)


def strings_of(entry: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return an object of strings in an entry. Raises :class:`EntryError`."""
    value = entry.get(key, {})
    if not isinstance(value, dict) or not all(map(is_text, value.values())):
        raise EntryError(f"{key}: must be an object of strings")
    return dict(value)


def working_folder(value: Any) -> str:
    """Return ``cwd`` as a placeholder and a path below it; ``./x`` becomes ``${PLUGIN_ROOT}/x``.

    Raises :class:`EntryError`.
    """
    if not is_text(value):
        raise EntryError("cwd: must be a string")
    text = f"{PLUGIN_ROOT}/{value[2:]}" if value.startswith("./") else value
    start = next((folder for folder in FOLDERS if text.startswith(folder)), None)
    below = text.removeprefix(start or "")
    if start is None or (below and not below.startswith("/")):
        raise EntryError(f'cwd: "{value}" must begin with ./, {" or ".join(FOLDERS)}')
    below = below.strip("/")
    if below and not is_safe_relative(below):
        raise EntryError(f'cwd: "{value}" is outside its folder')
    return f"{start}/{below}" if below else start


def is_text(value: Any) -> TypeGuard[str]:
    """Tell whether a value is a string that a program can receive."""
    return isinstance(value, str) and "\0" not in value
