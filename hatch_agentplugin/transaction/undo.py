"""Take one file of a transaction back, whatever has become of it meanwhile."""

from __future__ import annotations

from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.apply import is_done
from hatch_agentplugin.transaction.journal import Operation
from hatch_agentplugin.transaction.state import State


def undo(state: State, op: Operation) -> bool:
    """Take one file back; return whether it is without our change now."""
    try:
        return _try_undo(state, op)
    except OSError:
        pass
    try:  # The system may report an error after the deed.
        return files.sha256_of(op.target) == op.before
    except OSError:
        return False


def _try_undo(state: State, op: Operation) -> bool:
    target = op.target
    now = files.sha256_of(target)
    if not is_done(op, now, files.is_there(op.staged)) or op.before == op.after:
        return True
    if now != op.after:  # Somebody else has gone on from what we wrote.
        return False
    if op.after is None:
        files.replace(op.staged, target)
    elif op.before is None:
        files.remove(target)
    else:
        kept = files.snapshot(state.journal / op.kept)
        if kept is None or kept.sha256 != op.before:
            return False
        files.discard([op.spare])
        files.write_like(op.spare, kept.data, target, op.mode)
        files.replace(op.spare, target)
    return True
