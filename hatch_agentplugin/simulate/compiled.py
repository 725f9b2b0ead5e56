"""A compiled plugin, as far as firing needs it."""

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
    plan: Plan = field(repr=False)

    @classmethod
    def read(cls, folder: Path) -> Bundle:
        """Read a bundle folder. Raises PlanError or OSError."""
        return cls(folder, Plan.read(folder))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts on which anything fires."""
        return tuple(name for name, host in self.plan.hosts.items() if host.slots)

    def events(self, host: str) -> tuple[str, ...]:
        """The events that fire on a host."""
        slots = self.plan.hosts[host].slots if host in self.plan.hosts else ()
        return tuple(dict.fromkeys(slot.partition(".")[0] for slot in slots))

    def cells(self, host: str, event: str | None = None) -> list[Cell]:
        """What the build has reported about a host."""
        cells = [cell for cell in self.plan.report if cell.host == host]
        return [cell for cell in cells if event in (None, cell.event)]

    def table(self, host: str, slot: str) -> dict[str, Any]:
        """A fire table."""
        text = (self.folder / "fire" / host / f"{slot}.json").read_text("utf-8")
        table: dict[str, Any] = json.loads(text)
        return table

    def slot(self, host: str, event: str, tool: str | None = None) -> tuple[str, dict[str, Any]]:
        """The slot that a host calls for an event and a tool (selector or native name), with its
        table. Raises :class:`CannotSimulate`."""
        named = self.plan.hosts[host].slots if host in self.plan.hosts else ()
        slots = [slot for slot in named if slot.partition(".")[0] == event]
        if not slots:
            why = next(
                (cell.reason for cell in self.cells(host, event)), "nothing is declared for it"
            )
            raise CannotSimulate(f"{event} does not fire on {host}: {why}")
        tables = [(slot, self.table(host, slot)) for slot in slots]
        for slot, table in tables:
            if tool is not None and any(_is_for(tool, *row) for row in table["tools"]):
                return slot, table
        return tables[0]


def _is_for(tool: str, pattern: str, selector: str) -> bool:
    return tool == selector or like(tool, pattern)
