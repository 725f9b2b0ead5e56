"""The placements of one host: native entries, files of our own, executables, modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hatch_agentplugin.adapter import (
    Beside,
    Dir,
    Entries,
    Executables,
    File,
    Host,
    Module,
    Register,
    Scope,
)
from hatch_agentplugin.compiler.fire_table import Slot
from hatch_agentplugin.plan import (
    DirPlan,
    Item,
    Key,
    OwnFile,
    Placement,
    Plugin,
    ScopeName,
    Shim,
    Target,
)
from hatch_agentplugin.templates import fill

Render = Callable[[str, str, Mapping[str, Any]], str]
Placed = dict[ScopeName, tuple[Placement, ...]]
NativeEntries = Mapping[str, Sequence[Any]]


def placements(
    plugin: Plugin, host: Host, slots: Sequence[Slot], native: NativeEntries, render: Render
) -> tuple[Placed, dict[str, bytes]]:
    """The placements per scope, and the artifacts they name (bundle-relative path -> bytes)."""
    delivery = host.delivery
    if isinstance(delivery, Entries):
        return {
            scope: tuple(_entries(plugin, host, delivery, scope, slots, native))
            for scope in delivery.files
        }, {}
    if isinstance(delivery, Executables):
        return {scope: tuple(_shims(delivery, scope, slots)) for scope in delivery.files}, {}
    if isinstance(delivery, Module):
        return _module(plugin, host, delivery, slots, render)
    return {}, {}


def directory(place: Dir) -> DirPlan:
    """A folder as plan data."""
    return DirPlan(place.default, place.env, place.inside, place.windows, place.macos)


def target(file: File, plugin: str, event: str, at: Sequence[str] | None = None) -> Target:
    """A file as plan data, with the plugin's id and the native event filled in."""

    def named(path: str | None) -> str | None:
        return path and path.replace("{plugin}", plugin).replace("{event}", event)

    path = named(file.path) or ""
    return Target(directory(file.dir), path, named(file.windows), None if at is None else tuple(at))


def _launcher(host: Host, slot: Slot) -> dict[str, Any]:
    node: dict[str, Any] = {"slot": slot.name, "form": host.run.form}
    if host.run.guard:
        node["guard"] = True
    return {"$launcher": node}


def _timeout(host: Host, slot: Slot) -> int | float | None:
    if host.run.unit == "none":
        return None
    value = slot.entry_timeout * (1000 if host.run.unit == "ms" else 1)
    return round(value) if host.run.whole_seconds or value == int(value) else value


def _values(
    plugin: Plugin, host: Host, entry: Mapping[str, Any], slot: Slot, scope: Scope
) -> list[Any]:
    """The entries of one slot: one, or one per name where the matcher takes a single name."""
    # Where names are unique across files, an entry in a project must not displace the user's.
    suffix = "" if scope == "user" else f"-{scope}"
    common = {
        "$command": _launcher(host, slot),
        "$event": slot.native.name,
        "$timeout": _timeout(host, slot),
        "$plugin": plugin.id,
        "$id": f"{plugin.id}-{slot.name}{suffix}",
    }
    template = entry if slot.native.entry is None else slot.native.entry
    return [
        fill(template, {**common, "$matcher": matcher})
        for matcher in slot.entry_matchers or (None,)
    ]


def _entries(
    plugin: Plugin,
    host: Host,
    delivery: Entries,
    scope: Scope,
    slots: Sequence[Slot],
    native: NativeEntries,
) -> list[Placement]:
    rows = [
        (slot.event, slot.native.name, value)
        for slot in slots
        for value in _values(plugin, host, delivery.entry, slot, scope)
    ]
    rows += [("", name, value) for name, values in native.items() for value in values]
    files = delivery.files[scope]
    result: list[Placement] = [
        *(_beside(plugin, extra) for extra in delivery.beside.get(scope, ())),
        *_registered(plugin, delivery.register.get(scope, ())),
    ]
    if delivery.own:
        return [_own_document(plugin, delivery, files, rows), *result]
    result += [
        Key(tuple(target(f, plugin.id, "") for f in files), delivery.format, (key,), value, True)
        for key, value in delivery.document.items()
    ]
    for event, name, value in rows:
        places = {"$event": name, "$plugin": plugin.id}
        targets = [target(f, plugin.id, name, _second_at(delivery, f, places)) for f in files]
        at = tuple(fill(list(delivery.at), places))
        result.append(Item(event, tuple(targets), delivery.format, at, value))
    return result


def _second_at(delivery: Entries, file: File, places: Mapping[str, str]) -> tuple[str, ...] | None:
    other = delivery.second_at.get(file.path)
    return None if other is None else tuple(fill(list(other), places))


def _own_document(
    plugin: Plugin, delivery: Entries, files: Sequence[File], rows: Sequence[tuple[str, str, Any]]
) -> OwnFile:
    document: dict[str, Any] = dict(delivery.document)
    for _, name, value in rows:
        path = fill(list(delivery.at), {"$event": name, "$plugin": plugin.id})
        node = document
        for key in path[:-1]:
            node = node.setdefault(key, {})
        node.setdefault(path[-1], []).append(value)
    events = tuple(dict.fromkeys(event for event, _, _ in rows if event))
    return OwnFile(events, tuple(target(f, plugin.id, "") for f in files), value=document)


def _shims(delivery: Executables, scope: Scope, slots: Sequence[Slot]) -> list[Placement]:
    return [
        Shim(
            slot.event,
            slot.name,
            tuple(target(f, "", slot.native.name) for f in delivery.files[scope]),
        )
        for slot in slots
    ]


def _module(
    plugin: Plugin, host: Host, delivery: Module, slots: Sequence[Slot], render: Render
) -> tuple[Placed, dict[str, bytes]]:
    placed: Placed = {}
    artifacts: dict[str, bytes] = {}
    events = tuple(dict.fromkeys(slot.event for slot in slots))
    for scope, files in delivery.files.items():
        rows: list[Placement] = []
        context = _module_context(plugin, host, delivery, scope, slots)
        for file, template in zip(files, delivery.templates, strict=True):
            goal = target(file, plugin.id, "")
            artifact = f"hosts/{host.id}/{scope}/{goal.path.rpartition('/')[2]}"
            artifacts[artifact] = render(delivery.package, template, context).encode("utf-8")
            rows.append(OwnFile(events, (goal,), artifact=artifact))
        rows += _registered(plugin, delivery.register.get(scope, ()))
        placed[scope] = tuple(rows)
    return placed, artifacts


def _beside(plugin: Plugin, extra: Beside) -> Placement:
    value = fill(extra.value, {"$plugin": plugin.id})
    return OwnFile((), (target(extra.file, plugin.id, ""),), value=value)


def _registered(plugin: Plugin, extras: Sequence[Register]) -> list[Placement]:
    return [_register(plugin, extra) for extra in extras]


def _register(plugin: Plugin, extra: Register) -> Placement:
    goal = (target(extra.file, plugin.id, ""),)
    at = tuple(fill(list(extra.at), {"$plugin": plugin.id}))
    value = fill(extra.value, {"$plugin": plugin.id})
    if extra.op == "item":
        return Item("", goal, extra.format, at, value, extra.only_if_present)
    return Key(goal, extra.format, at, value)


def _module_context(
    plugin: Plugin, host: Host, delivery: Module, scope: Scope, slots: Sequence[Slot]
) -> dict[str, Any]:
    """What a template sees; numbers in milliseconds, names of tools or None for every tool."""
    rows = {}
    for slot in slots:
        wanted = dict.fromkeys(name for names in slot.names.values() for name in names)
        rows[slot.name] = {
            "event": slot.event,
            "native": slot.native.name,
            "timeout_ms": round(slot.entry_timeout * 1000),
            "deadline_ms": round(slot.deadline * 1000),
            "tools": list(wanted) if len(slot.names) == len(slot.hooks) else None,
        }
    return {
        "plugin": plugin.id,
        "host": host.id,
        "scope": scope,
        "slots": rows,
        "params": dict(delivery.params),
    }
