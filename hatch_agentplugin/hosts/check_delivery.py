"""Checks how hooks get to a host."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hatch_agentplugin.hosts.check_rules import check_file, check_names, check_placeholders
from hatch_agentplugin.hosts.delivery import Entries, Executables, Module, Register
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.templates import strings
from hatch_agentplugin.words import DOCUMENT_FORMATS, ENTRY_PLACEHOLDERS, SCOPES, ScopeName


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
