"""What the keys of one hook must be together. Standard library only.

The rules read the raw table, so that they speak also where single values are wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from hatch_agentplugin.config.paths import with_braces
from hatch_agentplugin.problems import Mistake
from hatch_agentplugin.words import CONTEXT, DENY, EVENTS, nearest

_COMMAND_KEYS = ("args", "env", "cwd", "result")
#: Programs that fill in variables without braces by themselves: the launcher has set them.
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "fish")


def broken_rules(
    event: str | None, hook: Mapping[str, Any], known: Collection[str]
) -> Iterator[tuple[str, Mistake]]:
    """The key and the mistake for every rule that a hook breaks.

    ``event`` is the canonical name, None where it is unknown; ``known`` are all keys of a hook.
    """
    yield from _kind(hook, known)
    yield from _arguments(hook)
    if event is not None and "tools" in hook and not EVENTS[event].tool:
        names = ", ".join(name for name, info in EVENTS.items() if info.tool)
        yield "tools", Mistake(f"{event} is not about a tool", f"remove it; allowed for: {names}")
    told = hook.get("result") == "context"
    if event is not None and told and CONTEXT not in EVENTS[event].outcomes:
        names = ", ".join(name for name, info in EVENTS.items() if CONTEXT in info.outcomes)
        yield "result", Mistake(f"{event} takes no context", f"remove it; allowed for: {names}")
    denied = hook.get("on-error") == "deny" and "command" not in hook
    if event is not None and denied and DENY not in EVENTS[event].outcomes:
        names = ", ".join(name for name, info in EVENTS.items() if DENY in info.outcomes)
        yield "on-error", Mistake(f"{event} can't be denied", f"remove it; allowed for: {names}")


def _kind(hook: Mapping[str, Any], known: Collection[str]) -> Iterator[tuple[str, Mistake]]:
    has_handler, has_command = "handler" in hook, "command" in hook
    if has_handler and has_command:
        yield (
            "",
            Mistake(
                "both handler and command",
                "keep one; a second hook of the event can have the other",
            ),
        )
    elif has_handler:
        for key in _COMMAND_KEYS:
            if key in hook:
                yield key, Mistake("is for commands", "remove it; a handler gets the event instead")
    elif has_command and "on-error" in hook:
        yield (
            "on-error",
            Mistake(
                "is for handlers", "remove it; a command's failure never alters what the host does"
            ),
        )
    elif not has_command and not _is_misspelt(hook, known):
        yield (
            "",
            Mistake(
                "neither handler nor command",
                'write handler = "package.module:callable" or command = "./scripts/hook.sh"',
            ),
        )


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
    """Whether an unknown key, reported by itself, is what should name the handler or command."""
    return any(key not in known and nearest(key, ("handler", "command")) for key in hook)
