"""What runs of real hosts have seen: `evidence.json` in each adapter's folder.

With `AGENT_PLUGIN_RECORD=DIR` every run adds to `DIR/<adapter's folder>/evidence.json`;
`python -m tests.hosts --record` writes into the adapters' own folders. A run of another version of
the program starts a new record. A test fails if its run saw what the adapter's table lacks, whether
it records or not.
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
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.hosts.records import FILE
from hatch_agentplugin.words import EVENTS
from tests.hosts import _cache
from tests.hosts.drivers import Driver

ADAPTERS = Path(agentplugin_adapters.__file__).parent
FIRED = "fired"
"""Pseudo-outcome: the event itself has fired."""

# Read when imported: tests run with an environment of their own.
_FOLDER = os.environ.get("AGENT_PLUGIN_RECORD", "")
_HOSTS = built_in_hosts()


def file_of(folder: Path, host: str) -> Path:
    """Return the file with a host's record; ``folder`` has one folder per adapter."""
    return folder / host.replace("-", "_") / FILE


def fired(home: Path, plugin: str, host: str) -> set[str]:
    """Return the events that have fired, by the plugin's fired stamps."""
    folder = home / ".agent-plugin" / plugin / "fired"
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    return {name.removeprefix(f"{host}.") for name in names if name.startswith(f"{host}.")}


def note(driver: Driver, seen: Mapping[str, Iterable[str]]) -> None:
    """Compare what a run saw with the adapter, and record it if asked to."""
    now = {event: {FIRED, *outcomes} for event, outcomes in seen.items()}
    wrong = contradictions(_HOSTS[driver.id], now)
    assert not wrong, "\n".join(wrong)
    if _FOLDER:
        file = file_of(Path(_FOLDER), driver.id)
        file.parent.mkdir(parents=True, exist_ok=True)
        with _cache.lock("records.lock"):
            _add(file, driver, now)


def contradictions(host: Host, seen: Mapping[str, Iterable[str]]) -> list[str]:
    """Return what was seen although the adapter lacks it, a sentence each."""
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
