"""Run a transaction: lock, recover, compute, compare, stage, apply, commit.

All files of a group (a host) change, or none of them does. The computation is pure: it reads
through a `Reader` and returns a `Proposal`. So it can be repeated after a file has changed
meanwhile, or after a group had to be given up.

Modes, owners and extended attributes of files stay. A link stays a link. If a file has several
names (hard links), only the given name gets the new content, as with most editors: rewriting
the file in place could leave it half written, and would change a backup or a package store that
shares it. A note tells the user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.apply import Applied, apply
from hatch_agentplugin.transaction.comparison import Comparison, PendingChange, compare
from hatch_agentplugin.transaction.ledger import Ledger, load
from hatch_agentplugin.transaction.lock import locked
from hatch_agentplugin.transaction.problem import ChangedMeanwhile, FileProblem
from hatch_agentplugin.transaction.proposal import Proposal
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.recover import recover_journal, recover_locked
from hatch_agentplugin.transaction.stage import Refused, stage
from hatch_agentplugin.transaction.state import State, check_owner

_MAX_ATTEMPTS = 5


@dataclass(frozen=True)
class Diff:
    """One changed file."""

    path: Path
    before: bytes | None
    """Content before; None for a new file."""
    after: bytes | None
    """Content afterwards; None for a removed file."""


@dataclass(frozen=True)
class Outcome:
    """The result; in a dry run, the result it would have."""

    ledger: Ledger
    """As it is now; in a dry run, as it would be."""
    diffs: tuple[Diff, ...] = ()
    """The changed files, in the order they were written."""
    failed: Mapping[str, FileProblem] = field(default_factory=dict)
    """Groups that were given up; none of their files has changed."""
    notes: tuple[str, ...] = ()
    """For the user: what was recovered, and which files have hard links."""
    attempts: tuple[frozenset[str], ...] = ()
    """The paths that each attempt under the lock has written."""


class Attempt:
    """One computation: its reader and its proposal."""

    def __init__(self, reader: Reader, ledger: Ledger) -> None:
        self.reader = reader
        """Reads files, each once; knows the groups that were given up."""
        self.ledger = ledger
        """As it is now."""
        self.proposal = Proposal((), ledger)
        """Set by the computation; nothing changes before that."""

    def compared(self) -> Comparison:
        """Compare the proposal with the disk."""
        return compare(self.reader, self.ledger, self.proposal)


class Transaction:
    """Yields attempts until no group is refused any more, and carries out their proposals.

    A group is given up if it is refused, or if its files have changed meanwhile too often. ::

        with Transaction(state) as transaction:
            for attempt in transaction:
                attempt.proposal = ...
        transaction.outcome

    If nothing has to change, nothing is written, not even the lock file. With `dry_run` the outcome
    is what would be done. Raises FileProblem if nothing can be done at all: another command holds
    the lock for longer than `wait` seconds, the ledger is damaged, or our own folder can't be
    written.
    """

    def __init__(self, state: State, *, wait: float = 10.0, dry_run: bool = False) -> None:
        self.outcome = Outcome(Ledger())
        self._state, self._wait, self._dry_run = state, wait, dry_run
        self._attempts: Generator[Attempt] = self._run()

    def __enter__(self) -> Transaction:
        if not self._state.shared:
            check_owner(self._state.home)
        return self

    def __iter__(self) -> Iterator[Attempt]:
        return self._attempts

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._attempts.close()
        if isinstance(error, OSError):
            path = Path(error.filename or self._state.root)
            raise FileProblem.of(path, error) from error

    def _run(self) -> Generator[Attempt]:
        state = self._state
        ledger = self._ledger_in_order()
        if ledger is not None:
            attempt = Attempt(Reader({}, state.image), ledger)
            yield attempt
            with suppress(OSError):  # It happens again under the lock, and is reported then.
                if attempt.compared().is_noop:
                    self.outcome = Outcome(ledger)
                    return
        if self._dry_run and not files.lexists(state.lock):  # A dry run makes no folder of ours.
            yield from self._until_done(load(state)[0])
            return
        with locked(state.lock, self._wait, private=not state.shared):
            ledger, notes = recover_locked(state)
            try:
                yield from self._until_done(ledger)
            except BaseException:  # Such as Control-C: recover now, not with the next command.
                with suppress(FileProblem, OSError):
                    recover_journal(state)
                raise
        self.outcome = replace(self.outcome, notes=notes + self.outcome.notes)

    def _ledger_in_order(self) -> Ledger | None:
        """Return the ledger, read without the lock; None if something has to be recovered."""
        with suppress(OSError):  # It happens again under the lock, and is reported then.
            if files.lexists(self._state.ledger) and not files.names_in(self._state.journal):
                ledger, notes = load(self._state)
                return None if notes else ledger
        return None

    def _until_done(self, ledger: Ledger) -> Iterator[Attempt]:
        self.outcome = Outcome(ledger)
        failed: dict[str, FileProblem] = {}
        interrupted: Counter[str] = Counter()
        while True:
            attempt = Attempt(Reader(failed, self._state.image), self.outcome.ledger)
            yield attempt
            part, refused = _carry_out(self._state, attempt.compared(), self._dry_run)
            self.outcome = _joined(self.outcome, part)
            for group, problem in refused.items():
                if isinstance(problem, ChangedMeanwhile):
                    interrupted[group] += 1
                    if interrupted[group] < _MAX_ATTEMPTS:
                        continue
                if group in failed:  # The computation has proposed a group that was given up.
                    raise problem
                failed[group] = problem
            if not refused:
                self.outcome = replace(self.outcome, failed=failed)
                return


def _carry_out(
    state: State, comparison: Comparison, dry_run: bool
) -> tuple[Outcome, dict[str, FileProblem]]:
    """Stage and apply the proposal of one attempt; return the result and the refused groups."""
    if comparison.refused:
        return Outcome(comparison.before), comparison.refused
    if dry_run or comparison.is_noop:
        paths = frozenset(str(one.change.path) for one in comparison.pending)
        return _outcome(comparison.pending, Applied(comparison.after, paths, {})), {}
    try:
        journal = stage(state, comparison)
    except Refused as error:
        return Outcome(comparison.before), {error.group: error.problem}
    applied = apply(state, journal)
    return _outcome(comparison.pending, applied), applied.refused


def _outcome(pending: tuple[PendingChange, ...], applied: Applied) -> Outcome:
    done = [one for one in pending if str(one.change.path) in applied.paths]
    return Outcome(
        applied.ledger,
        diffs=tuple(
            Diff(one.change.path, one.before.data if one.before else None, one.change.data)
            for one in done
        ),
        notes=tuple(
            f"{one.change.path} has other names (hard links), which keep the old content"
            for one in done
            if one.change.data is not None and one.before and one.before.links > 1
        ),
    )


def _joined(one: Outcome, two: Outcome) -> Outcome:
    written = frozenset(str(diff.path) for diff in two.diffs)
    return Outcome(
        two.ledger,
        diffs=one.diffs + two.diffs,
        notes=one.notes + two.notes,
        attempts=(*one.attempts, written),
    )
