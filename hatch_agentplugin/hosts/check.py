"""Checks a :class:`Host` against the closed vocabularies, for the registry and adapter authors.

Standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, get_args

from hatch_agentplugin.hosts.check_content import content_mistakes
from hatch_agentplugin.hosts.check_package import bundle_mistakes
from hatch_agentplugin.hosts.delivery import (
    Dir,
    Entries,
    Executables,
    File,
    Module,
    Register,
    Scope,
)
from hatch_agentplugin.hosts.events import Basis, Evidence, Native
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.words import EVENTS, OUTCOMES, SELECTORS, nearest

#: Names that :class:`hatch_agentplugin.adapter.Wire` may give a path for.
FIELDS = (
    "session", "cwd", "tool", "input", "output", "prompt", "call_id", "transcript", "reason",
    "agent", "message", "error", "stop_active",
)  # fmt: skip
ENTRY_SLOTS = ("$command", "$event", "$matcher", "$timeout", "$plugin", "$id")
REPLY_SLOTS = ("$reason", "$text", "$input", "$output", "$output-text", "$event", "$plugin")
#: Keys at the top of a reply that answer by the process instead of by a document.
REPLY_KEYS = ("$exit", "$stderr", "$stdout")

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_BRACES = re.compile(r"\{[^}]*\}")
_FORMATS = ("json", "jsonc", "toml", "yaml")


def check_host(host: Host) -> list[str]:
    """Every mistake in a host, a line each: where, what, what is allowed; empty when it is right."""
    return list(_mistakes(host))


def _mistakes(host: Host) -> Iterator[str]:
    if not _ID.fullmatch(host.id):
        yield f"id: {host.id!r} is not lower-case letters, digits and hyphens"
    if not host.name.strip():
        yield "name: empty"
    yield from _evidence("evidence", host.evidence)
    yield from _names("tools", host.tools, SELECTORS)
    yield from _names("wire.fields", host.wire.fields, FIELDS)
    yield from _delivery(host)
    yield from _names("events", host.events, EVENTS)
    for event in host.events:
        seen: set[str] = set()
        for native in host.natives(event):
            where = f"events.{event}.{native.name}"
            if native.name in seen:
                yield f"{where}: twice"
            seen.add(native.name)
            yield from _native(where, event, native)
    for n, signature in enumerate(host.signatures, 1):
        if (signature.env is None) == (signature.field is None):
            yield f"signatures[{n}]: one of env and field is wanted"
    for other, scopes in host.also_reads.items():
        yield from _names(f"also_reads.{other}", scopes, get_args(Scope))
    for n, switch in enumerate(host.switches, 1):
        for file in switch.files:
            yield from _file(f"switches[{n}]", file, ())
    yield from content_mistakes(host, _file)
    yield from bundle_mistakes(host, _file)
    for n, folder in enumerate(host.detect.dirs, 1):
        yield from _dir(f"detect.dirs[{n}]", folder)


def _names(where: str, names: Iterable[str], allowed: Iterable[str]) -> Iterator[str]:
    choices = tuple(allowed)
    for name in names:
        if name not in choices:
            near = nearest(name, choices)
            hint = f', did you mean "{near}"?' if near else f"; allowed: {', '.join(choices)}"
            yield f'{where}: unknown "{name}"{hint}'


def _evidence(where: str, evidence: Evidence) -> Iterator[str]:
    yield from _names(f"{where}.basis", [evidence.basis], get_args(Basis))
    try:
        date.fromisoformat(evidence.date)
    except ValueError:
        yield f"{where}.date: {evidence.date!r} is not an ISO date"
    if not evidence.version:
        yield f"{where}.version: empty"


def _native(where: str, event: str, native: Native) -> Iterator[str]:
    if not native.name:
        yield f"{where}: no native name"
    legal = EVENTS[event].outcomes if event in EVENTS else tuple(OUTCOMES)
    yield from _names(f"{where}.can", native.can, legal)
    for outcome, template in native.can.items():
        yield from _reply(f"{where}.can.{outcome}", template)
    yield from _names(f"{where}.shapes", native.shapes, native.can)
    for outcome, shapes in native.shapes.items():
        for tool, shape in shapes.items():
            yield from _slots(f"{where}.shapes.{outcome}.{tool}", shape, ("$output",))
            if "$output" not in set(_texts(shape)):
                yield f"{where}.shapes.{outcome}.{tool}: no $output, so the text would be lost"
    yield from _names(f"{where}.fields", native.fields, FIELDS)
    yield from _names(f"{where}.tools", native.tools, SELECTORS)
    if native.timeout_max is not None and native.timeout_max <= 0:
        yield f"{where}.timeout_max: not above 0"
    if native.evidence:
        yield from _evidence(f"{where}.evidence", native.evidence)


def _reply(where: str, template: Mapping[str, Any]) -> Iterator[str]:
    body = {key: value for key, value in template.items() if key not in REPLY_KEYS}
    yield from _slots(where, [body, template.get("$stderr"), template.get("$stdout")], REPLY_SLOTS)
    status = template.get("$exit", 0)
    if type(status) is not int or not 0 <= status <= 255:
        yield f"{where}: $exit is {status!r}, a number from 0 to 255 is wanted"
    for key in body:
        if key.startswith("$"):
            yield from _names(where, [key], REPLY_KEYS)


def _slots(where: str, value: Any, allowed: Sequence[str]) -> Iterator[str]:
    """Strings that look like a slot must be one."""
    yield from _names(where, (text for text in _texts(value) if text[:1] == "$"), allowed)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from _texts(item)


def _delivery(host: Host) -> Iterator[str]:
    delivery = host.delivery
    if host.native_only and not isinstance(delivery, Entries):
        yield "native_only: entries as they are can be placed in a document only"
    if delivery is None:
        if host.events:
            yield "delivery: None although there are events"
        return
    if not delivery.files or not all(delivery.files.values()):
        yield "delivery.files: every scope wants at least one file"
    yield from _names("delivery.files", delivery.files, get_args(Scope))
    check: Callable[[Any, Host], Iterator[str]] = _entries
    if isinstance(delivery, Executables):
        check = _executables
    elif isinstance(delivery, Module):
        check = _module
    yield from check(delivery, host)


def _entries(delivery: Entries, host: Host) -> Iterator[str]:
    for file in _all_files(delivery.files):
        yield from _file("delivery.files", file, ("{plugin}",))
        if delivery.own and "{plugin}" not in file.path + file.dir.default:
            yield f"delivery.own: the name {file.path!r} lacks {{plugin}}, so plugins would clash"
    yield from _names("delivery.format", [delivery.format], _FORMATS)
    for where, at in (("at", delivery.at), *delivery.second_at.items()):
        yield from _slots(f"delivery.{where}", at, ("$event", "$plugin"))
        if not at:
            yield f"delivery.{where}: empty"
    yield from _slots("delivery.entry", delivery.entry, ENTRY_SLOTS)
    yield from _registers(delivery.register)
    texts = set(_texts(delivery.entry))
    if "$command" not in texts:
        yield "delivery.entry: no $command, so nothing would be started"
    matched = [n.name for event in host.events for n in host.natives(event) if n.matcher]
    if matched and ("$matcher" not in texts or host.matcher.style == "none"):
        yield f"delivery.entry: {matched[0]} has a matcher, so $matcher and a style are wanted"
    if ("$timeout" in texts) != (host.run.unit != "none"):
        yield f"run.unit: {host.run.unit!r} does not fit an entry with or without $timeout"


def _executables(delivery: Executables, host: Host) -> Iterator[str]:
    for file in _all_files(delivery.files):
        yield from _file("delivery.files", file, ("{event}", "{plugin}"))
        if "{event}" not in file.path:
            yield f"delivery.files: the name {file.path!r} lacks {{event}}"


def _module(delivery: Module, host: Host) -> Iterator[str]:
    for scope, files in delivery.files.items():
        if len(files) != len(delivery.templates):
            yield f"delivery.files.{scope}: {len(files)} files for {len(delivery.templates)} templates"
        for file in files:
            yield from _file("delivery.files", file, ("{plugin}",))
            if "{plugin}" not in file.path + file.dir.default:
                yield f"delivery.files: the name {file.path!r} lacks {{plugin}}"
    for template in delivery.templates:
        if not is_safe_relative(template):
            yield f"delivery.templates: {template!r} is not a name below templates/"
    yield from _registers(delivery.register)


def _registers(register: Mapping[Scope, Sequence[Register]]) -> Iterator[str]:
    for scope, extras in register.items():
        where = f"delivery.register.{scope}"
        for extra in extras:
            yield from _file(where, extra.file, ("{plugin}",))
            yield from _slots(where, [extra.at, extra.value], ("$plugin",))
            yield from _names(f"{where}.format", [extra.format], _FORMATS)
            if extra.only_if_present and extra.op != "item":
                yield f'{where}: only_if_present is for a list: op="item"'


def _all_files(files: Mapping[Scope, Sequence[File]]) -> Iterator[File]:
    for group in files.values():
        yield from group


def _file(where: str, file: File, placeholders: Sequence[str]) -> Iterator[str]:
    yield from _dir(where, file.dir)
    for path in filter(None, (file.path, file.windows)):
        yield from _names(where, _BRACES.findall(path), placeholders)
        if not is_safe_relative(_BRACES.sub("x", path)):
            yield f"{where}: {path!r} leaves its folder"


def _dir(where: str, folder: Dir) -> Iterator[str]:
    for path in (folder.default, folder.inside, folder.windows or "", folder.macos or ""):
        if ".." in path.replace("\\", "/").split("/"):
            yield f"{where}: {path!r} has '..'"
