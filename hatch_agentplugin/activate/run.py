"""Runs one operation: its workspace becomes a transaction and a report."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from hatch_agentplugin.activate import local_store
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.ledger_index import OwnerId
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.activate.workspace import Workspace
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Change, Proposal
from hatch_agentplugin.transaction.transaction import Attempt, Outcome, Transaction

_TRIES = 5


class Run:
    """One operation: yields workspaces to fill until one of them is written. ::

        with Run(context, own_files_first=True) as run:
            for workspace in run:
                ...
        run.rows, run.outcome

    With `own_files_first` our own files are written before those of hosts, else after them.
    Raises FileProblem if nothing can be done at all.
    """

    def __init__(
        self, context: Context, *, own_files_first: bool, dry_run: bool = False, wait: float = 10.0
    ) -> None:
        self.outcome = Outcome(Ledger())
        self._context = context
        self._own_files_first = own_files_first
        self._dry_run, self._wait = dry_run, wait
        self._rows: list[list[Row]] = []
        self._workspaces: Generator[Workspace] = self._run()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The report."""
        return tuple(_merged(self._rows, self.outcome))

    def __enter__(self) -> Run:
        return self

    def __iter__(self) -> Iterator[Workspace]:
        return self._workspaces

    def __exit__(self, *_: object) -> None:
        self._workspaces.close()

    def _run(self) -> Generator[Workspace]:
        """Run the transaction, again if another command has just removed our empty folder."""
        state = self._context.state
        for left in reversed(range(_TRIES)):
            self._rows.clear()
            try:
                yield from self._transaction()
                return
            except FileProblem:
                if not left or all(map(os.path.isdir, (state.journal, state.backups))):
                    raise

    def _transaction(self) -> Iterator[Workspace]:
        state, bundles = self._context.state, set[str]()
        with Transaction(state, wait=self._wait, dry_run=self._dry_run) as transaction:
            for attempt in transaction:
                bundles.update(row.bundle for row in attempt.ledger.plugins.values())
                yield from self._attempt(attempt)
        self.outcome = transaction.outcome
        if not self._dry_run:
            kept = {row.bundle for row in self.outcome.ledger.plugins.values()}
            local_store.drop(state, bundles - kept)

    def _attempt(self, attempt: Attempt) -> Iterator[Workspace]:
        """Fill workspaces until one needs nothing impossible, and propose what it has."""
        reader, refused = attempt.reader, dict[OwnerId, str]()
        while True:
            workspace = Workspace(
                reader.read,
                attempt.ledger,
                reader.resolve,
                failed=reader.failed,
                refused=refused,
            )
            yield workspace
            changes, impossible = workspace.finish()
            if not impossible:
                break
            refused |= impossible
        self._rows.append(workspace.rows)
        attempt.proposal = self._proposal(workspace, changes, attempt)

    def _proposal(self, workspace: Workspace, changes: list[Change], attempt: Attempt) -> Proposal:
        if self._context.state.shared:
            changes = [replace(change, private=False) for change in changes]
        # A launcher is written before the entries that name it, and removed after them.
        root, first = self._context.state.root, self._own_files_first
        changes.sort(key=lambda one: one.path.is_relative_to(root) is not first)
        return Proposal(
            changes=tuple(changes),
            ledger=workspace.ledger(attempt.ledger),
            drop_folders=tuple(attempt.reader.resolve(one) for one in workspace.drop_folders),
            keep=tuple(workspace.keep),
        )


def _merged(attempts: Sequence[Sequence[Row]], outcome: Outcome) -> list[Row]:
    """Return the rows of the last attempt, with those of files that an earlier one has written."""
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
