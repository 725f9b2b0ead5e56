"""One run: what a command computes over a working copy becomes a transaction and a report."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.activate.workspace import Work
from hatch_agentplugin.transaction import transaction
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Change, Compute, Proposal
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.transaction.transaction import Outcome

_TRIES = 5

#: Changes a working copy, groups that failed left out; returns the folders to remove if empty.
Command = Callable[[Work, Collection[str]], Sequence[Path]]


def run(
    context: Context,
    command: Command,
    state_first: bool,
    dry_run: bool,
    wait: float,
) -> tuple[tuple[Row, ...], Outcome]:
    """Carry out a command; return its report and what was done.

    ``state_first`` says whether our own files are written before those of hosts, or after them. Raises FileProblem when nothing can be done
    at all.
    """
    rounds: list[list[Row]] = []
    bundles: set[str] = set()

    def propose(reader: Reader, ledger: Ledger) -> Proposal:
        work = Work(reader.read, ledger, reader.resolve)
        bundles.update(row.bundle for row in ledger.plugins.values())
        folders = command(work, reader.failed)
        rounds.append(work.rows)
        changes = [
            Change(
                path,
                draft.data,
                draft.group,
                draft.executable,
                draft.private and not context.state.shared,
            )
            for path, draft in work.desk.drafts()
        ]
        # An entry must not name a launcher that is not there: it comes first and goes last.
        root = context.state.root
        changes.sort(key=lambda change: change.path.is_relative_to(root) is not state_first)
        return Proposal(
            changes=tuple(changes),
            ledger=replace(ledger, entries=tuple(work.placed), plugins=work.plugins),
            drop_folders=tuple(reader.resolve(folder) for folder in folders),
        )

    outcome = _run_again(context.state, propose, rounds, wait, dry_run)
    if not dry_run:
        kept = {row.bundle for row in outcome.ledger.plugins.values()}
        if gone := bundles - kept:
            from hatch_agentplugin.activate import local_store

            local_store.drop(context.state, gone)
    return tuple(_merged(rounds, outcome)), outcome


def _run_again(
    state: State, propose: Compute, rounds: list[list[Row]], wait: float, dry_run: bool
) -> Outcome:
    """Run, and once more where another command's `sweep` has taken our folder away meanwhile."""
    for left in reversed(range(_TRIES)):
        rounds.clear()
        try:
            return transaction.run(state, propose, wait=wait, dry_run=dry_run)
        except FileProblem:
            if not left or all(map(os.path.isdir, (state.journal, state.backups))):
                raise
    raise AssertionError("the last try returns or raises")


def _merged(rounds: Sequence[Sequence[Row]], outcome: Outcome) -> list[Row]:
    """The rows of all rounds: the last counts, but what an earlier one wrote is done."""
    done: dict[tuple[object, ...], Row] = {}
    # A first computation may not have been used; of the others each is a round of the outcome.
    for batch, written in zip(rounds[-2::-1], outcome.attempts[-2::-1], strict=False):
        for row in batch:
            if row.path in written and row.host not in outcome.failed:
                done.setdefault(_key(row), row)
    rows = []
    for row in rounds[-1] if rounds else ():
        if row.host not in outcome.failed:
            earlier = done.pop(_key(row), None)
            rows.append(row if earlier is None or row.state != "unchanged" else earlier)
    rows += done.values()
    hosts = {
        (row.plugin, row.host): row for batch in rounds for row in batch
        if row.host in outcome.failed
    }  # fmt: skip
    failed = [
        Row(plugin, host, row.scope, "failed", note=str(outcome.failed[host]), project=row.project)
        for (plugin, host), row in hosts.items()
    ]
    return [*rows, *failed]


def _key(row: Row) -> tuple[object, ...]:
    return row.plugin, row.host, row.scope, row.project, row.path, row.events, row.commands
