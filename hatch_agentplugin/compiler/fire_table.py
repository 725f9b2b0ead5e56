"""The fire table of one slot: the data by which the dispatcher answers one event of one host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hatch_agentplugin.adapter import Native, Signature
from hatch_agentplugin.compiler.slots import Slot
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

#: The turn limit; a host without a limit of its own would loop forever.
TURN_LIMIT = 5

#: An outcome that the host cannot express -> the outcome that replaces it.
_INSTEAD = {ASK: DENY, HALT: DENY}
#: An outcome that is dropped -> the reason.
_DROPPED: dict[str, str] = {
    ALLOW: "the agent asks as it would without the hook",
    DENY: "the agent cannot refuse here",
    ASK: "the agent can neither ask nor refuse here",
    CONTEXT: "the agent accepts no context here",
    MODIFY_INPUT: "the agent cannot change the input; the call runs unchanged",
    MODIFY_OUTPUT: "the agent cannot change the output",
    KEEP_GOING: "the agent cannot be kept going",
    HALT: "the agent cannot be stopped here",
    MESSAGE: "the agent shows no messages of hooks",
}


def answers(event: str, native: Native) -> dict[str, dict[str, Any]]:
    """Return for every legal outcome its reply, its replacement, or the reason why it is dropped."""
    result: dict[str, dict[str, Any]] = {}
    for outcome in EVENTS[event].outcomes:
        if outcome in native.can:
            result[outcome] = {"reply": fill(native.can[outcome], {"$event": native.name})}
            if shapes := native.shapes.get(outcome):
                only = ", ".join(shapes)
                result[outcome]["shapes"] = [[name, fill(row, {})] for name, row in shapes.items()]
                result[outcome]["drop"] = f"the agent takes text only for {only}; else an object"
            continue
        other = _INSTEAD.get(outcome)
        if other in native.can:
            result[outcome] = {"as": other, "why": f"{native.name} cannot {outcome}"}
        else:
            result[outcome] = {"drop": _DROPPED[outcome]}
    return result


def fire_table(
    plugin: str, slot: Slot, readers: Mapping[str, Sequence[Signature]]
) -> dict[str, Any]:
    """Return the table as JSON; ``docs/reference/fire.md`` describes each key."""
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
