"""Put everything on the disk that a transaction needs, before it changes anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from hatch_agentplugin.transaction import files as _files
from hatch_agentplugin.transaction import folders
from hatch_agentplugin.transaction import journal as _journal
from hatch_agentplugin.transaction.apply import Fresh, Moved, abandon
from hatch_agentplugin.transaction.journal import Journal, Operation
from hatch_agentplugin.transaction.ledger import Ledger, encode
from hatch_agentplugin.transaction.metadata import with_execution
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.transaction.steps import Change, Step

_File: TypeAlias = tuple[Callable[[], int], Callable[[OSError], Exception]]
"""A file to write: what creates it and returns its descriptor; what an error of it means."""

_OPEN_AT_MOST = 64


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
    drop_dirs: Sequence[Path],
    keep: Collection[Path],
    digests: Mapping[Path, str],
) -> tuple[Journal, Fresh]:
    """Stage all steps, and the ledgers of before and afterwards; return what `finish` needs.

    The bytes of a file that holds nothing of ours yet go to the backups, and those of `keep`.
    `digests` are those of the new contents, by the path of their change.
    Raises Refused for a group, FileProblem for our own folder. Then nothing is left of it.
    """
    token = os.urandom(4).hex()
    journal = Journal(
        "staging",
        tuple(
            _operation(step, f".agent-plugin-{token}-{n}", n, digests.get(step.change.path))
            for n, step in enumerate(steps)
        ),
        made_dirs=tuple(dict.fromkeys(str(folder) for step in steps for folder in step.makes)),
        drop_dirs=tuple(map(str, drop_dirs)),
    )
    try:
        _keep(state, _worth_keeping(state, steps, ledgers[0], keep))
        data = _journal.encode(state, journal)
        _open_journal(state, data)
        _make_folders(steps)
        _write_together([*_own_files(state, journal, steps, ledgers), *_new_files(journal, steps)])
        _promote(state, journal, _journal.promoted(data))
    except (Refused, FileProblem):
        abandon(state, journal)
        raise
    before, after = ledgers
    seen = {op.path: step.before for op, step in zip(journal.operations, steps, strict=True)}
    return replace(journal, phase="applying"), Fresh(before, after, seen)


def _keep(state: State, files: list[tuple[str, bytes]]) -> None:
    if files:
        from hatch_agentplugin.transaction import backups  # Few runs need it.

        backups.keep(state, files)


def _operation(step: Step, name: str, number: int, after: str | None) -> Operation:
    change, before = step.change, step.before
    beside = os.path.join(step.target.parent, name)
    return Operation(
        path=str(change.path),
        target=str(step.target),
        group=change.group,
        staged=f"{beside}.tmp",
        spare=f"{beside}.old.tmp",
        kept=f"{number}.before",
        mode=0 if before is None else before.mode,
        before=None if before is None else before.sha256,
        after=after,
    )


def _worth_keeping(
    state: State, steps: Iterable[Step], ledger: Ledger, keep: Collection[Path]
) -> list[tuple[str, bytes]]:
    """Files of others' as they were before our first change; launchers and marks are ours."""
    return [
        (str(step.change.path), step.before.data)
        for step in steps
        if step.before is not None
        and (step.change.path in keep or str(step.change.path) not in ledger.files)
        and not step.target.is_relative_to(state.root)
    ]


def _open_journal(state: State, data: bytes) -> None:
    try:
        _journal.drop(state)  # One whose temporary files could not be removed may still be there.
        _journal.write(state, data)
    except OSError as error:
        raise FileProblem.of(state.journal, error) from None


def _make_folders(steps: Iterable[Step]) -> None:
    """Make every folder that is missing. Raises Refused."""
    made: set[Path] = set()
    for step in steps:
        for folder in step.makes:
            if folder not in made:
                made.add(folder)
                try:
                    folders.make_folder(folder, private=step.change.private)
                except OSError as error:
                    raise _refused(step.change, error) from None


def _own_files(
    state: State, journal: Journal, steps: Sequence[Step], ledgers: tuple[Ledger, Ledger]
) -> Iterator[_File]:
    """What goes to the journal's folder: both ledgers, and the old contents."""

    def problem(error: OSError) -> FileProblem:
        return FileProblem.of(state.journal, error)

    def file(name: str, data: bytes, mode: int = 0o600) -> _File:
        return lambda: _files.create(state.journal / name, data, mode), problem

    before, after = ledgers
    yield file(_journal.BEFORE, encode(state, before))
    yield file(_journal.AFTER, encode(state, after), state.mode)
    for op, step in zip(journal.operations, steps, strict=True):
        if step.before is not None and step.change.data is not None:
            yield file(op.kept, step.before.data)


def _new_files(journal: Journal, steps: Sequence[Step]) -> Iterator[_File]:
    """The new contents, beside their targets.

    Their names need not be on the disk before they are renamed: where one has got lost with the
    power, its target is as it was, and the group is taken back.
    """
    for op, step in zip(journal.operations, steps, strict=True):
        if step.change.data is not None:
            yield _new_file(op.staged, step, step.change.data)


def _new_file(staged: str, step: Step, data: bytes) -> _File:
    change, before = step.change, step.before

    def create() -> int:
        if before is None:
            mode = 0o600 if change.private else 0o644
            return _files.create(staged, data, _with_execution(mode, change.executable))
        mode = _with_execution(before.mode, change.executable)
        return _files.create_like(staged, data, step.target, mode)

    return create, lambda error: _refused(change, error)


def _refused(change: Change, error: OSError) -> Refused:
    if isinstance(error, FileNotFoundError):  # Somebody has removed the old file or its folder.
        return Refused(change.group, Moved(change.path))
    return Refused(change.group, FileProblem.of(change.path, error))


def _write_together(files: Sequence[_File]) -> None:
    """Write files, and only then put them on the disk. Raises what they say of an error.

    To put one there commits all that the file system has changed until then; and what is changed
    afterwards has to be taken up anew. So that costs least where everything has been changed before.
    """
    for start in range(0, len(files), _OPEN_AT_MOST):
        opened: list[tuple[int, Callable[[OSError], Exception]]] = []
        try:
            for create, problem in files[start : start + _OPEN_AT_MOST]:
                try:
                    opened.append((create(), problem))
                except OSError as error:
                    raise problem(error) from None
            _files.hasten([fd for fd, _ in opened])
            while opened:
                fd, problem = opened.pop()
                try:
                    _files.settle(fd)
                except OSError as error:
                    raise problem(error) from None
        finally:
            for fd, _ in opened:
                _files.close(fd)


def _with_execution(mode: int, executable: bool) -> int:
    return with_execution(mode) if executable else mode


def _promote(state: State, journal: Journal, data: bytes) -> None:
    """From now on the transaction is finished by whoever comes next."""
    try:
        # A new mode for the same content could not be told from a file that is done.
        for op in journal.operations:
            if op.before == op.after:
                folders.sync_folder(Path(op.staged).parent)
        folders.sync_folder(state.journal)
        _journal.write(state, data)
    except OSError as error:
        raise FileProblem.of(state.journal, error) from None
