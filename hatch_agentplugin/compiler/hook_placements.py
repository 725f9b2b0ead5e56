"""Placements of one host's hooks: entries in a document, executables, or a code module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from hatch_agentplugin.adapter import (
    Beside,
    Entries,
    Executables,
    File,
    Host,
    Module,
    Register,
)
from hatch_agentplugin.compiler.slots import Slot
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.plan import Item, Key, OwnFile, Placement, Shim
from hatch_agentplugin.templates import fill, map_strings
from hatch_agentplugin.words import FOLDERS, ScopeName

#: Makes the text of a code module: (package, template name, context) -> text.
Render: TypeAlias = Callable[[str, str, Mapping[str, Any]], str]
#: What is placed in each scope.
Placements: TypeAlias = dict[ScopeName, tuple[Placement, ...]]


def hook_placements(
    declaration: Declaration, host: Host, slots: Sequence[Slot], render: Render
) -> tuple[Placements, dict[str, bytes]]:
    """Return the placements per scope, and their artifacts (path in the bundle -> bytes)."""
    native = declaration.native.get(host.id, {})
    if not slots and not native:
        return {}, {}
    plugin, delivery = declaration.plugin.id, host.delivery
    if isinstance(delivery, Entries):
        native = with_text_placeholders(native)
        return {
            scope: tuple(_entries(plugin, host, delivery, scope, slots, native))
            for scope in delivery.files
        }, {}
    if isinstance(delivery, Executables):
        return {scope: tuple(_shims(delivery, scope, slots)) for scope in delivery.files}, {}
    if isinstance(delivery, Module):
        return _module(plugin, host, delivery, slots, render)
    return {}, {}


def target(file: File, plugin: str, event: str) -> File:
    """Return an adapter's file with the plugin's id and the native event filled in."""

    def named(path: str) -> str:
        return path.replace("{plugin}", plugin).replace("{event}", event)

    at = None if file.at is None else tuple(fill(file.at, {"$event": event, "$plugin": plugin}))
    return File(file.dir, named(file.path), file.windows and named(file.windows), at)


def with_text_placeholders(value: Any) -> Any:
    """Return a value in which strings with a plugin folder are ``{"$text": ...}``."""

    def marked(text: str) -> Any:
        return {"$text": text} if any(folder in text for folder in FOLDERS) else text

    return map_strings(value, marked)


# --- entries in a document ---


def _entries(
    plugin: str,
    host: Host,
    delivery: Entries,
    scope: ScopeName,
    slots: Sequence[Slot],
    native: Mapping[str, Sequence[Any]],
) -> list[Placement]:
    rows = [
        (slot.event, slot.native.name, value)
        for slot in slots
        for value in _values(plugin, host, delivery.entry, slot, scope)
    ]
    rows += [("", name, value) for name, values in native.items() for value in values]
    files = delivery.files[scope]
    extras: list[Placement] = [
        *(_beside(plugin, extra) for extra in delivery.beside.get(scope, ())),
        *(_register(plugin, extra) for extra in delivery.register.get(scope, ())),
    ]
    if delivery.own:
        return [_own_document(plugin, delivery, files, rows), *extras]
    documents = tuple(replace(target(file, plugin, ""), at=None) for file in files)
    extras += [
        Key(documents, delivery.format, (key,), value, keep=True)
        for key, value in delivery.document.items()
    ]
    return [*extras, *(_item(plugin, delivery, files, *row) for row in rows)]


def _item(
    plugin: str, delivery: Entries, files: Sequence[File], event: str, native: str, value: Any
) -> Placement:
    at = tuple(fill(list(delivery.at), {"$event": native, "$plugin": plugin}))
    targets = tuple(target(file, plugin, native) for file in files)
    return Item(event, targets, delivery.format, at, value)


def _values(
    plugin: str, host: Host, entry: Mapping[str, Any], slot: Slot, scope: ScopeName
) -> list[Any]:
    """Return the entries of one slot: one per matcher, which is usually one."""
    # ids are unique across files in some hosts: a project's entry must not replace the user's
    suffix = "" if scope == "user" else f"-{scope}"
    values = {
        "$command": _launcher(host, slot),
        "$event": slot.native.name,
        "$timeout": _timeout(host, slot),
        "$plugin": plugin,
        "$id": f"{plugin}-{slot.name}{suffix}",
    }
    template = entry if slot.native.entry is None else slot.native.entry
    matchers = slot.entry_matchers or (None,)
    return [fill(template, {**values, "$matcher": matcher}) for matcher in matchers]


def _launcher(host: Host, slot: Slot) -> dict[str, Any]:
    launcher: dict[str, Any] = {"slot": slot.name, "form": host.run.form}
    if host.run.guard:
        launcher["guard"] = True
    return {"$launcher": launcher}


def _timeout(host: Host, slot: Slot) -> int | float | None:
    if host.run.unit == "none":
        return None
    value = slot.entry_timeout * (1000 if host.run.unit == "ms" else 1)
    return round(value) if host.run.whole_seconds or value == int(value) else value


def _own_document(
    plugin: str, delivery: Entries, files: Sequence[File], rows: Sequence[tuple[str, str, Any]]
) -> OwnFile:
    """Return a document that is ours alone, with all entries in it."""
    document: dict[str, Any] = dict(delivery.document)
    for _, native, value in rows:
        path = fill(list(delivery.at), {"$event": native, "$plugin": plugin})
        node = document
        for key in path[:-1]:
            node = node.setdefault(key, {})
        node.setdefault(path[-1], []).append(value)
    events = tuple(dict.fromkeys(event for event, _, _ in rows if event))
    return OwnFile(events, tuple(target(file, plugin, "") for file in files), value=document)


def _beside(plugin: str, extra: Beside) -> Placement:
    value = fill(extra.value, {"$plugin": plugin})
    return OwnFile((), (target(extra.file, plugin, ""),), value=value)


def _register(plugin: str, extra: Register) -> Placement:
    targets = (target(extra.file, plugin, ""),)
    at = tuple(fill(list(extra.at), {"$plugin": plugin}))
    value = fill(extra.value, {"$plugin": plugin})
    if extra.op == "item":
        return Item("", targets, extra.format, at, value, extra.only_if_present)
    return Key(targets, extra.format, at, value)


# --- executables ---


def _shims(delivery: Executables, scope: ScopeName, slots: Sequence[Slot]) -> list[Placement]:
    return [
        Shim(
            slot.event,
            slot.name,
            tuple(target(file, "", slot.native.name) for file in delivery.files[scope]),
        )
        for slot in slots
    ]


# --- code modules ---


def _module(
    plugin: str, host: Host, delivery: Module, slots: Sequence[Slot], render: Render
) -> tuple[Placements, dict[str, bytes]]:
    found: Placements = {}
    artifacts: dict[str, bytes] = {}
    events = tuple(dict.fromkeys(slot.event for slot in slots))
    for scope, files in delivery.files.items():
        rows: list[Placement] = []
        context = _module_context(plugin, host, delivery, scope, slots)
        for file, template in zip(files, delivery.templates, strict=True):
            goal = target(file, plugin, "")
            artifact = f"hosts/{host.id}/{scope}/{goal.path.rpartition('/')[2]}"
            artifacts[artifact] = render(delivery.package, template, context).encode("utf-8")
            rows.append(OwnFile(events, (goal,), artifact=artifact))
        rows += [_register(plugin, extra) for extra in delivery.register.get(scope, ())]
        found[scope] = tuple(rows)
    return found, artifacts


def _module_context(
    plugin: str, host: Host, delivery: Module, scope: ScopeName, slots: Sequence[Slot]
) -> dict[str, Any]:
    """Return the names in a template; ``tools`` is None if a slot is for every tool."""
    rows = {}
    for slot in slots:
        tools = slot.selected_tools
        rows[slot.name] = {
            "event": slot.event,
            "native": slot.native.name,
            "timeout_ms": round(slot.entry_timeout * 1000),
            "deadline_ms": round(slot.deadline * 1000),
            "tools": None if tools is None else list(tools),
        }
    return {
        "plugin": plugin,
        "host": host.id,
        "scope": scope,
        "slots": rows,
        "params": dict(delivery.params),
    }
