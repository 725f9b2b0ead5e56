"""What the user should know beside the rows of a report."""

from __future__ import annotations

from collections.abc import Iterator

from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.workspace import events_of
from hatch_agentplugin.plan import Plan
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.state import State


def readers(asked: Activation, ledger: Ledger, changed: set[str]) -> list[str]:
    """Say where one host also runs what is placed for another."""
    notes = []
    for installed, plan in asked.plugins:
        hosts = {placed.host for placed in ledger.entries if placed.plugin == installed.id}
        for host in sorted(hosts & changed):
            reads = plan.hosts[host].also_reads if host in plan.hosts else {}
            for other, scopes in reads.items():
                if other in hosts and asked.place.scope in scopes:
                    notes.append(
                        f"{host} also runs what {other} has; {installed.id} answers once, "
                        f"from its own entry in {host}"
                    )
        notes += _doubles(installed.id, plan, ledger, changed)
    return notes


def _doubles(plugin: str, plan: Plan, ledger: Ledger, changed: set[str]) -> Iterator[str]:
    """Say where a host lists the MCP servers of another as well."""
    serving = {
        placed.host
        for placed in ledger.entries
        if placed.plugin == plugin and any(e.startswith("mcp:") for e in events_of(placed))
    }
    for host in sorted(serving & changed):
        for other in plan.hosts[host].mcp_from if host in plan.hosts else ():
            if other in serving:
                yield f"{host} also lists the MCP servers of {other}: one name, its own goes first"


def data_note(state: State, plugin: str, keep_data: bool) -> str:
    """What becomes of a plugin's data, in words that hold before and after; empty for none."""
    from hatch_agentplugin.activate.cleanup import stored

    count = stored(state, plugin)
    if not count:
        return ""
    folder = state.plugin(plugin) / "data"
    files = f"{count} file{'s' if count > 1 else ''}"
    if keep_data:
        return f"{plugin}: its data stay in {folder} ({files})"
    return f"{plugin}: its data go too, {files} in {folder} (--keep-data leaves them)"
