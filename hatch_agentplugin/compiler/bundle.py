"""A declaration and the adapters' tables become a bundle: the plan and the files beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hatch_agentplugin.adapter import Host, Signature
from hatch_agentplugin.compiler.content import content, nodes
from hatch_agentplugin.compiler.fire_table import Slot, fire_table, make_slots
from hatch_agentplugin.compiler.placements import directory, placements, target
from hatch_agentplugin.compiler.prebuilt import prebuilt
from hatch_agentplugin.compiler.tools import selects_host
from hatch_agentplugin.declaration import Declaration, Hook
from hatch_agentplugin.plan import (
    Cell,
    HostPlan,
    Placement,
    Plan,
    Plugin,
    ScopeName,
    SeenPlan,
    State,
    SwitchPlan,
    dump,
)
from hatch_agentplugin.scripts.slot import slot_script
from hatch_agentplugin.words import EVENTS, MESSAGE

#: (package, template name, context) -> text
Render = Callable[[str, str, Mapping[str, Any]], str]


@dataclass(frozen=True)
class Bundle:
    """What goes into the wheel besides the author's own files."""

    plan: Plan
    files: Mapping[str, bytes]
    """Bundle-relative path -> content, ``plan.json`` included; in sorted order."""


def compile_bundle(
    declaration: Declaration, hosts: Iterable[Host], render: Render, inputs: str = ""
) -> Bundle:
    """Compile a checked declaration for these hosts.

    The same input gives the same bytes, whatever the order of ``hosts``. ``render`` makes the text
    of a code module from a template; ``inputs`` is the digest of the author's files, stored as is.
    """
    ordered = sorted(hosts, key=lambda host: host.id)
    files: dict[str, bytes] = {}
    cells: list[Cell] = []
    plans: dict[str, HostPlan] = {}
    for host in ordered:
        slots = _slots(declaration, host, cells)
        readers = _readers(host, ordered)
        for slot in slots:
            table = fire_table(declaration.plugin.id, slot, readers)
            files[f"fire/{host.id}/{slot.name}.json"] = dump(table)
            files[f"fire/{host.id}/{slot.name}.sh"] = slot_script(table).encode("utf-8")
        native = nodes(declaration.native.get(host.id, {}))
        more, about = content(declaration, host)
        cells += about
        placed: dict[ScopeName, tuple[Placement, ...]] = {}
        if slots or native:
            placed, artifacts = placements(declaration.plugin, host, slots, native, render)
            files.update(artifacts)
        ready = prebuilt(declaration, host)
        if placed or more or ready:
            scopes = dict.fromkeys([*placed, *more, *ready])
            parts = (placed, more, ready)
            both = {scope: tuple(p for part in parts for p in part.get(scope, ()))
                    for scope in scopes}  # fmt: skip
            plans[host.id] = _host_plan(declaration.plugin, host, slots, both, bool(placed))
    plan = Plan(declaration.plugin, inputs, plans, tuple(cells))
    files["plan.json"] = plan.to_bytes()
    return Bundle(plan, dict(sorted(files.items())))


def _slots(declaration: Declaration, host: Host, cells: list[Cell]) -> list[Slot]:
    """The host's slots in the order of a session; every declared event gives a report cell."""
    result: list[Slot] = []
    for event in EVENTS:
        declared = [hook for hook in declaration.hooks if hook.event == event]
        if not declared:
            continue
        hooks = [hook for hook in declared if selects_host(hook, host)]
        slots = make_slots(host, event, hooks) if host.delivery else []
        if slots:
            result += slots
            cells += [_cell(slot) for slot in slots]
        else:
            cells.append(Cell(host.id, event, "", "skipped", _why_skipped(host, event, hooks)))
    return result


def _why_skipped(host: Host, event: str, hooks: Sequence[Hook]) -> str:
    if host.through:
        return f"served by what is placed for {host.through}"
    if host.delivery is None:
        return "it has no hooks"
    if not hooks:
        return "declared for other hosts only"
    if not host.natives(event):
        return "it has no such event"
    if not host.tools:
        return "the names of its tools are not known"
    return "it has no tool of the kinds asked for"


def _cell(slot: Slot) -> Cell:
    """What the author should know about an event on a host."""
    notes = [slot.native.near] if slot.native.near else []
    if any(hook.handler for hook in slot.hooks):
        outcomes = EVENTS[slot.event].outcomes
        lost = [name for name in outcomes if name not in slot.native.can and name != MESSAGE]
        if slot.native.detached and outcomes:
            notes.append("the host does not wait, so answers are lost")
        elif lost:
            notes.append("can't " + ", ".join(lost))
        for outcome, shapes in slot.native.shapes.items():
            notes.append(f"{outcome} as text only for {', '.join(shapes)}")
    if slot.deadline < slot.budget:
        notes.append(f"cut after {slot.deadline:g} s of {slot.budget:g} s")
    state: State = "native"
    if not slot.is_exact:
        state = "filtered"
        notes.append("filtered at run time")
    if slot.native.near:
        state = "approximated"
    return Cell(slot.host.id, slot.event, slot.native.name, state, "; ".join(notes))


def _readers(host: Host, hosts: Iterable[Host]) -> dict[str, Sequence[Signature]]:
    """The hosts that also run this host's entries."""
    return {
        other.id: signatures
        for other in hosts
        if host.id in other.also_reads
        and (signatures := other.signatures_in.get(host.id, other.signatures))
    }


def _host_plan(
    plugin: Plugin,
    host: Host,
    slots: Sequence[Slot],
    placed: dict[ScopeName, tuple[Placement, ...]],
    has_hooks: bool,
) -> HostPlan:
    after: dict[ScopeName, tuple[str, ...]] = {}
    if has_hooks and host.after:
        after["user"] = tuple(host.after)
    if has_hooks and (host.after or host.after_project):
        after["project"] = (*host.after, *host.after_project)
    return HostPlan(
        name=host.name,
        binaries=tuple(host.detect.binaries),
        dirs=tuple(directory(place) for place in host.detect.dirs),
        slots=tuple(slot.name for slot in slots),
        scopes=placed,
        windows_shell=host.run.windows_shell,
        after=after,
        switches=tuple(
            SwitchPlan(
                tuple(target(file, "", "") for file in switch.files),
                switch.format,
                tuple(switch.at),
                switch.is_,
                switch.says,
            )
            for switch in host.switches
        ),
        also_reads={name: tuple(scopes) for name, scopes in host.also_reads.items()},
        mcp_from=tuple(host.content.mcp_from),
        packages=seen_plans(host, plugin.id),
        bom=host.bom,
    )


def seen_plans(host: Host, plugin: str) -> tuple[SeenPlan, ...]:
    """Where it can be seen that a user has the plugin as a package."""
    return tuple(
        SeenPlan(
            (target(seen.file, plugin, ""),),
            seen.format,
            tuple(seen.at),
            seen.inside.replace("{plugin}", plugin),
        )
        for seen in (host.package.seen if host.package else ())
    )
