"""The ledgers that a command reads: the user's own, and the administrator's for all users."""

from __future__ import annotations

from dataclasses import dataclass

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import LocateError
from hatch_agentplugin.cli.arguments import Options, context_of
from hatch_agentplugin.transaction.ledger import Ledger, load
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.recover import recover


@dataclass(frozen=True)
class LedgerView:
    """One ledger and the context in which to read it."""

    context: Context
    """Where the ledger and its files are."""
    ledger: Ledger
    """Everything that is placed there."""
    notes: tuple[str, ...] = ()
    """Notes on repairs that were needed to read the ledger."""


def ledger_views(options: Options) -> list[LedgerView]:
    """Return the ledger that ``--scope`` names; without it the user's and the administrator's.

    Raises UsageError, and FileProblem if the named ledger cannot be read.
    """
    context = context_of(options)
    ledger, notes = recover(context.state)
    views = [LedgerView(context, ledger, notes)]
    return views if options.scope else views + managed_views(context)


def managed_views(context: Context) -> list[LedgerView]:
    """Return the administrator's ledger, for reading only; nothing if it is empty or unreadable."""
    try:
        managed = context.managed()
        ledger, notes = load(managed.state)
    except (LocateError, FileProblem):
        return []
    return [LedgerView(managed, ledger, notes)] if ledger.entries else []
