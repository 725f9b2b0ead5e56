"""Write everything that a transaction needs to the disk, before it changes any file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hatch_agentplugin.transaction import backups, files, folders
from hatch_agentplugin.transaction import journal as _journal
from hatch_agentplugin.transaction.apply import abandon
from hatch_agentplugin.transaction.comparison import Comparison, PendingChange
from hatch_agentplugin.transaction.journal import Journal, JournalEntry
from hatch_agentplugin.transaction.ledger import encode
from hatch_agentplugin.transaction.metadata import with_execution
from hatch_agentplugin.transaction.problem import ChangedMeanwhile, FileProblem
from hatch_agentplugin.transaction.proposal import Change
from hatch_agentplugin.transaction.state import State


class Refused(Exception):
    """A group whose files can't be staged."""

    def __init__(self, group: str, problem: FileProblem) -> None:
        super().__init__(str(problem))
        self.group = group
        self.problem = problem


def stage(state: State, comparison: Comparison) -> Journal:
    """Stage all pending changes and both ledgers; return the journal, ready to be applied.

    Backs up files that hold nothing of ours yet, and those that the proposal lists. Raises
    Refused for a group, FileProblem for our own folder; then nothing staged is left.
    """
    journal = _new_journal(comparison)
    try:
        backups.keep(state, _to_keep(state, comparison))
        _journal.drop(state)  # A journal whose temporary files can't be removed may still exist.
        with _own_files(state):
            _journal.write(state, journal)
        _make_folders(comparison.pending)
        with _own_files(state):
            _write_ledgers_and_old_contents(state, journal, comparison)
        _write_new_contents(journal, comparison.pending)
        applying = replace(journal, phase="applying")
        with _own_files(state):
            _sync_staged_names(state, journal)
            _journal.write(state, applying)
    except (Refused, FileProblem):
        abandon(state, journal)
        raise
    return applying


def _new_journal(comparison: Comparison) -> Journal:
    token = os.urandom(4).hex()
    new_folders = [str(folder) for one in comparison.pending for folder in one.new_folders]
    return Journal(
        "staging",
        tuple(_entry(one, token, number) for number, one in enumerate(comparison.pending)),
        new_folders=tuple(dict.fromkeys(new_folders)),
        drop_folders=tuple(map(str, comparison.drop_folders)),
    )


def _entry(one: PendingChange, token: str, number: int) -> JournalEntry:
    change, before = one.change, one.before
    beside = str(one.target.with_name(f".agent-plugin-{token}-{number}"))
    return JournalEntry(
        path=str(change.path),
        target=str(one.target),
        group=change.group,
        staged=f"{beside}.tmp",
        spare=f"{beside}.old.tmp",
        kept=f"{number}.before",
        mode=0 if before is None else before.mode,
        before=None if before is None else before.sha256,
        after=None if change.data is None else files.digest(change.data),
    )


def _to_keep(state: State, comparison: Comparison) -> list[tuple[str, bytes]]:
    """Return path and content of the files to back up; files in our own folder are skipped."""
    return [
        (str(one.change.path), one.before.data)
        for one in comparison.pending
        if one.before is not None
        and (
            one.change.path in comparison.keep
            or str(one.change.path) not in comparison.before.files
        )
        and not one.target.is_relative_to(state.root)
    ]


@contextmanager
def _own_files(state: State) -> Iterator[None]:
    """Turn errors of the system into problems of the journal folder."""
    try:
        yield
    except OSError as error:
        raise FileProblem.of(state.journal, error) from None


@contextmanager
def _staging(change: Change) -> Iterator[None]:
    """Turn errors of the system into a refusal of the change's group."""
    try:
        yield
    except FileNotFoundError:  # Another program has removed the old file or its folder.
        raise Refused(change.group, ChangedMeanwhile(change.path)) from None
    except OSError as error:
        raise Refused(change.group, FileProblem.of(change.path, error)) from None


def _make_folders(pending: Sequence[PendingChange]) -> None:
    made: set[Path] = set()
    for one in pending:
        for folder in one.new_folders:
            if folder not in made:
                made.add(folder)
                with _staging(one.change):
                    folders.make_folder(folder, private=one.change.private)


def _write_ledgers_and_old_contents(state: State, journal: Journal, comparison: Comparison) -> None:
    folder = state.journal
    files.write_new(folder / _journal.BEFORE, encode(state, comparison.before), 0o600)
    files.write_new(folder / _journal.AFTER, encode(state, comparison.after), state.mode)
    for entry, one in zip(journal.entries, comparison.pending, strict=True):
        if one.before is not None and one.change.data is not None:
            files.write_new(folder / entry.kept, one.before.data, 0o600)


def _write_new_contents(journal: Journal, pending: Sequence[PendingChange]) -> None:
    """Write the new contents beside their targets.

    Their names are not synced: if a power cut loses one, its target is unchanged, and recovery
    rolls its group back.
    """
    for entry, one in zip(journal.entries, pending, strict=True):
        if one.change.data is not None:
            with _staging(one.change):
                _write_new_content(entry.staged, one, one.change.data)


def _write_new_content(staged: str, one: PendingChange, data: bytes) -> None:
    change, before = one.change, one.before
    mode = (0o600 if change.private else 0o644) if before is None else before.mode
    if change.executable:
        mode = with_execution(mode)
    if before is None:
        files.write_new(staged, data, mode)
    else:
        files.write_like(staged, data, one.target, mode)


def _sync_staged_names(state: State, journal: Journal) -> None:
    """Sync the names that recovery needs."""
    for entry in journal.entries:
        if entry.before == entry.after:  # A lost name would look like a change already made.
            folders.sync_folder(Path(entry.staged).parent)
    folders.sync_folder(state.journal)
