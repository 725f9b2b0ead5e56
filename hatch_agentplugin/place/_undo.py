"""Take one file of a transaction back, whatever has become of it meanwhile."""

from __future__ import annotations

from hatch_agentplugin.place import _files
from hatch_agentplugin.place._apply import is_done
from hatch_agentplugin.place._journal import Operation
from hatch_agentplugin.place._path import FilePath
from hatch_agentplugin.place.state import State


def undo(state: State, op: Operation) -> bool:
    """Take one file back; return whether it is without our change now."""
    try:
        return _try_undo(state, op)
    except OSError:
        pass
    try:  # The system may report an error after the deed.
        return _files.sha256_of(FilePath(op.target)) == op.before
    except OSError:
        return False


def _try_undo(state: State, op: Operation) -> bool:
    target, staged = FilePath(op.target), FilePath(op.staged)
    now = _files.sha256_of(target)
    if not is_done(op, now, _files.is_there(staged)) or op.before == op.after:
        return True
    if now != op.after:  # Somebody else has gone on from what we wrote.
        return False
    if op.after is None:
        _files.replace(staged, target)
    elif op.before is None:
        _files.remove(target)
    else:
        kept = _files.snapshot(state.journal / op.kept)
        if kept is None or kept.sha256 != op.before:
            return False
        spare = FilePath(op.spare)
        _files.discard([spare])
        _files.write_like(spare, kept.data, target, op.mode)
        _files.replace(spare, target)
    return True
