"""Carries out one operation: what it computes in a workspace becomes a transaction and a report."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from hatch_agentplugin.activate import local_store
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.activate.workspace import Workspace
from hatch_agentplugin.transaction import transaction
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Compute, Proposal
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.transaction.transaction import Outcome

_TRIES = 5

#: Changes a workspace, except for hosts that failed. Returns the folders to remove if empty.
Operation = Callable[[Workspace, Collection[str]], Sequence[Path]]


def run(
    context: Context,
    operation: Operation,
    *,
    own_files_first: bool,
    dry_run: bool = False,
    wait: float = 10.0,
    keep: Collection[Path] = (),
) -> tuple[tuple[Row, ...], Outcome]:
    """Carry out an operation. Returns its report and the outcome of the transaction.

    With `own_files_first` our own files are written before those of hosts, else after them.
    The present bytes of `keep` go to the backups, although these files hold something of ours.
    Raises FileProblem if nothing can be done at all.
    """
    attempts: list[list[Row]] = []
    bundles: set[str] = set()

    def propose(reader: Reader, ledger: Ledger) -> Proposal:
        workspace = Workspace(reader.read, ledger, reader.resolve)
        bundles.update(row.bundle for row in ledger.plugins.values())
        folders = operation(workspace, reader.failed)
        attempts.append(workspace.rows)
        changes, problems = workspace.finish()
        if context.state.shared:
            changes = [replace(change, private=False) for change in changes]
        # A launcher is written before the entries that name it, and removed after them.
        root = context.state.root
        changes.sort(key=lambda one: one.path.is_relative_to(root) is not own_files_first)
        return Proposal(
            changes=tuple(changes),
            ledger=workspace.ledger(ledger),
            drop_folders=tuple(reader.resolve(folder) for folder in folders),
            keep=tuple(keep),
            problems=problems,
        )

    outcome = _run(context.state, propose, attempts, wait, dry_run)
    if not dry_run:
        kept = {row.bundle for row in outcome.ledger.plugins.values()}
        local_store.drop(context.state, bundles - kept)
    return tuple(_merged(attempts, outcome)), outcome


def _run(
    state: State, propose: Compute, attempts: list[list[Row]], wait: float, dry_run: bool
) -> Outcome:
    """Run the transaction, again if another command has just removed our empty folder."""
    for left in reversed(range(_TRIES)):
        attempts.clear()
        try:
            return transaction.run(state, propose, wait=wait, dry_run=dry_run)
        except FileProblem:
            if not left or all(map(os.path.isdir, (state.journal, state.backups))):
                raise
    raise AssertionError("the last try returns or raises")


def _merged(attempts: Sequence[Sequence[Row]], outcome: Outcome) -> list[Row]:
    """Return the rows of the last attempt, with what an earlier one has written already."""
    done: dict[tuple[object, ...], Row] = {}
    # The first computation may not have been used; each of the others is an attempt of the outcome.
    for batch, written in zip(attempts[-2::-1], outcome.attempts[-2::-1], strict=False):
        for row in batch:
            if row.path in written and row.host not in outcome.failed:
                done.setdefault(_key(row), row)
    rows = []
    for row in attempts[-1] if attempts else ():
        if row.host not in outcome.failed:
            earlier = done.pop(_key(row), None)
            rows.append(row if earlier is None or row.state != "unchanged" else earlier)
    failed = {
        (row.plugin, row.host): replace(
            Row(row.plugin, row.host, row.scope, "failed", project=row.project),
            note=str(outcome.failed[row.host]),
        )
        for batch in attempts
        for row in batch
        if row.host in outcome.failed
    }
    return [*rows, *done.values(), *failed.values()]


def _key(row: Row) -> tuple[object, ...]:
    return row.plugin, row.host, row.scope, row.project, row.path, row.events, row.commands
