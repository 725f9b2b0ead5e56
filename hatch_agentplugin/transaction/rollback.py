"""Take changes back: one file of a transaction, or all that was staged for it."""

from __future__ import annotations

from pathlib import Path

from hatch_agentplugin.transaction import files, folders
from hatch_agentplugin.transaction import journal as _journal
from hatch_agentplugin.transaction.journal import Journal, JournalEntry
from hatch_agentplugin.transaction.state import State


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
    """Take the change of one file back; return True if the file is now without our change."""
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
