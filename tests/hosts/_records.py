"""What runs have seen, kept as evidence beside the adapters.

With `AGENT_PLUGIN_RECORD=DIR` every run adds to `DIR/HOST.json`; `python -m tests.hosts --record`
writes beside the adapters. A run in another version of the program begins a new record. Whether
recorded or not, what a run saw must be in the adapter's table, else the test fails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import agentplugin_adapters

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.hosts.matrix import built_in_hosts
from hatch_agentplugin.words import EVENTS
from tests.hosts import _cache
from tests.hosts.drivers import Driver

EVIDENCE = Path(agentplugin_adapters.__file__).parent / "evidence"
FIRED = "fired"
"""Stands among an event's outcomes for the event itself."""

# Read when imported: tests run with an environment of their own.
_FOLDER = os.environ.get("AGENT_PLUGIN_RECORD", "")
_HOSTS = built_in_hosts()


def fired(home: Path, plugin: str, host: str) -> set[str]:
    """Events for which the plugin's hooks were called, as it notes them itself."""
    folder = home / ".agent-plugin" / plugin / "fired"
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    return {name.removeprefix(f"{host}.") for name in names if name.startswith(f"{host}.")}


def note(driver: Driver, seen: Mapping[str, Iterable[str]]) -> None:
    """Hold what a run saw against the adapter, and record it where asked to."""
    now = {event: {FIRED, *outcomes} for event, outcomes in seen.items()}
    wrong = contradictions(_HOSTS[driver.id], now)
    assert not wrong, "\n".join(wrong)
    if _FOLDER:
        folder = Path(_FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        with _cache.lock("records.lock"):
            _add(folder / f"{driver.id}.json", driver, now)


def contradictions(host: Host, seen: Mapping[str, Iterable[str]]) -> list[str]:
    """What was seen and the adapter's table lacks."""
    wrong = []
    for event, outcomes in seen.items():
        natives = host.natives(event) if event in host.events else ()
        can = {outcome for native in natives for outcome in native.can}
        if not natives:
            wrong.append(f"{host.id} fired {event}, which its adapter does not have")
        for outcome in sorted(set(outcomes) - can - {FIRED} if natives else ()):
            wrong.append(f"{host.id} obeyed {outcome} at {event}, which its adapter denies")
    return wrong


def _add(file: Path, driver: Driver, seen: Mapping[str, set[str]]) -> None:
    old: Any = json.loads(file.read_text("utf-8")) if file.exists() else {}
    if old.get("version") != driver.version:
        old = {"seen": {}}
    all_seen = {event: set(outcomes) for event, outcomes in old["seen"].items()}
    for event, outcomes in seen.items():
        all_seen.setdefault(event, set()).update(outcomes)
    document = {
        "host": driver.id,
        "program": driver.program,
        "version": driver.version,
        "date": date.today().isoformat(),
        "seen": {event: _ordered(all_seen[event]) for event in EVENTS if event in all_seen},
    }
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _ordered(outcomes: set[str]) -> list[str]:
    return [FIRED, *sorted(outcomes - {FIRED})]
