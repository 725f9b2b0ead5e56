"""Apply a journal: replace the files, write the ledger, drop the journal.

The same code applies a new journal and one that a killed run has left, because the disk shows how
far it got: a change is made once its staged file has been renamed to the target (or a removed file
to the staged name); the ledger is committed once the staged ledger is gone.

A file is replaced only if its content is still what the computation read. If one file of a group
can't be changed, the whole group is rolled back, and the ledger keeps its old entries for the files
of the group. So the ledger is always correct.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from hatch_agentplugin.transaction import files, folders
from hatch_agentplugin.transaction import journal as _journal
from hatch_agentplugin.transaction.journal import AFTER, BEFORE, Journal, JournalEntry
from hatch_agentplugin.transaction.ledger import Ledger, encode, load
from hatch_agentplugin.transaction.problem import ChangedMeanwhile, FileProblem
from hatch_agentplugin.transaction.state import State


@dataclass(frozen=True)
class Applied:
    """The result of applying a journal."""

    ledger: Ledger
    """As it is on the disk now."""
    paths: frozenset[str]
    """Files whose change was made."""
    refused: dict[str, FileProblem]
    """Groups that were rolled back, and why."""


def apply(state: State, journal: Journal) -> Applied:
    """Apply a journal in the phase *applying*, and drop it.

    Raises FileProblem if our own files can't be written. Then all changes are rolled back, or the
    journal stays for the next run.
    """
    if not files.lexists(state.journal / AFTER):  # Committed before the run was killed.
        return Applied(_close(state, journal, load(state)[0]), frozenset(), {})
    before = _journal.read_ledger(state, BEFORE)
    after = _journal.read_ledger(state, AFTER)
    refused = _replace_files(journal)
    undone = _roll_back_groups(state, journal, refused)
    if undone:
        entries = [entry for entry in journal.entries if entry.path in undone]
        files.discard(_journal.temporary_files(entries))
        folders.remove_folders(map(Path, reversed(journal.new_folders)))
    ledger = _true_ledger(journal, before, after, undone)
    try:
        _commit(state, before, after, ledger)
    except OSError as error:
        _roll_back_all(state, journal, before)
        raise FileProblem.of(state.ledger, error) from None
    ledger = _close(state, journal, ledger)
    applied = frozenset(entry.path for entry in journal.entries) - undone
    return Applied(ledger, applied, refused)


def _replace_files(journal: Journal) -> dict[str, FileProblem]:
    """Change the files and sync their folders; return the groups that failed, and why.

    All files are checked first: a group with a file that has changed meanwhile is left alone.
    """
    refused: dict[str, FileProblem] = {}
    _try_each(_needs_work, journal, refused)
    _try_each(_replace_file, journal, refused)
    for folder, groups in _changed_folders(journal, refused).items():
        try:
            folders.sync_folder(folder)
        except OSError as error:
            refused.update(dict.fromkeys(groups, FileProblem.of(folder, error)))
    return refused


def _try_each(
    act: Callable[[JournalEntry], object], journal: Journal, refused: dict[str, FileProblem]
) -> None:
    """Call `act` for every entry, and add the groups for which it fails to `refused`."""
    for entry in journal.entries:
        if entry.group in refused:
            continue
        try:
            act(entry)
        except FileProblem as problem:
            refused[entry.group] = problem
        except OSError as error:
            refused[entry.group] = FileProblem.of(Path(entry.path), error)


def _needs_work(entry: JournalEntry) -> bool:
    """Return False if the change is already made. Raises FileProblem if it must not be made."""
    staged = files.lexists(entry.staged)
    relinked = files.resolve(Path(entry.path)) != Path(entry.target)
    now = files.sha256_of(entry.target)  # Last: a write between this call and the rename is lost.
    if entry.is_applied(now, staged):
        return False
    if now != entry.before or relinked:
        raise ChangedMeanwhile(Path(entry.path))
    if entry.after is not None and not staged:
        reason = "another program has removed its new content"
        raise FileProblem(Path(entry.path), reason, "run the command again")
    return True


def _replace_file(entry: JournalEntry) -> None:
    if not _needs_work(entry):
        return
    if entry.after is None:
        files.rename(entry.target, entry.staged)
    else:
        files.rename(entry.staged, entry.target)


def _changed_folders(journal: Journal, refused: Collection[str]) -> dict[Path, set[str]]:
    """Return the folders in which names have changed, each with the groups concerned."""
    groups: dict[Path, set[str]] = {}
    new = set(map(Path, journal.new_folders))
    for entry in journal.entries:
        if entry.group not in refused:
            folder = Path(entry.target).parent
            groups.setdefault(folder, set()).add(entry.group)
            while folder in new:
                folder = folder.parent
                groups.setdefault(folder, set()).add(entry.group)
    return groups


def _roll_back_groups(state: State, journal: Journal, groups: Collection[str]) -> frozenset[str]:
    """Roll back the changes of groups; return the paths that no longer have our change."""
    return frozenset(
        entry.path
        for entry in reversed(journal.entries)
        if entry.group in groups and roll_back(state, entry)
    )


def _true_ledger(journal: Journal, before: Ledger, after: Ledger, undone: frozenset[str]) -> Ledger:
    """Return the ledger `after`, corrected for the files whose change was rolled back."""
    if not undone:
        return after
    gone = {folder for folder in journal.new_folders if files.mode_of(folder) is None}
    used = {
        str(parent)
        for entry in journal.entries
        if entry.path in undone
        for parent in Path(entry.target).parents
    }
    kept = set(journal.drop_folders) & used & set(before.folders)
    ledger = after.with_paths_of(before, undone)
    return replace(ledger, folders=tuple(sorted({*after.folders, *kept} - gone)))


def _commit(state: State, before: Ledger, after: Ledger, ledger: Ledger) -> None:
    """Put `ledger` in its place. Raises OSError."""
    staged = state.journal / AFTER
    if ledger == after:
        files.replace(staged, state.ledger)  # A rename needs no disk space.
        return
    if ledger != before:
        files.write_own(state.ledger, encode(state, ledger), state.mode)
    files.remove(staged)


def _roll_back_all(state: State, journal: Journal, before: Ledger) -> None:
    """Roll back every change after the ledger could not be written.

    If that fails too, the journal stays, and the next run recovers.
    """
    with suppress(OSError, FileProblem):
        if not files.lexists(state.journal / AFTER):
            return  # The ledger was written; only the sync of its folder failed.
        undone = _roll_back_groups(state, journal, {entry.group for entry in journal.entries})
        if len(undone) == len(journal.entries) and load(state)[0] == before:
            abandon(state, journal)


def _close(state: State, journal: Journal, ledger: Ledger) -> Ledger:
    """Clean up after the commit; return the resulting ledger. Raises FileProblem.

    If a file can't be removed now, the journal stays for the next run.
    """
    gone = files.discard(_journal.temporary_files(journal.entries))
    left = folders.remove_folders(map(Path, journal.drop_folders))
    with suppress(OSError, FileProblem):
        ledger = _with_left_folders(state, ledger, set(map(str, left)))
    with suppress(OSError):  # Without its copy the ledger is still good.
        found = files.snapshot(state.ledger)
        if found is not None:
            files.write_own(state.ledger_copy, found.data, state.mode)
    if gone:
        _journal.drop(state)
    return ledger


def _with_left_folders(state: State, ledger: Ledger, left: set[str]) -> Ledger:
    """Put our folders that could not be removed back into the ledger, and return it."""
    ours = left and left & set(_journal.read_ledger(state, BEFORE).folders)
    if not ours:
        return ledger
    ledger = replace(ledger, folders=tuple(sorted({*ledger.folders, *ours})))
    files.write_own(state.ledger, encode(state, ledger), state.mode)
    return ledger


def abandon(state: State, journal: Journal) -> bool:
    """Remove everything that was staged for a journal, and drop it. Raises FileProblem.

    Returns False if a staged file can't be removed now: the journal then stays for the next run.
    """
    gone = files.discard(_journal.temporary_files(journal.entries))
    folders.remove_folders(map(Path, reversed(journal.new_folders)))
    if gone:
        _journal.drop(state)
    return gone


def roll_back(state: State, entry: JournalEntry) -> bool:
    """Roll back the change of one file; return True if the file no longer has our change."""
    try:
        return _try_roll_back(state, entry)
    except OSError:
        pass
    try:  # The system may report an error although it did the work.
        return files.sha256_of(entry.target) == entry.before
    except OSError:
        return False


def _try_roll_back(state: State, entry: JournalEntry) -> bool:
    target = entry.target
    now = files.sha256_of(target)
    if not entry.is_applied(now, files.lexists(entry.staged)) or entry.before == entry.after:
        return True
    if now != entry.after:  # Another program has changed the file since we wrote it.
        return False
    if entry.after is None:
        files.replace(entry.staged, target)
    elif entry.before is None:
        files.remove(target)
    else:
        kept = files.snapshot(state.journal / entry.kept)
        if kept is None or kept.sha256 != entry.before:
            return False
        files.discard([entry.spare])
        files.write_like(entry.spare, kept.data, target, entry.mode)
        files.replace(entry.spare, target)
    return True
