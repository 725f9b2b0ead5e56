"""Rules about the keys of one hook together. Standard library only.

They read the raw table, so that they apply even if single values are wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from hatch_agentplugin.config.paths import with_braces
from hatch_agentplugin.problems import Mistake
from hatch_agentplugin.words import CONTEXT, DENY, EVENTS, nearest

_COMMAND_KEYS = ("args", "env", "cwd", "result")
#: Programs that expand variables without braces themselves; the launcher has set them.
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "fish")


def broken_rules(
    event: str | None, hook: Mapping[str, Any], known: Collection[str]
) -> Iterator[tuple[str, Mistake]]:
    """Yield the key and the mistake for every rule that a hook breaks.

    ``event`` is the canonical name, None if it is unknown; ``known`` are all keys of a hook.
    """
    yield from _kind(hook, known)
    yield from _arguments(hook)
    if event is not None:
        yield from _event_keys(event, hook)


def _event_keys(event: str, hook: Mapping[str, Any]) -> Iterator[tuple[str, Mistake]]:
    """Check the keys that only some events have."""
    info = EVENTS[event]
    if "tools" in hook and not info.tool:
        names = ", ".join(name for name, one in EVENTS.items() if one.tool)
        advice = f"remove it; allowed for: {names}"
        yield "tools", Mistake(f"{event} is not about a tool call", advice)
    if hook.get("result") == "context" and CONTEXT not in info.outcomes:
        advice = f"remove it; allowed for: {_events_with(CONTEXT)}"
        yield "result", Mistake(f"{event} does not accept context", advice)
    denies = hook.get("on-error") == "deny" and "command" not in hook
    if denies and DENY not in info.outcomes:
        advice = f"remove it; allowed for: {_events_with(DENY)}"
        yield "on-error", Mistake(f"{event} cannot be denied", advice)


def _events_with(outcome: str) -> str:
    return ", ".join(name for name, info in EVENTS.items() if outcome in info.outcomes)


def _kind(hook: Mapping[str, Any], known: Collection[str]) -> Iterator[tuple[str, Mistake]]:
    has_handler, has_command = "handler" in hook, "command" in hook
    if has_handler and has_command:
        advice = "keep one of them and write a second hook for the other"
        yield "", Mistake("has both handler and command", advice)
    elif has_handler:
        for key in _COMMAND_KEYS:
            if key in hook:
                advice = "remove it; a handler gets the event as its argument"
                yield key, Mistake("is for commands only", advice)
    elif has_command and "on-error" in hook:
        advice = "remove it; a command that fails never changes what the agent does"
        yield "on-error", Mistake("is for handlers only", advice)
    elif not has_command and not _is_misspelt(hook, known):
        advice = 'write handler = "package.module:callable" or command = "./scripts/hook.sh"'
        yield "", Mistake("has neither handler nor command", advice)


def _arguments(hook: Mapping[str, Any]) -> Iterator[tuple[str, Mistake]]:
    args = hook.get("args")
    if hook.get("command") in _SHELLS or not isinstance(args, list):
        return
    for n, text in enumerate(args, 1):
        try:
            with_braces(text if isinstance(text, str) else "")
        except Mistake as mistake:
            yield f"args[{n}]", mistake


def _is_misspelt(hook: Mapping[str, Any], known: Collection[str]) -> bool:
    """Tell whether an unknown key, which has its own error, is meant as handler or command."""
    return any(key not in known and nearest(key, ("handler", "command")) for key in hook)
