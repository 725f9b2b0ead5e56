"""The portable ``hooks.json``, as the public proposal for Agent Plugins 1.1.0 has it::

    {"$schema": "https://agent-plugins.org/schemas/1.1.0/hooks.schema.json",
     "hooks": {"turn-end": [{"command": "./scripts/turn-end.sh", "args": ["${PLUGIN_DATA}/state"]}]}}

Six events, commands only, and nothing that a command does changes what the agent does. An entry
that is wrong is skipped and reported alone. Standard library only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hatch_agentplugin.declaration import DEFAULT_TIMEOUT, Hook
from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.plan import dump
from hatch_agentplugin.words import EVENTS, PORTABLE_EVENTS, canonical_event, nearest

FILE = "hooks.json"
SCHEMA = "https://agent-plugins.org/schemas/1.1.0/hooks.schema.json"
#: More than any plugin says; a file beyond it is not read.
MAX_BYTES = 1024 * 1024
MAX_HOOKS = 200

_KEYS = ("command", "args", "env", "cwd")
_PROGRAM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OURS = ("PLUGIN_ROOT", "PLUGIN_DATA", "AGENT_PLUGIN_", "AP_")
_PLACES = ("${PLUGIN_ROOT}", "${PLUGIN_DATA}")


class HooksError(ValueError):
    """A ``hooks.json`` of which nothing can be used; the message says why and what to do."""


class _Bad(ValueError):
    """One entry that can't be used."""


@dataclass(frozen=True)
class Read:
    """What a ``hooks.json`` declares."""

    hooks: tuple[Hook, ...] = ()
    notes: tuple[str, ...] = ()
    """A line for everything that was skipped, with its place in the file."""


@dataclass
class _Notes:
    lines: list[str] = field(default_factory=list)

    def add(self, where: str, why: str) -> None:
        self.lines.append(f"{FILE}: {where}: {why}")


# --- writing ---


def write(hooks: Iterable[Hook]) -> tuple[bytes | None, list[str]]:
    """The file for what is portable of these hooks, and a line for each that is not.

    None where nothing is.
    """
    document: dict[str, list[dict[str, Any]]] = {event: [] for event in PORTABLE_EVENTS}
    notes = _Notes()
    for hook in hooks:
        why = _why_not_portable(hook)
        if why:
            notes.add(hook.key, f"left out: {why}")
            continue
        document[hook.event].append(_entry(hook))
        if hook.timeout != DEFAULT_TIMEOUT:
            notes.add(hook.key, "without its timeout, which the format leaves to the client")
        if hook.result != "none":
            notes.add(hook.key, "without its result, which other clients drop")
    rows = {event: entries for event, entries in document.items() if entries}
    return (dump({"$schema": SCHEMA, "hooks": rows}) if rows else None), notes.lines


def _why_not_portable(hook: Hook) -> str:
    if hook.command is None:
        return "a handler answers in Python; the format has commands that observe"
    if hook.event not in PORTABLE_EVENTS:
        return f"the format has no event {hook.event}"
    for key in ("tools", "hosts", "when"):
        if getattr(hook, key):
            return f'the format has no "{key}", and without it the command would run too often'
    if hook.cwd is not None and not hook.cwd.startswith(_PLACES):
        return "the format has no working folder in the user's project"
    return ""


def _entry(hook: Hook) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": hook.command}
    entry |= {"args": list(hook.args)} if hook.args else {}
    entry |= {"env": dict(hook.env)} if hook.env else {}
    return entry | ({"cwd": hook.cwd} if hook.cwd is not None else {})


# --- reading ---


def read(data: bytes, is_file: Callable[[str], bool]) -> Read:
    """The hooks of a file; ``is_file`` says whether the plugin has a file at a relative path.

    Raises :class:`HooksError` where nothing of it can be used.
    """
    notes = _Notes()
    rows = document(data, notes.add)
    found: list[Hook] = []
    for event, entries in rows.items():
        if event not in PORTABLE_EVENTS:
            notes.add(f"hooks.{event}", _unknown_event(event))
        elif not isinstance(entries, list):
            notes.add(f"hooks.{event}", "skipped: an array of hooks is expected")
        else:
            found += _hooks(event, entries, is_file, notes)
    if len(found) > MAX_HOOKS:
        notes.add("hooks", f"only the first {MAX_HOOKS} of {len(found)} hooks are used")
    return Read(tuple(found[:MAX_HOOKS]), tuple(notes.lines))


def document(data: bytes, note: Callable[[str, str], None]) -> Mapping[str, Any]:
    """The value of ``hooks`` in the file; ``note`` gets what is skipped around it.

    Raises :class:`HooksError`.
    """
    if len(data) > MAX_BYTES:
        raise HooksError(f"{FILE}: larger than {MAX_BYTES} bytes; nothing of it is used")
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise HooksError(f"{FILE}: is not JSON: {error}") from None
    if not isinstance(raw, dict):
        raise HooksError(f"{FILE}: an object is expected, not {_kind(raw)}")
    schema = raw.get("$schema")
    if schema is None:
        note("$schema", f'missing; taken for "{SCHEMA}"')
    elif schema != SCHEMA:
        raise HooksError(
            f"{FILE}: $schema: {schema!r:.100} is not known here; write {SCHEMA!r}, "
            "or update hatch-agentplugin"
        )
    for key in raw:
        if key not in ("$schema", "hooks"):
            note(key, "unknown key, ignored; allowed: $schema, hooks")
    hooks = raw.get("hooks")
    if not isinstance(hooks, dict):
        raise HooksError(f'{FILE}: hooks: an object is expected, as {{"turn-end": [...]}}')
    return hooks


def _hooks(
    event: str, entries: Sequence[Any], is_file: Callable[[str], bool], notes: _Notes
) -> Iterator[Hook]:
    for n, entry in enumerate(entries, 1):
        key = f"hooks.{event}[{n}]"
        try:
            yield _hook(key, event, entry, is_file)
        except _Bad as error:
            notes.add(key, f"skipped: {error}")


def _hook(key: str, event: str, entry: Any, is_file: Callable[[str], bool]) -> Hook:
    if not isinstance(entry, dict):
        raise _Bad(f"an object is expected, not {_kind(entry)}")
    for name in entry:
        if name not in _KEYS:
            raise _Bad(f'unknown key "{name}"; allowed: {", ".join(_KEYS)}')
    command = _command(entry.get("command"), is_file)
    args = entry.get("args", [])
    if not isinstance(args, list) or not all(map(_is_text, args)):
        raise _Bad("args: an array of strings is expected")
    return Hook(
        key=key,
        event=event,
        command=command,
        args=tuple(args),
        env=_variables(entry.get("env", {})),
        cwd=_folder(entry["cwd"]) if "cwd" in entry else None,
    )


def _command(value: Any, is_file: Callable[[str], bool]) -> str:
    if not _is_text(value) or not value:
        raise _Bad("command: one executable is expected")
    path = str(value)
    if path.startswith("./"):
        if not is_safe_relative(path[2:]):
            raise _Bad(f'command: "{path}" leaves the plugin')
        if not is_file(path[2:]):
            raise _Bad(f'command: the plugin has no file "{path}"')
    elif not _PROGRAM.fullmatch(path):
        raise _Bad(
            f'command: "{path:.80}" is not one executable; a bare name or a path with "./" is, '
            "and args take the rest"
        )
    return path


def _variables(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(map(_is_text, value.values())):
        raise _Bad("env: an object of strings is expected")
    for name in value:
        if not _VARIABLE.fullmatch(name):
            raise _Bad(f'env: "{name}" is not a variable name')
        if name.upper().startswith(_OURS):
            raise _Bad(f'env: "{name}" is set by the launcher itself')
    return dict(value)


def _folder(value: Any) -> str:
    if not _is_text(value):
        raise _Bad("cwd: a string is expected")
    text = str(value)
    text = "${PLUGIN_ROOT}/" + text[2:] if text.startswith("./") else text
    start = next((name for name in _PLACES if text.startswith(name)), None)
    below = text.removeprefix(start or "")
    if start is None or (below and not below.startswith("/")):
        raise _Bad(f'cwd: "{value}" starts with none of ./, {", ".join(_PLACES)}')
    below = below.strip("/")
    if below and not is_safe_relative(below):
        raise _Bad(f'cwd: "{value}" leaves its folder')
    return f"{start}/{below}" if below else start


def _unknown_event(name: str) -> str:
    known = canonical_event(name)
    near = known if known in PORTABLE_EVENTS else nearest(name, PORTABLE_EVENTS)
    if known in EVENTS and near is None:
        return f"skipped: {known} is not among the portable events, {', '.join(PORTABLE_EVENTS)}"
    hint = f'did you mean "{near}"? Allowed' if near else "allowed"
    return f"skipped: unknown event; {hint}: {', '.join(PORTABLE_EVENTS)}"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
