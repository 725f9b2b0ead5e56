"""Resolves the placements of a plan for this machine: paths, values and commands."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from hatch_agentplugin.activate import commands as command
from hatch_agentplugin.activate.commands import CommandError
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import LocateError, Machine, Scope, locate
from hatch_agentplugin.activate.placeholders import Caller, PlaceholderError, server_command
from hatch_agentplugin.edit import Json
from hatch_agentplugin.hosts.delivery import File
from hatch_agentplugin.plan import HostPlan, Item, Key, OwnFile, Placement, Shim
from hatch_agentplugin.transaction.image import here
from hatch_agentplugin.words import is_content

Kind = Literal["item", "key", "file"]


@dataclass(frozen=True)
class Candidate:
    """A file that a placement may go to, and the key path in it."""

    path: Path
    at: tuple[str, ...] = ()


@dataclass(frozen=True)
class ResolvedPlacement:
    """A placement with paths, values and commands filled in."""

    key: str
    """Identifies it across versions of the plugin."""
    kind: Kind
    events: tuple[str, ...]
    """Canonical events that it serves; empty for settings that go with all of them."""
    candidates: tuple[Candidate, ...]
    """The files it may go to, the preferred one first."""
    format: str = "json"
    """Format of the document, for items and keys."""
    value: Json = None
    """The value to insert, for items and keys."""
    data: bytes = b""
    """The content, for files."""
    executable: bool = False
    keep: bool = False
    """An existing value of the key is kept."""
    only_if_present: bool = False
    """The item is only added to a list that exists."""
    commands: tuple[str, ...] = ()
    """The commands that the host will run, for the user to see."""
    slots: tuple[str, ...] = ()
    """The slot of each command that starts the launcher."""
    launches: bool = False
    """Its command starts our launcher, so an entry with this command must be ours."""
    unit: str = ""
    """Files of one unit are placed together or not at all."""

    @property
    def content(self) -> bool:
        """Whether it is a server, skill, command or rule: hooks run without it."""
        return any(map(is_content, self.events))

    @property
    def by_slot(self) -> dict[str, str]:
        """The command of each slot, as the ledger keeps it."""
        return dict(zip(self.slots, self.commands, strict=False))


@dataclass(frozen=True)
class Resolution:
    """All resolved placements of one plugin, host and scope."""

    placements: tuple[ResolvedPlacement, ...]
    scripts: tuple[tuple[Path, bytes], ...] = ()
    """Scripts in the plugin's state folder that entries name by path."""
    left_out: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Events or content of placements that cannot be made here, and why."""


class ResolveError(ValueError):
    """A plan that cannot be placed here. The message says why."""


def caller(
    host: str, plan: HostPlan, plugin: str, context: Context, scope: Scope, bundle: Path
) -> Caller:
    """Return the caller of the commands in one host and scope."""
    windows = context.machine.system == "windows"
    programs = os.path.join(context.environment, "Scripts" if windows else "bin")
    return Caller(
        plugin=plugin,
        host=host,
        launcher=context.inside(context.launcher(plugin)),
        shell=plan.windows_shell if windows else "sh",
        shared=scope.name == "project",
        managed=scope.name == "managed",
        flag="--project" if scope.in_project else "",
        root=context.inside(bundle),
        programs=context.inside(programs),
        image=context.machine.image,
    )


def resolve(
    plan: HostPlan, bundle: Path, who: Caller, machine: Machine, scope: Scope
) -> Resolution:
    """Resolve one host's placements for a scope. Raises ResolveError."""
    scripts: dict[Path, bytes] = {}
    folder = Path(who.launcher).parent / "shims" / f"{who.host}.{scope.name}"
    suffix = ".cmd" if machine.system == "windows" else ".sh"

    def script(slot: str) -> str:
        path = folder / f"{slot}{suffix}"
        scripts[Path(here(machine.image, str(path)))] = command.shim(who, slot, suffix)
        return str(path)

    made: list[ResolvedPlacement] = []
    left_out: list[tuple[tuple[str, ...], str]] = []
    try:
        for placement in plan.scopes.get(scope.name, ()):
            try:
                candidates = tuple(_candidates(placement, machine, scope))
                made.append(_fill(placement, candidates, bundle, who, script))
            except (PlaceholderError, LocateError) as error:
                events = _events(placement)
                if isinstance(error, LocateError) and not any(map(is_content, events)):
                    raise
                left_out.append((events, str(error)))
    except (LocateError, CommandError) as error:
        raise ResolveError(str(error)) from None
    except OSError as error:
        raise ResolveError(f"{error.filename}: {error.strerror}") from None
    return Resolution(
        tuple(_numbered(made)), tuple(scripts.items()), tuple(dict.fromkeys(left_out))
    )


def _events(placement: Placement) -> tuple[str, ...]:
    if isinstance(placement, OwnFile):
        return placement.events
    return (placement.event,) if placement.event else ()


def _candidates(placement: Placement, machine: Machine, scope: Scope) -> Iterator[Candidate]:
    at = placement.at if isinstance(placement, (Item, Key)) else ()
    for target in placement.files:
        yield Candidate(locate(target, machine, scope), at if target.at is None else target.at)


def _fill(
    placement: Placement, candidates: tuple[Candidate, ...], bundle: Path, who: Caller, script: Any
) -> ResolvedPlacement:
    if isinstance(placement, Item):
        value, commands = command.render(placement.value, who, script)
        slots = command.slots_in(placement.value)
        return ResolvedPlacement(
            key=f"item:{placement.event}:{'+'.join(slots)}:{'/'.join(placement.at)}",
            kind="item",
            events=_events(placement),
            candidates=candidates,
            format=placement.format,
            value=value,
            only_if_present=placement.only_if_present,
            commands=commands or _about(placement.event, value),
            slots=slots,
            launches=bool(commands),
        )
    if isinstance(placement, Key):
        value, commands = command.render(placement.value, who, script)
        return ResolvedPlacement(
            key=f"key:{_name(placement.files[0])}:{'/'.join(placement.at)}",
            kind="key",
            events=_events(placement),
            candidates=candidates,
            format=placement.format,
            value=value,
            keep=placement.keep,
            commands=commands or _about(placement.event, value),
        )
    if isinstance(placement, Shim):
        data = command.shim(who, placement.slot, os.path.splitext(candidates[0].path.name)[1])
        return ResolvedPlacement(
            key=f"shim:{placement.slot}",
            kind="file",
            events=(placement.event,),
            candidates=candidates,
            data=data,
            executable=True,
            commands=(command.line(who, placement.slot),),
            slots=(placement.slot,),
        )
    return _own_file(placement, candidates, bundle, who, script)


def _own_file(
    placement: OwnFile, candidates: tuple[Candidate, ...], bundle: Path, who: Caller, script: Any
) -> ResolvedPlacement:
    commands: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    executable = placement.executable
    if placement.artifact is not None and any(map(is_content, placement.events)):
        data = _artifact(bundle, placement.artifact)
        executable = os.access(bundle / placement.artifact, os.X_OK)
    elif placement.artifact is None:
        value, commands = command.render(placement.value, who, script)
        data = (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
        slots = command.slots_in(placement.value)
        commands += _own_commands(placement.value)
    else:
        data = command.fill_artifact(_artifact(bundle, placement.artifact), who)
        commands = (f"(a module of code, which starts {who.launcher} {who.host})",)
    return ResolvedPlacement(
        key=f"file:{_name(placement.files[0])}",
        kind="file",
        events=placement.events,
        candidates=candidates,
        data=data,
        executable=executable,
        commands=commands,
        slots=slots,
        unit=placement.unit,
    )


def _artifact(bundle: Path, name: str) -> bytes:
    path = bundle / name
    if any(map(os.path.islink, [path, *path.parents[: name.count("/")]])):
        real, root = os.path.realpath(path), os.path.realpath(bundle)
        if os.path.commonpath([real, root]) != root:
            raise ResolveError(f"{name} leads out of the bundle")
    if not path.is_file():
        raise ResolveError(f"{path} is missing; install the plugin again")
    return path.read_bytes()


def _name(target: File) -> str:
    return f"{target.dir.default}/{target.path}"


def _about(event: str, value: Json) -> tuple[str, ...]:
    """Return the commands to show to the user for a value that does not start our launcher."""
    if event.startswith("mcp:"):
        return server_command(value)
    return () if is_content(event) else _own_commands(value)


def _own_commands(value: Json) -> tuple[str, ...]:
    """Return the native entries that the author wrote: they do not start our launcher."""
    if isinstance(value, list):
        return tuple(text for child in value for text in _own_commands(child))
    if not isinstance(value, dict):
        return ()
    if "command" in value or not _holders(value):
        return () if command.slots_in(value) else (json.dumps(value, ensure_ascii=False),)
    return tuple(text for child in value.values() for text in _own_commands(child))


def _holders(value: dict[str, Json]) -> bool:
    return any(isinstance(child, (dict, list)) for child in value.values())


def _numbered(made: list[ResolvedPlacement]) -> Iterator[ResolvedPlacement]:
    """Number placements that have the same key, such as one entry per matcher."""
    seen: dict[str, int] = {}
    for one in made:
        number = seen.get(one.key, 0)
        seen[one.key] = number + 1
        yield replace(one, key=f"{one.key}#{number}") if number else one
