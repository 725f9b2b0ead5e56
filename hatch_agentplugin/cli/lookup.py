"""Looks up the plugins, agents and events that users name, and suggests a name for a wrong one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hatch_agentplugin.cli.errors import UsageError
from hatch_agentplugin.names import normalize
from hatch_agentplugin.words import EVENTS, canonical_event, nearest, nearest_event

#: The value of ``--host`` that means every agent.
EVERY = "*"


def is_plugin(name: str, ids: Collection[str]) -> bool:
    """Return whether one of the plugins has this name, in any spelling."""
    return name in ids or normalize(name) in ids


def plugin_id(name: str, ids: Collection[str]) -> str:
    """Return the id of the plugin with this name, in any spelling. Raises UsageError."""
    for candidate in (name, normalize(name)):
        if candidate in ids:
            return candidate
    if not ids:
        raise UsageError(f'unknown plugin "{name}"; no plugin is installed or active')
    raise UsageError(f'unknown plugin "{name}"{suggestion(name, ids)}')


def split_names(option: str, given: Sequence[str]) -> list[str]:
    """Return the names in an option that can be repeated and takes several names with commas.

    Raises UsageError if there are none.
    """
    names = [name.strip() for text in given for name in text.split(",") if name.strip()]
    if not names:
        raise UsageError(f"{option} needs at least one name")
    return names


def host_names(given: Sequence[str] | None, allowed: Collection[str]) -> list[str] | None:
    """Return the ids of the hosts that ``--host`` names, None without ``--host``.

    Raises UsageError for a host that is not among the allowed ones.
    """
    if given is None:
        return None
    result: dict[str, None] = {}
    for name in split_names("--host", given):
        if name == EVERY:
            result.update(dict.fromkeys(sorted(allowed)))
        elif name in allowed:
            result[name] = None
        else:
            raise UsageError(f'unknown agent "{name}"{suggestion(name, allowed)}')
    return list(result)


def event_name(name: str) -> str:
    """Return the canonical event for any spelling. Raises UsageError."""
    found = canonical_event(name)
    if found is None:
        near = nearest_event(name)
        hint = f'; did you mean "{near}"?' if near else f"; known events: {', '.join(EVENTS)}"
        raise UsageError(f'unknown event "{name}"{hint}')
    return found


def suggestion(name: str, allowed: Collection[str]) -> str:
    """Return the end of an error about an unknown name: the nearest name, or all names."""
    near = nearest(name, allowed)
    if near:
        return f'; did you mean "{near}"?'
    return f"; known: {', '.join(sorted(allowed))}" if allowed else ""
