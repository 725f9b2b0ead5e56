"""Writes and reads the portable ``hooks.json``, by the public proposal for Agent Plugins 1.1.0::

    {"$schema": "https://agent-plugins.org/schemas/1.1.0/hooks.schema.json",
     "hooks": {"turn-end": [{"command": "./scripts/turn-end.sh", "args": ["${PLUGIN_DATA}/state"]}]}}

The format has six events and commands that only observe. A wrong entry is skipped with a note.
Standard library only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hatch_agentplugin.agent_plugins.entry_values import (
    EntryError,
    IsFile,
    args_of,
    check_keys,
    command_of,
    strings_of,
    working_folder,
)
from hatch_agentplugin.declaration import DEFAULT_TIMEOUT, Hook
from hatch_agentplugin.names import is_launcher_variable, is_variable
from hatch_agentplugin.plan import dump
from hatch_agentplugin.words import EVENTS, FOLDERS, PORTABLE_EVENTS, canonical_event, nearest

FILE = "hooks.json"
SCHEMA = "https://agent-plugins.org/schemas/1.1.0/hooks.schema.json"
#: A larger file is not read.
MAX_BYTES = 1024 * 1024
MAX_HOOKS = 200
#: Keys of a hook in the format.
KEYS = ("command", "args", "env", "cwd")


class HooksError(ValueError):
    """A ``hooks.json`` that cannot be used at all; the message says why and what to do."""


@dataclass(frozen=True)
class Read:
    """The content of a ``hooks.json``."""

    hooks: tuple[Hook, ...] = ()
    notes: tuple[str, ...] = ()
    """A line for everything that was skipped, with its key in the file."""


@dataclass
class _Notes:
    lines: list[str] = field(default_factory=list)

    def add(self, where: str, why: str) -> None:
        self.lines.append(f"{FILE}: {where}: {why}")


# --- writing ---


def write(hooks: Iterable[Hook]) -> tuple[bytes | None, list[str]]:
    """Return the file for the portable hooks, None if there are none, and notes about the rest."""
    document: dict[str, list[dict[str, Any]]] = {event: [] for event in PORTABLE_EVENTS}
    notes = _Notes()
    for hook in hooks:
        why = _why_not_portable(hook)
        if why:
            notes.add(hook.key, f"left out: {why}")
            continue
        document[hook.event].append(_entry(hook))
        if hook.timeout != DEFAULT_TIMEOUT:
            notes.add(hook.key, "written without timeout, which the format does not have")
        if hook.result != "none":
            notes.add(hook.key, "written without result, so other clients drop the output")
    rows = {event: entries for event, entries in document.items() if entries}
    return (dump({"$schema": SCHEMA, "hooks": rows}) if rows else None), notes.lines


def _why_not_portable(hook: Hook) -> str:
    if hook.command is None:
        return "it is a handler, and the format has only commands"
    if hook.event not in PORTABLE_EVENTS:
        return f"the format has no event {hook.event}"
    for key in ("tools", "hosts", "when"):
        if getattr(hook, key):
            return f'the format has no "{key}", and without it the command would run too often'
    if hook.cwd is not None and not hook.cwd.startswith(FOLDERS):
        return "the format has no working folder in the user's project"
    return ""


def _entry(hook: Hook) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": hook.command}
    entry |= {"args": list(hook.args)} if hook.args else {}
    entry |= {"env": dict(hook.env)} if hook.env else {}
    return entry | ({"cwd": hook.cwd} if hook.cwd is not None else {})


# --- reading ---


def read(data: bytes, is_file: IsFile) -> Read:
    """Read the hooks of a file. Raises :class:`HooksError` if it cannot be used at all."""
    notes = _Notes()
    rows = document(data, notes.add)
    found: list[Hook] = []
    for event, entries in rows.items():
        if event not in PORTABLE_EVENTS:
            notes.add(f"hooks.{event}", _unknown_event(event))
        elif not isinstance(entries, list):
            notes.add(f"hooks.{event}", "skipped: must be an array of hooks")
        else:
            found += _hooks(event, entries, is_file, notes)
    if len(found) > MAX_HOOKS:
        notes.add("hooks", f"only the first {MAX_HOOKS} of {len(found)} hooks are used")
    return Read(tuple(found[:MAX_HOOKS]), tuple(notes.lines))


def document(data: bytes, note: Callable[[str, str], None]) -> Mapping[str, Any]:
    """Return ``hooks`` from the file; call ``note`` with the key and reason of each omission.

    Raises :class:`HooksError`.
    """
    if len(data) > MAX_BYTES:
        raise HooksError(f"{FILE}: must not be larger than {MAX_BYTES} bytes; no hook is used")
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise HooksError(f"{FILE}: not valid JSON: {error}") from None
    if not isinstance(raw, dict):
        raise HooksError(f"{FILE}: must be an object, got {_kind(raw)}")
    _check_schema(raw.get("$schema"), note)
    for key in raw:
        if key not in ("$schema", "hooks"):
            note(key, "unknown key, ignored; allowed: $schema, hooks")
    hooks = raw.get("hooks")
    if not isinstance(hooks, dict):
        raise HooksError(f'{FILE}: hooks: must be an object, for example {{"turn-end": [...]}}')
    return hooks


def _check_schema(schema: Any, note: Callable[[str, str], None]) -> None:
    if schema is None:
        note("$schema", f'missing; "{SCHEMA}" is assumed')
    elif schema != SCHEMA:
        raise HooksError(
            f'{FILE}: $schema: must be "{SCHEMA}", got {schema!r:.100}; '
            "for a newer version update hatch-agentplugin"
        )


def _hooks(event: str, entries: Sequence[Any], is_file: IsFile, notes: _Notes) -> Iterator[Hook]:
    for n, entry in enumerate(entries, 1):
        key = f"hooks.{event}[{n}]"
        try:
            yield _hook(key, event, entry, is_file)
        except EntryError as error:
            notes.add(key, f"skipped: {error}")


def _hook(key: str, event: str, entry: Any, is_file: IsFile) -> Hook:
    if not isinstance(entry, dict):
        raise EntryError(f"must be an object, got {_kind(entry)}")
    check_keys(entry, KEYS)
    return Hook(
        key=key,
        event=event,
        command=command_of(entry, is_file),
        args=args_of(entry),
        env=_variables(entry),
        cwd=working_folder(entry["cwd"]) if "cwd" in entry else None,
    )


def _variables(entry: Mapping[str, Any]) -> dict[str, str]:
    variables = strings_of(entry, "env")
    for name in variables:
        if not is_variable(name):
            raise EntryError(f'env: "{name}" is not a valid variable name')
        if is_launcher_variable(name):
            raise EntryError(f'env: "{name}" is set by the launcher')
    return variables


def _unknown_event(name: str) -> str:
    known = canonical_event(name)
    near = known if known in PORTABLE_EVENTS else nearest(name, PORTABLE_EVENTS)
    allowed = ", ".join(PORTABLE_EVENTS)
    if known in EVENTS and near is None:
        return f"skipped: {known} is not a portable event; allowed: {allowed}"
    hint = f'did you mean "{near}"? Allowed' if near else "allowed"
    return f"skipped: unknown event; {hint}: {allowed}"


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
