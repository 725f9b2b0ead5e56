"""One transaction: every file of a command is changed, or none of a host's, whatever happens.

Lock, settle what a killed run has left, read, compute, check, stage, replace, write the ledger.
The computation is pure: it reads through a `Reader` and proposes; so it can be asked again when a
file has changed meanwhile, or when a group of files (a host) had to be given up.

Modes, owners and extended attributes stay. A link stays a link. Of a file with further names (hard
links) only the one in question is replaced, as most editors do: rewriting it in place could leave
it half written, and would change what a backup or a package store shares with it; a note says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from hatch_agentplugin.transaction import files as _files
from hatch_agentplugin.transaction.apply import Moved, Result, finish, recover
from hatch_agentplugin.transaction.backups import Backup
from hatch_agentplugin.transaction.journal import is_left_over
from hatch_agentplugin.transaction.ledger import FileRow, Ledger, load, mend
from hatch_agentplugin.transaction.lock import locked
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.stage import Refused, stage
from hatch_agentplugin.transaction.state import State, check_owner
from hatch_agentplugin.transaction.steps import Change, Step, emptied, still_missing, to_steps

__all__ = [
    "Change",
    "Compute",
    "Diff",
    "FileProblem",
    "Outcome",
    "Proposal",
    "Reader",
    "check_owner",
    "restore",
    "run",
    "settle",
]

_MOVED_ROUNDS = 5


@dataclass(frozen=True)
class Proposal:
    """What a computation wants."""

    changes: tuple[Change, ...]
    ledger: Ledger
    """Of afterwards. Its tables of files and folders are kept by the transaction."""
    drop_dirs: tuple[Path, ...] = ()
    """Folders to remove if they are empty then, besides those that we are known to have made."""
    keep: tuple[Path, ...] = ()
    """Files whose present bytes go to the backups, although they hold something of ours."""
    problems: Mapping[str, FileProblem] = field(default_factory=dict)
    """Groups that the computation gives up, and why."""


Compute = Callable[[Reader, Ledger], Proposal]


@dataclass(frozen=True)
class Diff:
    """One file, before and after."""

    path: Path
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True)
class Outcome:
    """What has been done; in a dry run, what would be."""

    ledger: Ledger
    """As it is now; in a dry run, as it would be."""
    written: tuple[Change, ...] = ()
    failed: Mapping[str, FileProblem] = field(default_factory=dict)
    """Groups that were given up; nothing of them has changed."""
    made_dirs: tuple[Path, ...] = ()
    diffs: tuple[Diff, ...] = ()
    """Of the written changes, in their order."""
    notes: tuple[str, ...] = ()
    """For the user: what had to be settled or repaired."""
    rounds: tuple[frozenset[str], ...] = ()
    """The paths that each round has written, one round for every computation that was used."""


def run(state: State, compute: Compute, *, wait: float = 10.0, dry_run: bool = False) -> Outcome:
    """Carry out what `compute` proposes. With `dry_run`, only say what would be done.

    Raises FileProblem when nothing can be done at all: the lock is held by another command for
    longer than `wait` seconds, the ledger is damaged, our own folder can't be written.
    """
    if not state.shared:
        check_owner(state.home)
    try:
        look = _look(state, compute)
        if look is not None and look.is_settled:
            return Outcome(look.ledger)  # Not even the lock file is touched.
        if dry_run and not _files.is_there(state.lock):
            # Nothing of ours is there, and none shall be.
            return _rounds(state, compute, dry_run, look)
        return _run_locked(state, compute, wait, dry_run, look)
    except OSError as error:
        raise FileProblem.of(Path(error.filename or state.root), error) from error


@dataclass(frozen=True)
class _Look:
    """What is seen and proposed without the lock, good as long as the ledger is the same.

    What the reader has seen of the files is checked again before any is replaced.
    """

    ledger: Ledger
    proposal: Proposal
    steps: tuple[Step, ...]
    refused: dict[str, FileProblem]
    is_settled: bool
    """Whether all is as it should be."""


def _look(state: State, compute: Compute) -> _Look | None:
    """Compute once before the lock is taken; None where something must be settled first."""
    try:
        if _files.names_in(state.journal) or not _files.is_there(state.ledger):
            return None
        ledger, notes = load(state)
        if notes:
            return None
        reader = Reader({}, state.image)
        proposal = compute(reader, ledger)
        steps, refused = to_steps(reader, proposal.changes)
        changes = steps or refused or proposal.problems or proposal.ledger != ledger
        ours = {Path(folder) for folder in ledger.folders}
        settled = not changes and not emptied(steps, ours, proposal.drop_dirs)
        return _Look(ledger, proposal, steps, refused, settled)
    except OSError:  # The run meets it again, and says what is wrong.
        return None


def _run_locked(
    state: State, compute: Compute, wait: float, dry_run: bool, look: _Look | None
) -> Outcome:
    with locked(state.lock, wait, private=not state.shared):
        state.create()
        notes = recover(state) + mend(state)
        try:
            outcome = _rounds(state, compute, dry_run, look)
        except BaseException:
            # Such as Control-C: rather now than with the next command.
            with suppress(FileProblem, OSError):
                recover(state)
            raise
    return replace(outcome, notes=notes + outcome.notes)


def settle(state: State, *, wait: float = 10.0) -> tuple[Ledger, tuple[str, ...]]:
    """Return the ledger and notes, after settling what a killed run has left.

    For commands that only look: where nothing is to be settled, they need no lock and no place to
    write. Raises FileProblem.
    """
    try:
        if not is_left_over(state):
            ledger, notes = load(state)
            if not notes:
                return ledger, ()
    except OSError as error:
        raise FileProblem.of(state.journal, error) from None
    outcome = run(state, lambda _, ledger: Proposal((), ledger), wait=wait, dry_run=True)
    return outcome.ledger, outcome.notes


def restore(
    state: State,
    path: Path,
    backup: Backup | None = None,
    *,
    wait: float = 10.0,
    dry_run: bool = False,
) -> Outcome:
    """Give a file the bytes of a backup, by default the newest, and forget what we placed in it.

    What is there now goes to the backups first. Raises FileProblem, also where there is none.
    """

    from hatch_agentplugin.transaction import backups  # Few runs need it.

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        chosen = backup or next(iter(backups.find(state, path)), None)
        if chosen is None:
            raise FileProblem(path, "there is no backup of it", "see which files have one")
        entries = tuple(entry for entry in ledger.entries if entry.path != str(path))
        if "" in reader.failed:
            return Proposal((), ledger)
        change = Change(path, backups.read(state, chosen), "")
        return Proposal((change,), replace(ledger, entries=entries), keep=(path,))

    return run(state, compute, wait=wait, dry_run=dry_run)


def _rounds(state: State, compute: Compute, dry_run: bool, look: _Look | None) -> Outcome:
    ledger, _ = load(state)
    if look is not None and look.ledger != ledger:
        look = None
    failed: dict[str, FileProblem] = {}
    moved: Counter[str] = Counter()
    total = Outcome(ledger)
    while True:
        if look is not None:
            proposal, steps, refused = look.proposal, still_missing(look.steps), look.refused
            look = None
        else:
            reader = Reader(failed, state.image)
            proposal = compute(reader, ledger)
            steps, refused = to_steps(reader, proposal.changes)
        part = Outcome(ledger)
        refused = {**proposal.problems, **refused}
        if not refused:
            part, refused = _carry_out(state, ledger, proposal, steps, dry_run)
        ledger, total = part.ledger, _joined(total, part)
        if not refused:
            return replace(total, failed=failed)
        for group, problem in refused.items():
            moved[group] += isinstance(problem, Moved)
            if isinstance(problem, Moved) and moved[group] < _MOVED_ROUNDS:
                continue
            if group in failed:  # It was given up, and is proposed again.
                raise problem
            failed[group] = problem


def _carry_out(
    state: State, before: Ledger, proposal: Proposal, steps: tuple[Step, ...], dry_run: bool
) -> tuple[Outcome, dict[str, FileProblem]]:
    """Stage and apply one round; return what was done and which groups were refused."""
    drop = emptied(steps, {Path(folder) for folder in before.folders}, proposal.drop_dirs)
    digests = {
        change.path: sha256(change.data).hexdigest()
        for change in proposal.changes
        if change.data is not None
    }
    after = _completed(before, proposal, steps, drop, digests)
    if dry_run or (not steps and not drop and after == before):
        return _outcome(steps, Result(after, frozenset(str(s.change.path) for s in steps), {})), {}
    try:
        journal, fresh = stage(state, steps, (before, after), drop, proposal.keep, digests)
    except Refused as error:
        return Outcome(before), {error.group: error.problem}
    result = finish(state, journal, fresh)
    return _outcome(steps, result), result.refused


def _completed(
    before: Ledger,
    proposal: Proposal,
    steps: tuple[Step, ...],
    drop: list[Path],
    digests: Mapping[Path, str],
) -> Ledger:
    """Return the proposed ledger with the tables that are the transaction's to keep."""
    held = {entry.path for entry in proposal.ledger.entries}
    files = {path: row for path, row in before.files.items() if path in held}
    for path, digest in digests.items():
        if str(path) in held:
            files[str(path)] = FileRow(digest)
    made = {str(folder) for step in steps for folder in step.makes}
    folders = {*before.folders, *made} - {str(folder) for folder in drop}
    if steps or drop:  # Else nothing is written for the sake of a folder that a user has removed.
        folders = {one for one in folders if one in made or _files.is_there(Path(one))}
    return replace(proposal.ledger, files=files, folders=tuple(sorted(folders)))


def _outcome(steps: tuple[Step, ...], result: Result) -> Outcome:
    done = [step for step in steps if str(step.change.path) in result.applied]
    return Outcome(
        result.ledger,
        written=tuple(step.change for step in done),
        made_dirs=tuple(dict.fromkeys(folder for step in done for folder in step.makes)),
        diffs=tuple(
            Diff(step.change.path, step.before.data if step.before else None, step.change.data)
            for step in done
        ),
        notes=tuple(
            f"{step.change.path} had further names (hard links), which keep the old content"
            for step in done
            if step.change.data is not None and step.before and step.before.links > 1
        ),
    )


def _joined(one: Outcome, two: Outcome) -> Outcome:
    return Outcome(
        two.ledger,
        written=one.written + two.written,
        made_dirs=one.made_dirs + two.made_dirs,
        diffs=one.diffs + two.diffs,
        notes=one.notes + two.notes,
        rounds=(*one.rounds, frozenset(str(change.path) for change in two.written)),
    )
