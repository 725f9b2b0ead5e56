"""The parts of an installed plugin's bundle that firing needs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hatch_agentplugin.fire.text import like
from hatch_agentplugin.plan import Cell, Plan
from hatch_agentplugin.simulate.result import CannotSimulate


@dataclass(frozen=True)
class Bundle:
    """A compiled plugin."""

    folder: Path
    """The bundle folder, with the fire tables in ``fire/``."""
    plan: Plan = field(repr=False)
    """Its ``plan.json``."""

    @classmethod
    def read(cls, folder: Path) -> Bundle:
        """Read a bundle folder. Raises PlanError or OSError."""
        return cls(folder, Plan.read(folder))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The ids of the hosts on which a hook fires."""
        return tuple(name for name, host in self.plan.hosts.items() if host.slots)

    def events(self, host: str) -> tuple[str, ...]:
        """Return the events for which a hook fires on a host."""
        return tuple(dict.fromkeys(_event(slot) for slot in self._slots(host)))

    def cells(self, host: str, event: str | None = None) -> list[Cell]:
        """Return the lines of the build report for a host, or for one of its events."""
        cells = [cell for cell in self.plan.report if cell.host == host]
        return [cell for cell in cells if event in (None, cell.event)]

    def table(self, host: str, slot: str) -> dict[str, Any]:
        """Return the fire table of a slot."""
        text = (self.folder / "fire" / host / f"{slot}.json").read_text("utf-8")
        table: dict[str, Any] = json.loads(text)
        return table

    def slot(self, host: str, event: str, tool: str | None = None) -> tuple[str, dict[str, Any]]:
        """Return the slot that a host uses for an event and a tool, and its fire table.

        ``tool`` is a selector or a native name. Raises CannotSimulate if the host has no slot for
        the event.
        """
        slots = [slot for slot in self._slots(host) if _event(slot) == event]
        if not slots:
            reasons = (cell.reason for cell in self.cells(host, event))
            why = next(reasons, "the plugin declares nothing for it")
            raise CannotSimulate(f"{event} does not fire on {host}: {why}")
        tables = [(slot, self.table(host, slot)) for slot in slots]
        for slot, table in tables:
            if tool is not None and any(_matches(tool, *row) for row in table["tools"]):
                return slot, table
        return tables[0]

    def _slots(self, host: str) -> tuple[str, ...]:
        return self.plan.hosts[host].slots if host in self.plan.hosts else ()


def _event(slot: str) -> str:
    return slot.partition(".")[0]


def _matches(tool: str, pattern: str, selector: str) -> bool:
    return tool == selector or like(tool, pattern)
