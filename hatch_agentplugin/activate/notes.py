"""Notes in addition to the rows of a report: information that needs no action."""

from __future__ import annotations

from collections.abc import Iterator

from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.cleanup import count_data_files
from hatch_agentplugin.plan import Plan
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.state import State


def shared_hosts(asked: Activation, ledger: Ledger, changed: set[str]) -> list[str]:
    """Return notes about changed hosts that also read the entries of another host."""
    hosts: dict[str, set[str]] = {}
    serving: dict[str, set[str]] = {}
    for entry in ledger.entries if changed else ():
        hosts.setdefault(entry.plugin, set()).add(entry.host)
        if any(event.startswith("mcp:") for event in entry.events):
            serving.setdefault(entry.plugin, set()).add(entry.host)
    notes: list[str] = []
    for installed, plan in asked.plugins:
        placed = hosts.get(installed.id, set())
        for host in sorted(placed & changed):
            reads = plan.hosts[host].also_reads if host in plan.hosts else {}
            notes += [
                f"{host} also runs the hooks of {other}; {installed.id} answers once, from its "
                f"own entry in {host}"
                for other, scopes in reads.items()
                if other in placed and asked.scope.name in scopes
            ]
        notes += _shared_servers(plan, serving.get(installed.id, set()), changed)
    return notes


def _shared_servers(plan: Plan, serving: set[str], changed: set[str]) -> Iterator[str]:
    """Return notes about hosts that also list the MCP servers of another host."""
    for host in sorted(serving & changed):
        for other in plan.hosts[host].mcp_from if host in plan.hosts else ():
            if other in serving:
                yield (
                    f"{host} also lists the MCP servers of {other}; for the same name its own "
                    "comes first"
                )


def data_note(state: State, plugin: str, keep_data: bool) -> str:
    """Return a note on a plugin's data, worded for before or after; empty without data."""
    count = count_data_files(state, plugin)
    if not count:
        return ""
    folder = state.plugin(plugin) / "data"
    files = f"{count} file{'s' if count > 1 else ''}"
    if keep_data:
        return f"{plugin}: its data stays in {folder} ({files})"
    return f"{plugin}: its data goes too, {files} in {folder} (--keep-data leaves it)"
