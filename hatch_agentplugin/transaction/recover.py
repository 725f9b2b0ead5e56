"""Finish or roll back what an interrupted command has left."""

from __future__ import annotations

from hatch_agentplugin.transaction import journal as _journal
from hatch_agentplugin.transaction.apply import abandon, apply
from hatch_agentplugin.transaction.ledger import Ledger, load, mend
from hatch_agentplugin.transaction.lock import locked
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State, check_owner


def recover(state: State, *, wait: float = 10.0) -> tuple[Ledger, tuple[str, ...]]:
    """Return the ledger and notes for the user, after recovery if it is needed.

    For commands that only read: if nothing has to be recovered, this takes no lock and writes
    nothing. Waits at most `wait` seconds for the lock. Raises FileProblem.
    """
    try:
        if not _journal.is_left_over(state):
            ledger, notes = load(state)
            if not notes:
                return ledger, ()
        if not state.shared:
            check_owner(state.home)
        with locked(state.lock, wait, private=not state.shared):
            return recover_locked(state)
    except OSError as error:
        raise FileProblem.of(state.journal, error) from None


def recover_locked(state: State) -> tuple[Ledger, tuple[str, ...]]:
    """Recover like `recover`; the caller holds the lock. Raises FileProblem and OSError."""
    state.create()
    notes = recover_journal(state) + mend(state)
    return load(state)[0], notes


def recover_journal(state: State) -> tuple[str, ...]:
    """Finish a left-over journal or roll it back; return notes for the user.

    Needs the lock. Raises FileProblem and OSError.
    """
    journal = _journal.read(state)
    if journal is None:
        _journal.tidy(state)
        return ()
    if journal.phase == "staging":
        if not abandon(state, journal):
            return ()
        return ("an interrupted command had not changed any file; its temporary files are removed",)
    result = apply(state, journal)
    notes = [f"an interrupted command has been completed: {path}" for path in result.paths]
    notes += [
        f"an interrupted command has been rolled back: {problem}"
        for problem in result.refused.values()
    ]
    return tuple(sorted(notes))
