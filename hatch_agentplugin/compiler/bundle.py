"""Compiles a declaration for the hosts: the plan and the files beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hatch_agentplugin.adapter import Host, Seen, Signature
from hatch_agentplugin.compiler.content_placements import content_placements, prebuilt_placements
from hatch_agentplugin.compiler.fire_table import fire_table
from hatch_agentplugin.compiler.hook_placements import (
    Placements,
    Render,
    hook_placements,
    target,
)
from hatch_agentplugin.compiler.report_cells import content_cells, event_cells
from hatch_agentplugin.compiler.slots import Slot, slots_of
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.plan import Cell, HostPlan, Plan, dump
from hatch_agentplugin.scripts.slot import slot_script
from hatch_agentplugin.words import ScopeName


@dataclass(frozen=True)
class Bundle:
    """Everything that goes into the wheel besides the author's own files."""

    plan: Plan
    files: Mapping[str, bytes]
    """Path in the bundle -> content, ``plan.json`` included; sorted."""


@dataclass(frozen=True)
class _CompiledHost:
    """The part of a bundle that belongs to one host."""

    id: str
    plan: HostPlan | None
    """None: nothing is placed for the host."""
    cells: Sequence[Cell]
    files: Mapping[str, bytes]


def compile_bundle(
    declaration: Declaration, hosts: Iterable[Host], render: Render, inputs: str = ""
) -> Bundle:
    """Compile a checked declaration for these hosts.

    The same input gives the same bytes, whatever the order of ``hosts``. ``render`` makes the text
    of a code module from a template; ``inputs`` is the digest of the sources, stored in the plan.
    """
    ordered = sorted(hosts, key=lambda host: host.id)
    compiled = [_compile_host(declaration, host, ordered, render) for host in ordered]
    plan = Plan(
        plugin=declaration.plugin,
        inputs=inputs,
        hosts={one.id: one.plan for one in compiled if one.plan},
        report=tuple(cell for one in compiled for cell in one.cells),
    )
    files = {name: data for one in compiled for name, data in one.files.items()}
    files["plan.json"] = plan.to_bytes()
    return Bundle(plan, dict(sorted(files.items())))


def _compile_host(
    declaration: Declaration, host: Host, hosts: Sequence[Host], render: Render
) -> _CompiledHost:
    slots = slots_of(declaration.hooks, host)
    hooks, modules = hook_placements(declaration, host, slots, render)
    content = content_placements(declaration, host)
    scopes = _merge(hooks, content, prebuilt_placements(declaration, host))
    plan = _host_plan(declaration.plugin.id, host, slots, scopes, bool(hooks)) if scopes else None
    return _CompiledHost(
        id=host.id,
        plan=plan,
        cells=[*event_cells(declaration, host, slots), *content_cells(declaration, host)],
        files={**_fire_files(declaration.plugin.id, slots, _readers(host, hosts)), **modules},
    )


def _merge(*parts: Placements) -> Placements:
    """Return the placements of all parts per scope."""
    scopes = dict.fromkeys(scope for part in parts for scope in part)
    return {scope: tuple(one for part in parts for one in part.get(scope, ())) for scope in scopes}


def _fire_files(
    plugin: str, slots: Sequence[Slot], readers: Mapping[str, Sequence[Signature]]
) -> dict[str, bytes]:
    """Return the fire table and the slot script of every slot."""
    files = {}
    for slot in slots:
        table = fire_table(plugin, slot, readers)
        files[f"fire/{slot.host.id}/{slot.name}.json"] = dump(table)
        files[f"fire/{slot.host.id}/{slot.name}.sh"] = slot_script(table).encode("utf-8")
    return files


def _readers(host: Host, hosts: Iterable[Host]) -> dict[str, Sequence[Signature]]:
    """Return the hosts that also run this host's entries -> their signatures in payloads."""
    return {
        other.id: signatures
        for other in hosts
        if host.id in other.also_reads
        and (signatures := other.signatures_in.get(host.id, other.signatures))
    }


def _host_plan(
    plugin: str, host: Host, slots: Sequence[Slot], scopes: Placements, has_hooks: bool
) -> HostPlan:
    return HostPlan(
        name=host.name,
        binaries=tuple(host.detect.binaries),
        dirs=tuple(host.detect.dirs),
        slots=tuple(slot.name for slot in slots),
        scopes=scopes,
        windows_shell=host.run.windows_shell,
        after=_after(host) if has_hooks else {},
        switches=tuple(host.switches),
        also_reads={name: tuple(scopes) for name, scopes in host.also_reads.items()},
        mcp_from=tuple(host.content.mcp_from),
        packages=seen_packages(host, plugin),
        bom=host.bom,
    )


def _after(host: Host) -> dict[ScopeName, tuple[str, ...]]:
    """Return the steps left to the user after ``activate``, per scope."""
    after: dict[ScopeName, tuple[str, ...]] = {}
    if host.after:
        after["user"] = tuple(host.after)
    if host.after or host.after_project:
        after["project"] = (*host.after, *host.after_project)
    return after


def seen_packages(host: Host, plugin: str) -> tuple[Seen, ...]:
    """Return where to look for an installation of the plugin as a host package."""
    return tuple(
        replace(
            seen,
            file=target(seen.file, plugin, ""),
            inside=seen.inside.replace("{plugin}", plugin),
        )
        for seen in (host.package.seen if host.package else ())
    )
