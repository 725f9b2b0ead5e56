"""Put everything on the disk that a transaction needs, before it changes anything."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence

from hatch_agentplugin._record import replace
from hatch_agentplugin._sha256 import digest
from hatch_agentplugin.place import _backups, _files, _journal
from hatch_agentplugin.place._apply import Moved, abandon
from hatch_agentplugin.place._journal import Journal, Operation
from hatch_agentplugin.place._metadata import with_execution
from hatch_agentplugin.place._path import FilePath
from hatch_agentplugin.place._problem import FileProblem
from hatch_agentplugin.place._steps import Step
from hatch_agentplugin.place.ledger import Ledger, encode
from hatch_agentplugin.place.state import State


class Refused(Exception):
    """A group whose files can't be staged."""

    def __init__(self, group: str, problem: FileProblem) -> None:
        super().__init__(str(problem))
        self.group = group
        self.problem = problem


def stage(
    state: State,
    steps: Sequence[Step],
    ledgers: tuple[Ledger, Ledger],
    drop_dirs: Sequence[FilePath],
    keep: Collection[FilePath],
) -> Journal:
    """Stage all steps, and the ledgers of before and afterwards; return the journal.

    The bytes of a file that holds nothing of ours yet go to the backups, and those of `keep`.
    Raises Refused for a group, FileProblem for our own folder. Then nothing is left of it.
    """
    token = os.urandom(4).hex()
    journal = Journal(
        "staging",
        tuple(_operation(step, f".agent-plugin-{token}-{n}", n) for n, step in enumerate(steps)),
        made_dirs=tuple(dict.fromkeys(str(folder) for step in steps for folder in step.makes)),
        drop_dirs=tuple(map(str, drop_dirs)),
    )
    try:
        _backups.keep(state, _worth_keeping(steps, ledgers[0], keep))
        _stage_own(state, journal, steps, ledgers)
        touched: dict[FilePath, str] = {}
        for op, step in zip(journal.operations, steps, strict=True):
            touched.update(_stage_one(op, step))
        _sync(touched)
        return _promote(state, journal)
    except (Refused, FileProblem):
        abandon(state, journal)
        raise


def _operation(step: Step, name: str, number: int) -> Operation:
    change, before = step.change, step.before
    return Operation(
        path=str(change.path),
        target=str(step.target),
        group=change.group,
        staged=str(step.target.parent / f"{name}.tmp"),
        spare=str(step.target.parent / f"{name}.old.tmp"),
        kept=f"{number}.before",
        mode=0 if before is None else before.mode,
        before=None if before is None else before.sha256,
        after=None if change.data is None else digest(change.data),
    )


def _worth_keeping(
    steps: Iterable[Step], ledger: Ledger, keep: Collection[FilePath]
) -> list[tuple[str, bytes]]:
    return [
        (str(step.change.path), step.before.data)
        for step in steps
        if step.before is not None
        and (step.change.path in keep or str(step.change.path) not in ledger.files)
    ]


def _stage_own(
    state: State, journal: Journal, steps: Sequence[Step], ledgers: tuple[Ledger, Ledger]
) -> None:
    before, after = ledgers
    try:
        _journal.drop(state)  # One whose temporary files could not be removed may still be there.
        _journal.write(state, journal)
        _files.write_new(state.journal / _journal.BEFORE, encode(state, before), 0o600)
        _files.write_new(state.journal / _journal.AFTER, encode(state, after), state.mode)
        for op, step in zip(journal.operations, steps, strict=True):
            if step.before is not None and step.change.data is not None:
                _files.write_new(state.journal / op.kept, step.before.data, 0o600)
        _files.sync_folder(state.journal)
    except OSError as error:
        raise FileProblem.of(state.journal, error) from None


def _stage_one(op: Operation, step: Step) -> dict[FilePath, str]:
    """Stage one file; return the folders that have got a new name by it, with its group."""
    change, staged = step.change, FilePath(op.staged)
    if change.data is None:
        return {}
    touched = {step.target.parent: change.group}
    try:
        for folder in step.makes:
            if _files.make_folder(folder, private=change.private):
                touched[folder.parent] = change.group
        if step.before is None:
            mode = 0o600 if change.private else 0o644
            _files.write_new(staged, change.data, _with_execution(mode, change.executable))
        else:
            mode = _with_execution(step.before.mode, change.executable)
            _files.write_like(staged, change.data, step.target, mode)
    except FileNotFoundError:  # Somebody has removed the old file or its folder.
        raise Refused(change.group, Moved(change.path)) from None
    except OSError as error:
        raise Refused(change.group, FileProblem.of(change.path, error)) from None
    return touched


def _sync(touched: dict[FilePath, str]) -> None:
    """Have the names in folders on the disk, each folder once. Raises Refused."""
    for folder, group in touched.items():
        try:
            _files.sync_folder(folder)
        except FileNotFoundError:
            raise Refused(group, Moved(folder)) from None
        except OSError as error:
            raise Refused(group, FileProblem.of(folder, error)) from None


def _with_execution(mode: int, executable: bool) -> int:
    return with_execution(mode) if executable else mode


def _promote(state: State, journal: Journal) -> Journal:
    """From now on the transaction is finished by whoever comes next."""
    ready = replace(journal, phase="applying")
    try:
        _journal.write(state, ready)
    except OSError as error:
        raise FileProblem.of(state.journal, error) from None
    return ready
