"""``hosts``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.detect import Ours, presence
from hatch_agentplugin.cli import command
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command
from hatch_agentplugin.cli.show import short
from hatch_agentplugin.cli.ui import out, out_json, table
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.recover import recover


def commands() -> tuple[Command, ...]:
    """The command of this module."""
    summary = "show the agents that the installed plugins have hooks for"
    return (Command("hosts", summary, run_hosts, (command.JSON,)),)


def run_hosts(options: Any) -> int:
    """Run the command. Returns the exit status."""
    context = _options.context(options)
    known, broken = _options.known_plugins(())
    _options.tell_stale(known)
    _options.need_plugins(known, broken, context.environment)
    ledger, _ = recover(context.state)
    ours = Ours(ledger)
    rows = [_row(host, known, ledger, ours, context) for host in sorted(_options.hosts_of(known))]
    if options.json:
        out_json({"hosts": [row.to_json() for row in rows]})
    else:
        cells = [row.cells(context.machine.home) for row in rows]
        out(table(cells, ("agent", "found", "scopes", "hooks", "active")))
    return 1 if broken else 0


@dataclass(frozen=True)
class _Row:
    """One host."""

    host: str
    name: str
    found: str | None
    """What shows that it is on this machine."""
    scopes: tuple[str, ...]
    hooks: dict[str, list[str]]
    """Plugin -> events."""
    active: list[str]
    """Plugins that have something placed."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def cells(self, home: str) -> tuple[str, ...]:
        hooks = [f"{plugin}: {', '.join(events)}" for plugin, events in self.hooks.items()]
        return (
            self.host,
            short(self.found or "-", home),
            ", ".join(self.scopes) or "-",
            "; ".join(hooks) or "-",
            ", ".join(self.active) or "-",
        )


def _row(host: str, known: _options.Known, ledger: Ledger, ours: Ours, context: Context) -> _Row:
    plans = {one.id: plan.hosts[host] for one, plan in known if host in plan.hosts}
    plan = next(iter(plans.values()), None)
    return _Row(
        host=host,
        name=plan.name if plan else host,
        found=presence(plan, context.machine, ours, host) if plan else None,
        scopes=tuple(dict.fromkeys(scope for one in plans.values() for scope in one.scopes)),
        hooks={
            plugin: list(dict.fromkeys(slot.partition(".")[0] for slot in one.slots))
            for plugin, one in plans.items()
        },
        active=sorted({placed.plugin for placed in ledger.entries if placed.host == host}),
    )
