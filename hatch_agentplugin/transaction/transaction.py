"""Run a transaction: lock, recover, compute, compare, stage, apply, commit.

All files of a group (a host) change, or none of them does. The computation is pure: it reads
through a `Reader` and returns a `Proposal`. So it can be repeated after a file has changed
meanwhile, or after a group had to be given up.

Modes, owners and extended attributes of files stay. A link stays a link. If a file has several
names (hard links), only the name in question gets the new content, as with most editors: rewriting
the file in place could leave it half written, and would change a backup or a package store that
shares it. A note tells the user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.apply import Applied, apply
from hatch_agentplugin.transaction.attempt import Attempt, PendingChange, compare
from hatch_agentplugin.transaction.ledger import Ledger, load
from hatch_agentplugin.transaction.lock import locked
from hatch_agentplugin.transaction.problem import ChangedMeanwhile, FileProblem
from hatch_agentplugin.transaction.proposal import Compute
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
    """What was done; in a dry run, what would be done."""

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


def run(state: State, compute: Compute, *, wait: float = 10.0, dry_run: bool = False) -> Outcome:
    """Carry out what `compute` proposes. With `dry_run`, only return what would be done.

    If nothing has to change, nothing is written, not even the lock file. Raises FileProblem if
    nothing can be done at all: another command holds the lock for longer than `wait` seconds, the
    ledger is damaged, or our own folder can't be written.
    """
    if not state.shared:
        check_owner(state.home)
    try:
        noop = _noop(state, compute)
        if noop is not None:
            return noop
        if dry_run and not files.lexists(state.lock):  # A dry run makes no folder of ours.
            return _attempts(state, compute, load(state)[0], dry_run)
        return _run_locked(state, compute, wait, dry_run)
    except OSError as error:
        raise FileProblem.of(Path(error.filename or state.root), error) from error


def _noop(state: State, compute: Compute) -> Outcome | None:
    """Compute without the lock; return the outcome if nothing has to be recovered or changed."""
    try:
        if files.names_in(state.journal) or not files.lexists(state.ledger):
            return None
        ledger, notes = load(state)
        if not notes and _attempt(state, compute, ledger, {}).is_noop:
            return Outcome(ledger)
    except OSError:  # It happens again under the lock, and is reported then.
        pass
    return None


def _run_locked(state: State, compute: Compute, wait: float, dry_run: bool) -> Outcome:
    with locked(state.lock, wait, private=not state.shared):
        ledger, notes = recover_locked(state)
        try:
            outcome = _attempts(state, compute, ledger, dry_run)
        except BaseException:  # Such as Control-C: recover now, not with the next command.
            with suppress(FileProblem, OSError):
                recover_journal(state)
            raise
    return replace(outcome, notes=notes + outcome.notes)


def _attempts(state: State, compute: Compute, ledger: Ledger, dry_run: bool) -> Outcome:
    """Repeat the computation until no group is refused any more.

    A group is given up if it is refused, or if its files have changed meanwhile too often.
    """
    total = Outcome(ledger)
    failed: dict[str, FileProblem] = {}
    interrupted: Counter[str] = Counter()
    while True:
        attempt = _attempt(state, compute, total.ledger, failed)
        part, refused = _carry_out(state, attempt, dry_run)
        total = _joined(total, part)
        if not refused:
            return replace(total, failed=failed)
        for group, problem in refused.items():
            if isinstance(problem, ChangedMeanwhile):
                interrupted[group] += 1
                if interrupted[group] < _MAX_ATTEMPTS:
                    continue
            if group in failed:  # The computation has proposed a group that was given up.
                raise problem
            failed[group] = problem


def _attempt(
    state: State, compute: Compute, ledger: Ledger, failed: Mapping[str, FileProblem]
) -> Attempt:
    reader = Reader(failed, state.image)
    return compare(reader, ledger, compute(reader, ledger))


def _carry_out(
    state: State, attempt: Attempt, dry_run: bool
) -> tuple[Outcome, dict[str, FileProblem]]:
    """Stage and apply one attempt; return what was done, and the groups that were refused."""
    if attempt.refused:
        return Outcome(attempt.before), attempt.refused
    if dry_run or attempt.is_noop:
        paths = frozenset(str(one.change.path) for one in attempt.pending)
        return _outcome(attempt.pending, Applied(attempt.after, paths, {})), {}
    try:
        journal = stage(state, attempt)
    except Refused as error:
        return Outcome(attempt.before), {error.group: error.problem}
    applied = apply(state, journal)
    return _outcome(attempt.pending, applied), applied.refused


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
