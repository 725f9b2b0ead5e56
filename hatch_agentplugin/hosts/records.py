"""Records of tests with real hosts: the file ``evidence.json`` beside an adapter's module.

::

    {"host": "codex", "version": "0.171.0", "date": "2026-11-30", "seen": {"turn-end": ["halt"]}}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hatch_agentplugin.hosts.adapters import adapter_folder

FILE = "evidence.json"


@dataclass(frozen=True)
class Record:
    """The observations of a test with a real host."""

    host: str
    version: str
    """Version of the host's program."""
    date: str
    """ISO date of the last run."""
    seen: Mapping[str, tuple[str, ...]]
    """Canonical event -> outcomes that the host obeyed."""


def read_records(hosts: Iterable[str]) -> dict[str, Record]:
    """Return the records of these hosts by id; a host without a readable record is left out."""
    found = {host: _read(adapter_folder(host)) for host in hosts}
    return {host: record for host, record in found.items() if record}


def _read(folder: Path | None) -> Record | None:
    return read_record(folder / FILE) if folder else None


def read_record(file: Path) -> Record | None:
    """Return the record in a file; None if it cannot be read."""
    try:
        raw = json.loads(file.read_text("utf-8"))
        seen = {str(event): tuple(map(str, outcomes)) for event, outcomes in raw["seen"].items()}
        return Record(str(raw["host"]), str(raw["version"]), str(raw["date"]), seen)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
