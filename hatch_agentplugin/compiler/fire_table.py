"""The fire table of one slot: what the dispatcher needs to answer one event of one host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hatch_agentplugin.adapter import Host, Native, Signature
from hatch_agentplugin.compiler.tools import matchers, native_names
from hatch_agentplugin.declaration import Hook
from hatch_agentplugin.templates import fill
from hatch_agentplugin.words import (
    ALLOW,
    ASK,
    CONTEXT,
    DENY,
    EVENTS,
    HALT,
    KEEP_GOING,
    MESSAGE,
    MODIFY_INPUT,
    MODIFY_OUTPUT,
)

#: Seconds between our own deadline and the host's, so that our answer comes first.
MARGIN = 5.0
#: How often in a row a turn is kept going; a host without a limit of its own would loop forever.
TURN_LIMIT = 5

#: What an outcome becomes where the host can't express it: another outcome, tried in order.
_INSTEAD: dict[str, tuple[str, ...]] = {ASK: (DENY,), HALT: (DENY,)}
_LOST: dict[str, str] = {
    ALLOW: "the host asks as it would without the hook",
    DENY: "the host can't be made to refuse here",
    ASK: "the host can neither ask nor refuse here",
    CONTEXT: "the host has no channel for context here",
    MODIFY_INPUT: "the host can't change the input; the call goes on unchanged",
    MODIFY_OUTPUT: "the host can't change the output",
    KEEP_GOING: "the host can't be kept going",
    HALT: "the host can't be halted here",
    MESSAGE: "the host shows no messages of hooks",
}


@dataclass(frozen=True)
class Slot:
    """One native event of one host, with the hooks that run there."""

    host: Host
    event: str
    native: Native
    name: str
    """Canonical event, or ``event.Native`` for a further native event."""
    hooks: tuple[Hook, ...]
    names: Mapping[str, tuple[str, ...]]
    """Hook key -> native tool names it is for; absent: every tool."""

    @property
    def entry_matchers(self) -> tuple[str, ...] | None:
        """Native matchers for the entry; None where there is nothing to match."""
        if not self.native.matcher or len(self.names) < len(self.hooks):
            return None
        wanted = dict.fromkeys(name for names in self.names.values() for name in names)
        return matchers(self.host.matcher, tuple(wanted))

    @property
    def is_exact(self) -> bool:
        """Whether the host calls us for exactly the tools that every hook wants."""
        if not self.names:
            return True
        return self.entry_matchers is not None and len(set(self.names.values())) == 1

    @property
    def budget(self) -> float:
        """Seconds all hooks may take one after the other."""
        return sum(hook.timeout for hook in self.hooks)

    @property
    def limit(self) -> float | None:
        """Most seconds the host grants, None where an entry can ask for any number."""
        run = self.host.run
        bounds = [bound for bound in (self.native.timeout_max, run.maximum) if bound is not None]
        if run.unit == "none":
            bounds.append(run.default)
        return min(bounds, default=None)

    @property
    def entry_timeout(self) -> float:
        """Seconds to ask the host for."""
        wanted = self.budget + MARGIN
        return wanted if self.limit is None else min(wanted, self.limit)

    @property
    def deadline(self) -> float:
        """Seconds after which we answer for a hook that is still running."""
        return min(self.budget, self.entry_timeout - min(MARGIN, self.entry_timeout * 0.2))


def make_slots(host: Host, event: str, hooks: Sequence[Hook]) -> list[Slot]:
    """The slots of a canonical event: one per native event that some hook is for."""
    slots: list[Slot] = []
    for native in host.natives(event):
        served = [hook for hook in hooks if _serves(native, hook)]
        names = {} if native.tools else _names(host, event, served)
        chosen = tuple(hook for hook in served if names.get(hook.key) != ())
        if chosen:
            name = event if not slots else f"{event}.{native.name}"
            kept = {key: value for key, value in names.items() if value}
            slots.append(Slot(host, event, native, name, chosen, kept))
    return slots


def _serves(native: Native, hook: Hook) -> bool:
    """Whether a native event that is split by kind of tool is one of the hook's kinds."""
    return not native.tools or not hook.tools or bool(set(native.tools) & set(hook.tools))


def _names(host: Host, event: str, hooks: Sequence[Hook]) -> dict[str, tuple[str, ...]]:
    if not EVENTS[event].tool:
        return {}
    return {hook.key: native_names(host, hook.tools) for hook in hooks if hook.tools}


def answers(event: str, native: Native) -> dict[str, dict[str, Any]]:
    """For every legal outcome: the reply, or what it becomes and why."""
    result: dict[str, dict[str, Any]] = {}
    for outcome in EVENTS[event].outcomes:
        if outcome in native.can:
            result[outcome] = {"reply": fill(native.can[outcome], {"$event": native.name})}
            if shapes := native.shapes.get(outcome):
                only = ", ".join(shapes)
                result[outcome]["shapes"] = [[name, fill(row, {})] for name, row in shapes.items()]
                result[outcome]["drop"] = f"the host takes text only for {only}; else an object"
            continue
        other = next((name for name in _INSTEAD.get(outcome, ()) if name in native.can), None)
        if other:
            result[outcome] = {"as": other, "why": f"{native.name} can't {outcome}"}
        else:
            result[outcome] = {"drop": _LOST[outcome]}
    return result


def fire_table(
    plugin: str, slot: Slot, readers: Mapping[str, Sequence[Signature]]
) -> dict[str, Any]:
    """The table as JSON; ``docs/reference/fire.md`` says what each key means."""
    host, native, event = slot.host, slot.native, EVENTS[slot.event]
    wire = host.wire
    fields = {name: _paths(paths) for name, paths in {**wire.fields, **native.fields}.items()}
    selectors = [[name, selector] for selector, names in host.tools.items() for name in names]
    if native.tools:
        selectors = [["*", native.tools[0]]] if len(native.tools) == 1 else selectors
    return {
        "plugin": plugin,
        "host": host.id,
        "event": slot.event,
        "native": native.name,
        "tool_event": event.tool,
        "fields": fields,
        "input_is_text": wire.input_is_text,
        "only": [[_paths(path)[0], list(values)] for path, values in native.only.items()],
        "not_when": [[_paths(path)[0], list(values)] for path, values in native.not_when.items()],
        "tools": selectors if event.tool else [],
        "hooks": [_hook(hook, slot) for hook in slot.hooks],
        "exact": slot.is_exact,
        "answers": answers(slot.event, native),
        "silence": None if wire.silence is None else dict(wire.silence),
        "context_limit": wire.context_limit,
        "deadline": slot.deadline,
        "turn_limit": TURN_LIMIT if KEEP_GOING in event.outcomes else 0,
        "detached": native.detached,
        "stdin_may_stay_open": wire.stdin_may_stay_open,
        "environment": dict(wire.environment),
        "project_env": list(host.run.project_env),
        "readers": {
            name: [_signature(signature) for signature in signatures]
            for name, signatures in readers.items()
        },
    }


def _hook(hook: Hook, slot: Slot) -> dict[str, Any]:
    row: dict[str, Any] = {"key": hook.key, "timeout": hook.timeout, "when": hook.when}
    if hook.handler:
        row |= {"handler": hook.handler, "on_error": hook.on_error}
    else:
        row |= {"command": hook.command, "args": list(hook.args)}
        row |= {"env": dict(hook.env), "cwd": hook.cwd}
        row |= {"result": hook.result} if hook.result != "none" else {}
    if hook.key in slot.names:
        row["tools"] = list(slot.names[hook.key])
    return row


def _signature(signature: Signature) -> dict[str, Any]:
    return {"env": signature.env} if signature.env else {"field": _paths(signature.field or "")[0]}


def _paths(paths: str | Sequence[str]) -> list[list[str | int]]:
    texts = [paths] if isinstance(paths, str) else paths
    return [[int(part) if part.isdigit() else part for part in text.split(".")] for text in texts]
