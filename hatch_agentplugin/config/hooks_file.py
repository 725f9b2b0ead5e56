"""Reads the hooks of a portable file, for ``hooks = "hooks.json"``. Standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hatch_agentplugin.agent_plugins import hooks as portable
from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.problems import TABLE, ConfigError, Problem, quoted
from hatch_agentplugin.words import PLUGIN_ROOT, PORTABLE_EVENTS

_WHERE = f"{TABLE}.hooks"
_KEYS = ("command", "args", "env", "cwd")


def expand(table: Any, root: Path) -> Any:
    """Return the table with the hooks of the file that it names; any other table unchanged.

    Every mistake in the file is an error, since the author can correct it. Raises
    :class:`ConfigError`.
    """
    name = table.get("hooks") if isinstance(table, dict) else None
    if not isinstance(name, str):
        return table
    path = name.removeprefix("./")
    if not is_safe_relative(path):
        raise _error(f"{quoted(name)} is not a path inside the project", 'write "hooks.json"')
    try:
        data = (root / path).read_bytes()
    except OSError as error:
        raise _error(f"{quoted(name)} cannot be read: {error.strerror}", "write the file") from None
    problems: list[Problem] = []

    def note(where: str, why: str) -> None:
        if where != "$schema":
            problems.append(Problem(_WHERE, f"{name}: {where}: {why}", "remove it"))

    try:
        rows = portable.document(data, note)
    except portable.HooksError as error:
        raise _error(str(error), f"correct {name}") from None
    problems += _not_portable(name, rows)
    if problems:
        raise ConfigError(problems)
    return {**table, "hooks": {event: [_entry(item) for item in rows[event]] for event in rows}}


def _not_portable(name: str, rows: Mapping[str, Any]) -> list[Problem]:
    problems = []
    for event, entries in rows.items():
        if event not in PORTABLE_EVENTS:
            advice = f"allowed: {', '.join(PORTABLE_EVENTS)}; declare others in pyproject.toml"
            problems.append(
                Problem(_WHERE, f"{name}: {quoted(event)} is not a portable event", advice)
            )
        if not isinstance(entries, list) or not all(isinstance(item, dict) for item in entries):
            what = f"{name}: {event}: must be an array of objects"
            problems.append(Problem(_WHERE, what, 'write [{"command": "./hook.sh"}]'))
            continue
        for key in (key for item in entries for key in item if key not in _KEYS):
            advice = f"allowed: {', '.join(_KEYS)}; write others in pyproject.toml"
            what = f"{name}: {event}: {quoted(key)} is not a portable key"
            problems.append(Problem(_WHERE, what, advice))
    return problems


def _entry(item: Mapping[str, Any]) -> Mapping[str, Any]:
    folder = item.get("cwd")
    if isinstance(folder, str) and folder.startswith("./"):
        return {**item, "cwd": f"{PLUGIN_ROOT}/{folder[2:]}"}
    return item


def _error(what: str, advice: str) -> ConfigError:
    return ConfigError([Problem(_WHERE, what, advice)])
