"""Carry out a journal, or take it back. The same for a fresh one and for a left-over one.

A file is changed only while it is as the computation saw it. A group whose files can't all be
changed is taken back, and the ledger then says of these files what it said before. So it is true
whatever happens, and the next computation goes on from there.

What has been done can be seen on the disk: a new content that is no longer staged has been put in
its place; an old file that has been set aside has been removed; a ledger of afterwards that is no
longer staged has been committed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction import folders as _folders
from hatch_agentplugin.transaction import journal as _journal
from hatch_agentplugin.transaction.files import Snapshot
from hatch_agentplugin.transaction.journal import Journal, Operation
from hatch_agentplugin.transaction.ledger import Ledger, LedgerError, decode, encode, load
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State


class Moved(FileProblem):
    """A file that somebody else has written since we read it."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            "another program keeps writing it",
            "close that program or wait for it, and run the command again",
        )


@dataclass(frozen=True)
class Result:
    """What has become of a journal."""

    ledger: Ledger
    """As it is on the disk now."""
    applied: frozenset[str]
    """Paths that are now as they should be."""
    refused: dict[str, FileProblem]
    """Groups that were taken back, and why."""


@dataclass(frozen=True)
class Fresh:
    """What the run that has written a journal knows without reading it again."""

    before: Ledger
    after: Ledger
    seen: dict[str, Snapshot | None]
    """By path: the old files."""


def recover(state: State) -> tuple[str, ...]:
    """Settle what a killed run has left; return notes for the user. Raises FileProblem."""
    journal = _journal.read(state)
    if journal is None:
        _journal.tidy(state)
        return ()
    if journal.phase == "staging":
        if not abandon(state, journal):
            return ()
        return ("an interrupted command had changed nothing yet; what it left is removed",)
    result = finish(state, journal)
    notes = [f"an interrupted command has been completed: {path}" for path in result.applied]
    notes += [f"an interrupted command has been taken back: {problem}"
              for problem in result.refused.values()]  # fmt: skip
    return tuple(sorted(notes))


def abandon(state: State, journal: Journal) -> bool:
    """Remove what a journal in the phase *staging* has left, and drop it.

    Where that can't all be removed now, the journal stays for the next run; return whether it has
    been dropped. Raises FileProblem.
    """
    gone = files.discard(_temporary(journal.operations))
    _folders.remove_folders(map(Path, reversed(journal.made_dirs)))
    if gone:
        _drop(state)
    return gone


def finish(state: State, journal: Journal, fresh: Fresh | None = None) -> Result:
    """Carry out a journal in the phase *applying*, and drop it.

    Raises FileProblem when the bookkeeping can't be written. Then all files are taken back, or
    the journal stays for the next run.
    """
    if not files.is_there(state.journal / _journal.AFTER):
        ledger, _ = load(state)
        ledger = _close(state, journal, ledger, _temporary(journal.operations))
        return Result(ledger, frozenset(), {})
    if fresh is None:
        before, after = _ledger(state, _journal.BEFORE), _ledger(state, _journal.AFTER)
    else:
        before, after = fresh.before, fresh.after
    refused = _apply_all(journal, {} if fresh is None else fresh.seen)
    undone = _take_back(state, journal, refused) if refused else frozenset()
    if undone:
        files.discard(_temporary(op for op in journal.operations if op.path in undone))
        _folders.remove_folders(map(Path, reversed(journal.made_dirs)))
    ledger = _true_ledger(journal, before, after, undone)
    try:
        _commit(state, before, after, ledger)
    except OSError as error:
        _give_up(state, journal, before)
        raise FileProblem.of(state.ledger, error) from None
    temporary = _temporary(journal.operations)
    if fresh is not None and not refused:  # What was staged has been renamed, but to be removed.
        temporary = [op.staged for op in journal.operations if op.after is None]
    ledger = _close(state, journal, ledger, temporary)
    return Result(ledger, frozenset(op.path for op in journal.operations) - undone, refused)


def _ledger(state: State, name: str) -> Ledger:
    path = state.journal / name
    try:
        found = files.snapshot(path)
        return decode(state, b"" if found is None else found.data)
    except OSError as error:
        raise FileProblem.of(path, error) from None
    except LedgerError as error:
        raise FileProblem(
            path,
            f"what an interrupted command has left is damaged ({error})",
            f"move the folder {state.journal} away and run the command again",
        ) from None


def _apply_all(journal: Journal, seen: Mapping[str, Snapshot | None]) -> dict[str, FileProblem]:
    """Change the files, and have that on the disk; return which groups can't be, and why.

    `seen` are files as this run has read them.
    """
    refused: dict[str, FileProblem] = {}

    def look(op: Operation) -> None:
        # Without reading it: that comes just before it is replaced.
        plain = op.path == op.target and op.path in seen
        if not plain or not files.looks_like(op.target, seen[op.path]):
            _check(op)

    # A look at all of them first: where one has changed meanwhile, its group is not touched.
    for step in (look, _apply):
        for op in journal.operations:
            if op.group in refused:
                continue
            try:
                step(op)
            except FileProblem as problem:
                refused[op.group] = problem
            except OSError as error:
                refused[op.group] = FileProblem.of(Path(op.path), error)
    for folder, groups in _touched(journal, refused).items():
        try:
            _folders.sync_folder(folder)
        except OSError as error:
            refused.update(dict.fromkeys(groups, FileProblem.of(folder, error)))
    return refused


def _touched(journal: Journal, refused: Collection[str]) -> dict[Path, dict[str, None]]:
    """Return the folders in which names have changed, and for which groups."""
    folders: dict[Path, dict[str, None]] = {}
    made = set(map(Path, journal.made_dirs))
    for op in journal.operations:
        if op.group not in refused:
            folder = Path(op.target).parent
            folders.setdefault(folder, {})[op.group] = None
            while folder in made:
                folder = folder.parent
                folders.setdefault(folder, {})[op.group] = None
    return folders


def _check(op: Operation) -> bool:
    """Return whether there is something left to do. Raises FileProblem where that can't be."""
    staged = files.is_there(op.staged)
    relinked = not files.leads_to(op.path, op.target)
    now = files.sha256_of(op.target)  # Last: from here to the replacing a write would be lost.
    if is_done(op, now, staged):
        return False
    if now != op.before or relinked:
        raise Moved(Path(op.path))
    if op.after is not None and not staged:
        path, reason = Path(op.path), "its new content has been removed"
        raise FileProblem(path, reason, "run the command again")
    return True


def is_done(op: Operation, now: str | None, staged: bool) -> bool:
    """Whether a file has been changed, by its digest and by whether its new content is staged."""
    if op.after is None:
        return staged
    return not staged and (now != op.before or op.before == op.after)


def _apply(op: Operation) -> None:
    if not _check(op):
        return
    if op.after is None:
        files.rename(op.target, op.staged)
    else:
        files.rename(op.staged, op.target)


def _take_back(state: State, journal: Journal, groups: Collection[str]) -> frozenset[str]:
    """Undo the changes of groups; return the paths that are without them now."""
    from hatch_agentplugin.transaction.undo import undo  # Few runs need it.

    return frozenset(
        op.path for op in reversed(journal.operations) if op.group in groups and undo(state, op)
    )


def _true_ledger(journal: Journal, before: Ledger, after: Ledger, undone: frozenset[str]) -> Ledger:
    """Return the ledger of afterwards, corrected for the files that were not changed."""
    if not undone:
        return after
    gone = {folder for folder in journal.made_dirs if files.mode_of(folder) is None}
    parents = {str(parent) for op in journal.operations if op.path in undone
               for parent in Path(op.target).parents}  # fmt: skip
    folders = {*after.folders, *(set(journal.drop_dirs) & parents & set(before.folders))} - gone
    return replace(after.with_paths_of(before, undone), folders=tuple(sorted(folders)))


def _commit(state: State, before: Ledger, after: Ledger, ledger: Ledger) -> None:
    staged = state.journal / _journal.AFTER
    if ledger == after:
        files.replace(staged, state.ledger)  # Needs no space any more.
    else:
        if ledger != before:
            files.write_own(state.ledger, encode(state, ledger), state.mode)
        files.remove(staged)


def _give_up(state: State, journal: Journal, before: Ledger) -> None:
    """Undo everything after the ledger could not be written.

    Where that is not possible either, the journal stays, and the next run settles it.
    """
    with suppress(OSError, FileProblem):
        if not files.is_there(state.journal / _journal.AFTER):
            return  # It was written after all, only not surely to the disk.
        every = {op.group for op in journal.operations}
        undone = _take_back(state, journal, every)
        if len(undone) == len(journal.operations) and load(state)[0] == before:
            abandon(state, journal)


def _close(state: State, journal: Journal, ledger: Ledger, temporary: Iterable[str]) -> Ledger:
    """Tidy up after the ledger has been written; return it as it is then. Raises FileProblem.

    `temporary` are the files beside targets that may be left.
    Where something can't be removed now, the journal stays for the next run.
    """
    gone = files.discard(temporary)
    left = {str(one) for one in _folders.remove_folders(map(Path, journal.drop_dirs))}
    with suppress(OSError, FileProblem):
        if left and (left := left & set(_ledger(state, _journal.BEFORE).folders)):
            # They are still ours.
            again = replace(ledger, folders=tuple(sorted({*ledger.folders, *left})))
            files.write_own(state.ledger, encode(state, again), state.mode)
            ledger = again
    with suppress(OSError):  # The ledger itself is good.
        found = files.snapshot(state.ledger)
        if found is not None:
            files.write_own(state.ledger_copy, found.data, state.mode)
    if gone:
        _drop(state)
    return ledger


def _drop(state: State) -> None:
    try:
        _journal.drop(state)
    except OSError as error:
        raise FileProblem.of(state.journal, error) from None


def _temporary(operations: Iterable[Operation]) -> list[str]:
    return [name for op in operations for name in (op.staged, op.spare)]
