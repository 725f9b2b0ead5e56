"""The rows of the build report: how each host serves each event and each piece of content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.compiler.content_placements import (
    files_of,
    targets_of,
    template_of,
    why_left_out,
)
from hatch_agentplugin.compiler.slots import Slot, selects_host
from hatch_agentplugin.declaration import Declaration, Hook, Server
from hatch_agentplugin.plan import Cell
from hatch_agentplugin.templates import strings
from hatch_agentplugin.words import EVENTS, MESSAGE, State


def event_cells(declaration: Declaration, host: Host, slots: Sequence[Slot]) -> Iterator[Cell]:
    """Yield the rows of every declared event, in the order of a session."""
    for event in EVENTS:
        hooks = [hook for hook in declaration.hooks if hook.event == event]
        served = [slot for slot in slots if slot.event == event]
        if served:
            yield from map(_slot_cell, served)
        elif hooks:
            yield Cell(host.id, event, "", "skipped", _why_skipped(host, event, hooks))


def _why_skipped(host: Host, event: str, hooks: Sequence[Hook]) -> str:
    if host.through:
        return f"served by what is placed for {host.through}"
    if host.delivery is None:
        return "it has no hooks"
    if not any(selects_host(hook, host) for hook in hooks):
        return "declared for other agents only"
    if not host.natives(event):
        return "it has no such event"
    if not host.tools:
        return "the names of its tools are not known"
    return "it has none of the selected tools"


def _slot_cell(slot: Slot) -> Cell:
    state: State = "native" if slot.is_exact else "filtered"
    if slot.native.near:
        state = "approximated"
    reason = "; ".join(_slot_notes(slot))
    return Cell(slot.host.id, slot.event, slot.native.name, state, reason)


def _slot_notes(slot: Slot) -> Iterator[str]:
    """Yield the limitations of an event of a host, for the author."""
    if slot.native.near:
        yield slot.native.near
    if any(hook.handler for hook in slot.hooks):
        yield from _answer_notes(slot)
    if slot.deadline < slot.budget:
        yield f"cut after {slot.deadline:g} s of {slot.budget:g} s"
    if not slot.is_exact:
        yield "filtered at run time"


def _answer_notes(slot: Slot) -> Iterator[str]:
    outcomes = EVENTS[slot.event].outcomes
    lost = [name for name in outcomes if name not in slot.native.can and name != MESSAGE]
    if slot.native.detached and outcomes:
        yield "the host does not wait, so answers are lost"
    elif lost:
        yield "can't " + ", ".join(lost)
    for outcome, shapes in slot.native.shapes.items():
        yield f"{outcome} as text only for {', '.join(shapes)}"


def content_cells(declaration: Declaration, host: Host) -> Iterator[Cell]:
    """Yield the rows of every server, and of skills, commands and rules."""
    for server in declaration.mcp:
        yield _server_cell(server, host)
    for kind in ("skills", "commands", "rules"):
        if files_of(declaration, kind):
            targets = targets_of(host, kind)
            native = next(iter(targets.values())).path if targets else ""
            yield _content_cell(host, kind, native, targets, f"no place for {kind} is known")


def _server_cell(server: Server, host: Host) -> Cell:
    event, mcp = f"mcp:{server.name}", host.content.mcp
    reason = why_left_out(server, host)
    if mcp is None or reason:
        return Cell(host.id, event, "", "skipped", reason)
    note = ""
    if server.cwd and "$cwd" not in strings(template_of(server, mcp)):
        note = "it runs where the agent runs servers, not in the plugin"
    native = ".".join(mcp.at[:-1] or mcp.at)
    return _content_cell(host, event, native, mcp.files, note=note)


def _content_cell(
    host: Host, event: str, native: str, scopes: Mapping[Any, Any], why: str = "", note: str = ""
) -> Cell:
    if not scopes:
        return Cell(host.id, event, "", "skipped", why)
    limits = "" if "user" in scopes else f"{' and '.join(scopes)} scope only"
    return Cell(host.id, event, native, "native", "; ".join(filter(None, (limits, note))))
