"""Checks a host's description: known names, safe paths, complete templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, get_args

from hatch_agentplugin.hosts.check_content import check_content, check_package
from hatch_agentplugin.hosts.check_rules import (
    check_file,
    check_folder,
    check_names,
    check_placeholders,
)
from hatch_agentplugin.hosts.delivery import Entries, Executables, Module, Register
from hatch_agentplugin.hosts.events import Basis, Evidence, Native
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.templates import strings
from hatch_agentplugin.words import (
    DOCUMENT_FORMATS,
    ENTRY_PLACEHOLDERS,
    EVENTS,
    OUTCOMES,
    REPLY_PLACEHOLDERS,
    SCOPES,
    SELECTORS,
    ScopeName,
)

#: Names that :class:`hatch_agentplugin.adapter.Wire` may give a path for.
FIELDS = (
    "session", "cwd", "tool", "input", "output", "prompt", "call_id", "transcript", "reason",
    "agent", "message", "error", "stop_active",
)  # fmt: skip
#: Keys of a reply that control the process, not the document.
REPLY_KEYS = ("$exit", "$stderr", "$stdout")

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")


def check_host(host: Host) -> list[str]:
    """Return every problem of a host, one line each: the key, the problem, the allowed values."""
    return list(_problems(host))


def _problems(host: Host) -> Iterator[str]:
    if not _ID.fullmatch(host.id):
        yield f"id: must be lower-case letters, digits and hyphens, got {host.id!r}"
    if not host.name.strip():
        yield "name: must not be empty"
    yield from _evidence("evidence", host.evidence)
    yield from check_names("tools", host.tools, SELECTORS)
    yield from check_names("wire.fields", host.wire.fields, FIELDS)
    yield from check_delivery(host)
    yield from _events(host)
    for number, signature in enumerate(host.signatures, 1):
        if (signature.env is None) == (signature.field is None):
            yield f"signatures[{number}]: needs either env or field"
    for other, scopes in host.also_reads.items():
        yield from check_names(f"also_reads.{other}", scopes, SCOPES)
    for number, switch in enumerate(host.switches, 1):
        for file in switch.files:
            yield from check_file(f"switches[{number}]", file)
    for number, folder in enumerate(host.detect.dirs, 1):
        yield from check_folder(f"detect.dirs[{number}]", folder)
    yield from check_content(host)
    yield from check_package(host)


def _evidence(where: str, evidence: Evidence) -> Iterator[str]:
    yield from check_names(f"{where}.basis", [evidence.basis], get_args(Basis))
    try:
        date.fromisoformat(evidence.date)
    except ValueError:
        yield f"{where}.date: must be an ISO date, got {evidence.date!r}"
    if not evidence.version:
        yield f"{where}.version: must not be empty"


def _events(host: Host) -> Iterator[str]:
    yield from check_names("events", host.events, EVENTS)
    for event in host.events:
        seen: set[str] = set()
        for native in host.natives(event):
            where = f"events.{event}.{native.name}"
            if native.name in seen:
                yield f"{where}: is listed twice"
            seen.add(native.name)
            yield from _native(where, event, native)


def _native(where: str, event: str, native: Native) -> Iterator[str]:
    if not native.name:
        yield f"{where}: needs a native name"
    legal = EVENTS[event].outcomes if event in EVENTS else tuple(OUTCOMES)
    yield from check_names(f"{where}.can", native.can, legal)
    for outcome, template in native.can.items():
        yield from _reply(f"{where}.can.{outcome}", template)
    yield from _shapes(where, native)
    yield from check_names(f"{where}.fields", native.fields, FIELDS)
    yield from check_names(f"{where}.tools", native.tools, SELECTORS)
    if native.timeout_max is not None and native.timeout_max <= 0:
        yield f"{where}.timeout_max: must be above 0, got {native.timeout_max}"
    if native.evidence:
        yield from _evidence(f"{where}.evidence", native.evidence)


def _shapes(where: str, native: Native) -> Iterator[str]:
    yield from check_names(f"{where}.shapes", native.shapes, native.can)
    for outcome, shapes in native.shapes.items():
        for tool, shape in shapes.items():
            here = f"{where}.shapes.{outcome}.{tool}"
            yield from check_placeholders(here, shape, ("$output",))
            if "$output" not in set(strings(shape)):
                yield f"{here}: needs $output, or the text is lost"


def _reply(where: str, template: Mapping[str, Any]) -> Iterator[str]:
    body = {key: value for key, value in template.items() if key not in REPLY_KEYS}
    texts = [body, template.get("$stderr"), template.get("$stdout")]
    yield from check_placeholders(where, texts, REPLY_PLACEHOLDERS)
    status = template.get("$exit", 0)
    if type(status) is not int or not 0 <= status <= 255:
        yield f"{where}: $exit must be a number from 0 to 255, got {status!r}"
    yield from check_names(where, (key for key in body if key.startswith("$")), REPLY_KEYS)


def check_delivery(host: Host) -> Iterator[str]:
    """Yield every problem in ``host.delivery``."""
    delivery = host.delivery
    if host.native_only and not isinstance(delivery, Entries):
        yield "native_only: needs a delivery by Entries"
    if delivery is None:
        if host.events:
            yield "delivery: is None although the host has events"
        return
    if not delivery.files or not all(delivery.files.values()):
        yield "delivery.files: needs at least one file per scope"
    yield from check_names("delivery.files", delivery.files, SCOPES)
    if isinstance(delivery, Entries):
        yield from _entries(delivery, host)
    elif isinstance(delivery, Executables):
        yield from _executables(delivery)
    else:
        yield from _module(delivery)


def _entries(delivery: Entries, host: Host) -> Iterator[str]:
    for files in delivery.files.values():
        for file in files:
            yield from check_file("delivery.files", file, ("{plugin}",))
            if file.at is not None:
                yield from _path("delivery.files.at", file.at)
            if delivery.own and "{plugin}" not in file.path + file.dir.default:
                yield f"delivery.own: {file.path!r} needs {{plugin}}, or plugins share the file"
    yield from check_names("delivery.format", [delivery.format], DOCUMENT_FORMATS)
    yield from _path("delivery.at", delivery.at)
    yield from _entry(delivery, host)
    yield from _registers(delivery.register)


def _path(where: str, at: Sequence[str]) -> Iterator[str]:
    yield from check_placeholders(where, at, ("$event", "$plugin"))
    if not at:
        yield f"{where}: must not be empty"


def _entry(delivery: Entries, host: Host) -> Iterator[str]:
    yield from check_placeholders("delivery.entry", delivery.entry, ENTRY_PLACEHOLDERS)
    texts = set(strings(delivery.entry))
    if "$command" not in texts:
        yield "delivery.entry: needs $command, or nothing starts the launcher"
    matched = [n.name for event in host.events for n in host.natives(event) if n.matcher]
    if matched and ("$matcher" not in texts or host.matcher.style == "none"):
        yield f"delivery.entry: needs $matcher and a matcher style, because {matched[0]} has a matcher"
    if "$timeout" in texts and host.run.unit == "none":
        yield 'run.unit: must not be "none", because delivery.entry has $timeout'
    if "$timeout" not in texts and host.run.unit != "none":
        yield 'run.unit: must be "none", because delivery.entry has no $timeout'


def _executables(delivery: Executables) -> Iterator[str]:
    for files in delivery.files.values():
        for file in files:
            yield from check_file("delivery.files", file, ("{event}", "{plugin}"))
            if "{event}" not in file.path:
                yield f"delivery.files: {file.path!r} needs {{event}}"


def _module(delivery: Module) -> Iterator[str]:
    for scope, files in delivery.files.items():
        if len(files) != len(delivery.templates):
            yield (
                f"delivery.files.{scope}: has {len(files)} files for "
                f"{len(delivery.templates)} templates"
            )
        for file in files:
            yield from check_file("delivery.files", file, ("{plugin}",))
            if "{plugin}" not in file.path + file.dir.default:
                yield f"delivery.files: {file.path!r} needs {{plugin}}"
    for template in delivery.templates:
        if not is_safe_relative(template):
            yield f"delivery.templates: {template!r} must be a path below templates/"
    yield from _registers(delivery.register)


def _registers(register: Mapping[ScopeName, Sequence[Register]]) -> Iterator[str]:
    for scope, extras in register.items():
        where = f"delivery.register.{scope}"
        for extra in extras:
            yield from check_file(where, extra.file, ("{plugin}",))
            yield from check_placeholders(where, [extra.at, extra.value], ("$plugin",))
            yield from check_names(f"{where}.format", [extra.format], DOCUMENT_FORMATS)
            if extra.only_if_present and extra.op != "item":
                yield f'{where}: only_if_present needs op="item"'
