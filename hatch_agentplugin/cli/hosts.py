"""``hosts``: list the agents that the installed plugins support."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.detect import Ours, presence
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.cli.arguments import Options, Subparsers, add_json, context_of
from hatch_agentplugin.cli.plugins import (
    Plugins,
    hosts_of,
    need_plugins,
    usable_plugins,
    warn_if_stale,
)
from hatch_agentplugin.cli.terminal import out, out_json, short_path, table
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.recover import recover


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser("hosts", help="list the agents that installed plugins support")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Run the command and return its exit status."""
    context = context_of(options)
    plugins, broken = usable_plugins((), discover())
    warn_if_stale(plugins)
    need_plugins(plugins, broken, context.environment)
    ledger, _ = recover(context.state)
    ours = Ours(ledger)
    rows = [_row(host, plugins, ledger, ours, context) for host in sorted(hosts_of(plugins))]
    if options.json:
        out_json({"hosts": [asdict(row) for row in rows]})
    else:
        cells = [row.cells(context.machine.home) for row in rows]
        out(table(cells, ("agent", "found", "scopes", "hooks", "active")))
    return 1 if broken else 0


@dataclass(frozen=True)
class _Row:
    """One host; the fields are also the keys of the JSON document."""

    host: str
    name: str
    found: str | None
    """The program or folder by which the host was detected; None if it was not."""
    scopes: tuple[str, ...]
    hooks: dict[str, list[str]]
    """Plugin -> events."""
    active: list[str]
    """Plugins that are active in the host."""

    def cells(self, home: str) -> tuple[str, ...]:
        hooks = [f"{plugin}: {', '.join(events)}" for plugin, events in self.hooks.items()]
        return (
            self.host,
            short_path(self.found or "-", home),
            ", ".join(self.scopes) or "-",
            "; ".join(hooks) or "-",
            ", ".join(self.active) or "-",
        )


def _row(host: str, plugins: Plugins, ledger: Ledger, ours: Ours, context: Context) -> _Row:
    plans = {plugin.id: plan.hosts[host] for plugin, plan in plugins if host in plan.hosts}
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
        active=sorted({entry.plugin for entry in ledger.entries if entry.host == host}),
    )
