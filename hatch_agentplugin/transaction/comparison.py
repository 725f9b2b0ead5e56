"""Compare a proposal with the disk: find the files that change, and those that must not.

Reads only.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hatch_agentplugin.transaction import files, metadata
from hatch_agentplugin.transaction.files import Snapshot
from hatch_agentplugin.transaction.ledger import FileRow, Ledger
from hatch_agentplugin.transaction.metadata import with_execution
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Change, Proposal
from hatch_agentplugin.transaction.reader import Reader


@dataclass(frozen=True)
class PendingChange:
    """A change of a file that differs from the proposal."""

    change: Change
    target: Path
    """The file, links resolved."""
    before: Snapshot | None
    """The file as the computation read it; None if it did not exist."""
    new_folders: tuple[Path, ...]
    """Folders to make first, outermost first."""


@dataclass(frozen=True)
class Comparison:
    """A proposal compared with the disk."""

    before: Ledger
    after: Ledger
    """The ledger once every pending change is written."""
    pending: tuple[PendingChange, ...]
    drop_folders: tuple[Path, ...]
    """Folders to remove afterwards, innermost first."""
    keep: tuple[Path, ...]
    """As in the proposal."""
    refused: dict[str, FileProblem]
    """Groups with a file that may not be changed."""

    @property
    def is_noop(self) -> bool:
        """Whether the disk and the ledger already match the proposal."""
        return not (self.pending or self.drop_folders or self.refused or self.after != self.before)


def compare(reader: Reader, before: Ledger, proposal: Proposal) -> Comparison:
    """Compare a proposal, computed with `reader` from the ledger `before`, with the disk."""
    pending, refused = _pending(reader, proposal.changes)
    made_by_us = {Path(folder) for folder in before.folders}
    drop = _emptied(pending, {*made_by_us, *proposal.drop_folders})
    after = _completed(before, proposal, pending, drop)
    return Comparison(before, after, pending, drop, proposal.keep, refused)


def _pending(
    reader: Reader, changes: Iterable[Change]
) -> tuple[tuple[PendingChange, ...], dict[str, FileProblem]]:
    pending: dict[Path, PendingChange] = {}
    refused: dict[str, FileProblem] = {}
    for change in changes:
        try:
            one = _compared(reader, change)
            if one is not None:
                _check(one, pending.get(one.target))
                pending.setdefault(one.target, one)
        except FileProblem as problem:
            refused.setdefault(change.group, problem)
        except OSError as error:
            refused.setdefault(change.group, FileProblem.of(change.path, error))
    return tuple(one for one in pending.values() if one.change.group not in refused), refused


def _compared(reader: Reader, change: Change) -> PendingChange | None:
    before = reader.snapshot(change.path)
    data = None if before is None else before.data
    if data == change.data and not _lacks_execution(change, before):
        return None
    new_folders = () if change.data is None else reader.missing_folders(change.path)
    return PendingChange(change, reader.resolve(change.path), before, new_folders)


def _lacks_execution(change: Change, before: Snapshot | None) -> bool:
    if before is None or not change.executable or os.name == "nt":
        return False
    return with_execution(before.mode) != before.mode


def _check(one: PendingChange, other: PendingChange | None) -> None:
    """Raise FileProblem if a change is not allowed; `other` is an earlier one of the same file."""
    mode = None if one.before is None else one.before.mode
    folder = (one.new_folders[0] if one.new_folders else one.target).parent
    check_allowed(one.change.path, one.target, mode, folder)
    if other is not None and other.change.data != one.change.data:
        raise FileProblem(
            one.change.path,
            f"the same file as {other.change.path}, through a link",
            "give each of the two a file of its own, or leave one of the agents out",
        )


def _emptied(pending: Sequence[PendingChange], candidates: Collection[Path]) -> tuple[Path, ...]:
    """Return the candidates that will be empty folders, innermost first."""
    removed = {one.target for one in pending if one.change.data is None}
    used = {
        folder for one in pending if one.change.data is not None for folder in one.target.parents
    }
    drop: dict[Path, None] = {}
    innermost_first = sorted(candidates, key=lambda one: len(one.parts), reverse=True)
    for folder in innermost_first:
        if folder in used:
            continue
        try:
            paths = [folder / name for name in files.names_in(folder)]
        except OSError:
            continue
        if files.lexists(folder) and all(path in removed or path in drop for path in paths):
            drop[folder] = None
    return tuple(drop)


def _completed(
    before: Ledger,
    proposal: Proposal,
    pending: Sequence[PendingChange],
    drop: Collection[Path],
) -> Ledger:
    """Return the proposed ledger with its tables of files and folders filled in."""
    held = {entry.path for entry in proposal.ledger.entries}
    rows = {path: row for path, row in before.files.items() if path in held}
    for change in proposal.changes:
        if change.data is not None and str(change.path) in held:
            rows[str(change.path)] = FileRow(files.digest(change.data))
    new = {str(folder) for one in pending for folder in one.new_folders}
    folders = {*before.folders, *new} - set(map(str, drop))
    if pending or drop:  # A folder that the user has removed is no reason to write the ledger.
        folders = {one for one in folders if one in new or files.lexists(one)}
    return replace(proposal.ledger, files=rows, folders=tuple(sorted(folders)))


_STORES = ("/nix/store", "/gnu/store")


def check_allowed(path: Path, target: Path, mode: int | None, folder: Path) -> None:
    """Raise FileProblem if a file must not or can't be changed.

    `path` is the file as the user knows it, `target` the same with links resolved, `mode` its
    permission bits (None for a new file), `folder` the innermost folder of `target` that exists.
    """
    for store in _STORES:
        if target.is_relative_to(store):
            raise FileProblem(
                path,
                f"generated by the system's package manager (it is a link to {target})",
                "add the hooks to the configuration that generates it",
            )
    if mode is not None:
        if not mode & 0o222:
            raise FileProblem(
                path,
                "marked read-only",
                "to allow changes, make it writable (chmod u+w) and run the command again",
            )
        _check_writable(path, target)
    _check_writable(path, folder)


def _check_writable(path: Path, existing: Path) -> None:
    if metadata.may_write(existing):
        return
    what = "it" if existing.name == path.name else f"its folder {existing}"
    if metadata.on_read_only_system(existing):
        raise FileProblem(
            path,
            f"{what} is on a read-only file system",
            "make it writable, or change the file at its source, and run the command again",
        )
    raise FileProblem(
        path,
        f"you have no permission to write to {what}",
        "give yourself that permission (check the owner, and whether it is immutable) and run "
        "the command again",
    )
