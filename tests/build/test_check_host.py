"""Every mistake in the description of a host is found and explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    Evidence,
    Executables,
    File,
    Host,
    Matcher,
    Module,
    Native,
    Register,
    Run,
    Signature,
    Wire,
)
from hatch_agentplugin.hosts.check import check_host
from hatch_agentplugin.hosts.registry import load_hosts

HOME = Dir("~/.acme")
ENTRIES = Entries(
    files={"user": [File(HOME, "settings.json")]},
    at=("hooks", "$event"),
    entry={"run": "$command", "match": "$matcher", "seconds": "$timeout"},
)
EXECUTABLES = Executables(files={"user": [File(HOME, "hooks/{event}")]})
MODULE = Module(
    files={"user": [File(HOME, "{plugin}.js")]}, package="acme", templates=["acme.js.j2"]
)
HOST = Host(
    id="acme",
    name="Acme",
    evidence=Evidence(basis="witnessed", version="1", date="2026-11-01"),
    detect=Detect(dirs=[HOME]),
    delivery=ENTRIES,
    events={"pre-tool-use": Native(name="Before", matcher=True, can={"deny": {"no": "$reason"}})},
    tools={"shell": ["run"]},
    matcher=Matcher(style="exact-list"),
    wire=Wire(fields={"tool": "name"}),
)


def native(**changes: Any) -> Callable[[Host], Host]:
    """Changes to the host's only native event."""

    def change(host: Host) -> Host:
        return replace(
            host, events={"pre-tool-use": replace(host.natives("pre-tool-use")[0], **changes)}
        )

    return change


def delivery(kind: Any = ENTRIES, **changes: Any) -> Callable[[Host], Host]:
    def change(host: Host) -> Host:
        return replace(host, delivery=replace(kind, **changes))

    return change


def host(**changes: Any) -> Callable[[Host], Host]:
    return lambda good: replace(good, **changes)


@pytest.mark.parametrize(
    "good",
    [
        HOST,
        replace(HOST, delivery=replace(EXECUTABLES), run=Run(form="file", unit="none")),
        replace(HOST, delivery=MODULE, run=Run(form="path", unit="none")),
        replace(HOST, delivery=None, events={}),
    ],
    ids=["entries", "executables", "module", "no-hooks"],
)
def test_right_host(good: Host) -> None:
    assert check_host(good) == []


@pytest.mark.parametrize("host_id", load_hosts())
def test_every_installed_host_is_right(host_id: str) -> None:
    assert check_host(load_hosts()[host_id]) == []


OUTSIDE = File(HOME, "../settings.json")
CASES: dict[str, tuple[Callable[[Host], Host], str]] = {
    "id": (host(id="Acme Code"), "id: must be lower-case letters, digits and hyphens, got 'Acme Code'"),
    "name": (host(name=" "), "name: must not be empty"),
    "event": (
        lambda good: replace(good, events={"pre-tol-use": good.events["pre-tool-use"]}),
        'events: unknown "pre-tol-use", did you mean "pre-tool-use"?',
    ),
    "outcome": (
        native(can={"keep-going": {}}),
        'events.pre-tool-use.Before.can: unknown "keep-going"',
    ),
    "selector": (host(tools={"shel": ["run"]}), 'tools: unknown "shel", did you mean "shell"?'),
    "field": (host(wire=Wire(fields={"tol": "x"})), 'wire.fields: unknown "tol"'),
    "native-field": (native(fields={"x": "y"}), 'Before.fields: unknown "x"; allowed: session'),
    "native-twice": (
        lambda good: replace(good, events={"pre-tool-use": [*good.natives("pre-tool-use")] * 2}),
        "events.pre-tool-use.Before: is listed twice",
    ),
    "entry-placeholder": (
        delivery(entry={"a": "$command", "b": "$matchr", "c": "$timeout"}),
        'delivery.entry: unknown "$matchr", did you mean "$matcher"?',
    ),
    "no-command": (delivery(entry={"c": "$timeout"}), "delivery.entry: needs $command"),
    "no-matcher": (
        delivery(entry={"a": "$command", "c": "$timeout"}),
        "needs $matcher and a matcher style, because Before has a matcher",
    ),
    "no-unit": (host(run=Run(unit="none")), 'run.unit: must not be "none"'),
    "unit": (
        delivery(entry={"run": "$command", "match": "$matcher"}), 'run.unit: must be "none"'
    ),
    "at": (delivery(at=("hooks", "$evnt")), 'delivery.at: unknown "$evnt"'),
    "at-empty": (delivery(at=()), "delivery.at: must not be empty"),
    "scope": (delivery(files={"users": [File(HOME, "x")]}), 'delivery.files: unknown "users"'),
    "no-files": (delivery(files={"user": []}), "needs at least one file per scope"),
    "format": (delivery(format="ini"), 'delivery.format: unknown "ini"'),
    "path": (delivery(files={"user": [OUTSIDE]}), "'../settings.json' leaves its folder"),
    "folder": (delivery(files={"user": [File(Dir("~/../x"), "x")]}), "'~/../x' must not contain '..'"),
    "placeholder": (delivery(files={"user": [File(HOME, "{plugn}.json")]}), 'unknown "{plugn}"'),
    "own-clash": (delivery(own=True), "needs {plugin}, or plugins share the file"),
    "reply-placeholder": (native(can={"deny": {"a": ["$reasn"]}}), 'can.deny: unknown "$reasn"'),
    "reply-key": (native(can={"deny": {"$exi": 2}}), 'can.deny: unknown "$exi"'),
    "exit-status": (native(can={"deny": {"$exit": 256}}), "$exit must be a number from 0 to 255, got 256"),
    "exit-text": (native(can={"deny": {"$exit": "2"}}), "$exit must be a number from 0 to 255, got '2'"),
    "shape-of-what-can-not": (
        native(shapes={"modify-input": {"Bash": "$output"}}), 'shapes: unknown "modify-input"'
    ),
    "shape-without-the-text": (
        native(shapes={"deny": {"Bash": {"text": ""}}}, can={"deny": {}}),
        "shapes.deny.Bash: needs $output, or the text is lost",
    ),
    "timeout": (native(timeout_max=0), "timeout_max: must be above 0, got 0"),
    "date": (
        host(evidence=Evidence(basis="witnessed", version="1", date="Nov 2026")),
        "evidence.date: must be an ISO date, got 'Nov 2026'",
    ),
    "basis": (
        native(evidence=Evidence(basis="seen", version="1", date="2026-11-01")),  # type: ignore[arg-type]
        'Before.evidence.basis: unknown "seen"',
    ),
    "events-without-delivery": (host(delivery=None), "delivery: is None although the host has events"),
    "executable-name": (
        delivery(EXECUTABLES, files={"user": [File(HOME, "hook")]}),
        "'hook' needs {event}",
    ),
    "module-name": (delivery(MODULE, files={"user": [File(HOME, "a.js")]}), "'a.js' needs {plugin}"),
    "module-count": (delivery(MODULE, templates=[]), "delivery.files.user: has 1 files for 0 templates"),
    "template": (delivery(MODULE, templates=["../x.j2"]), "'../x.j2' must be a path below templates/"),
    "register": (
        delivery(MODULE, register={"user": [Register(file=OUTSIDE, at=["x"], value="$id")]}),
        'delivery.register.user: unknown "$id"',
    ),
    "register-only-if-present": (
        delivery(MODULE, register={
            "user": [Register(file=File(HOME, "s.json"), at=["x"], value=1, only_if_present=True)]
        }),
        'delivery.register.user: only_if_present needs op="item"',
    ),
    "register-of-entries": (
        delivery(HOST.delivery, register={"user": [Register(file=OUTSIDE, at=["x"], value=1)]}),
        "delivery.register.user: '../settings.json' leaves its folder",
    ),
    "native-only-of-a-module": (
        lambda host: replace(host, delivery=MODULE, native_only=("Coffee",)),
        "native_only: needs a delivery by Entries",
    ),
    "signature": (host(signatures=[Signature()]), "signatures[1]: needs either env or field"),
    "also-reads": (host(also_reads={"x": ["all"]}), 'also_reads.x: unknown "all"'),
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), CASES.values(), ids=CASES)
def test_mistake(change: Callable[[Host], Host], expected: str) -> None:
    mistakes = check_host(change(HOST))
    assert [line for line in mistakes if expected in line], mistakes
