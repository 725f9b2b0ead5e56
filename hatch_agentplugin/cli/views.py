"""What `status` and `doctor` look at: what the user has placed, and the administrator for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import LocateError
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.transaction.ledger import Ledger, load
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.recover import recover


@dataclass(frozen=True)
class View:
    """One ledger, with its surroundings."""

    context: Context
    ledger: Ledger
    notes: tuple[str, ...] = ()


def views(options: Any) -> list[View]:
    """The ledgers that are asked for; by default the user's, and the one for all where it is.

    Raises UsageFailure, and FileProblem for the one that is asked for.
    """
    context = _options.context(options)
    ledger, notes = recover(context.state)
    found = [View(context, ledger, notes)]
    if options.scope is None:
        found += for_all(context)
    return found


def for_all(context: Context) -> list[View]:
    """What this machine's administrator has placed, only to look at: none where it can't be read."""
    try:
        machines = context.managed()
        ledger, notes = load(machines.state)
    except (LocateError, FileProblem):
        return []
    return [View(machines, ledger, notes)] if ledger.entries else []
