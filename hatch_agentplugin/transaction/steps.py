"""From a proposal to steps: what would really change, and whether the system will let us.

Looks, and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from hatch_agentplugin.transaction import files, metadata
from hatch_agentplugin.transaction.files import Snapshot
from hatch_agentplugin.transaction.metadata import with_execution
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader

_STORES = ("/nix/store", "/gnu/store")


@dataclass(frozen=True)
class Change:
    """One file as it shall be."""

    path: Path
    """As the user knows it; a link is followed."""
    data: bytes | None
    """All the content; None: no file."""
    group: str
    """What stands or falls together: a host."""
    executable: bool = False
    private: bool = False
    """For a new file, whether only its owner may read it. An existing one keeps its mode."""


@dataclass(frozen=True)
class Step:
    """A change that really changes something."""

    change: Change
    target: Path
    before: Snapshot | None
    makes: tuple[Path, ...]
    """Folders to make first."""


def to_steps(
    reader: Reader, changes: Iterable[Change]
) -> tuple[tuple[Step, ...], dict[str, FileProblem]]:
    """Return what is to be done, and which groups must be given up, and why."""
    steps: dict[Path, Step] = {}
    writable: set[Path] = set()
    problems: dict[str, FileProblem] = {}
    for change in changes:
        try:
            step = _step(reader, change)
            if step is None:
                continue
            _check(step, writable)
            _check_alone(step, steps.get(step.target))
            steps.setdefault(step.target, step)
        except FileProblem as problem:
            problems.setdefault(change.group, problem)
        except OSError as error:
            problems.setdefault(change.group, FileProblem.of(change.path, error))
    return tuple(step for step in steps.values() if step.change.group not in problems), problems


def _step(reader: Reader, change: Change) -> Step | None:
    before = reader.snapshot(change.path)
    data = None if before is None else before.data
    if data == change.data and not _lacks_execution(change, before):
        return None
    makes = () if change.data is None else reader.missing_dirs(change.path)
    return Step(change, reader.resolve(change.path), before, makes)


def _lacks_execution(change: Change, before: Snapshot | None) -> bool:
    if before is None or not change.executable or os.name == "nt":
        return False
    return with_execution(before.mode) != before.mode


def _check_alone(step: Step, other: Step | None) -> None:
    if other is None or other.change.data == step.change.data:
        return
    raise FileProblem(
        step.change.path,
        f"the same file as {other.change.path}, through a link",
        "give each of the two a file of its own, or have one of the hosts left out",
    )


def still_missing(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The same steps, but for folders that somebody has made meanwhile."""
    there: dict[Path, bool] = {}
    for step in steps:
        for folder in step.makes:
            if folder not in there:
                there[folder] = files.is_there(folder)
    return tuple(
        replace(step, makes=tuple(one for one in step.makes if not there[one]))
        if any(there[one] for one in step.makes)
        else step
        for step in steps
    )


def _check(step: Step, writable: set[Path]) -> None:
    """Raise FileProblem where the user or the system has said no already.

    `writable` are the folders that have been seen to be.
    """
    path, target = step.change.path, step.target
    for store in _STORES:
        if target.is_relative_to(store):
            raise FileProblem(
                path,
                f"made by the package manager of this system (it leads to {target})",
                "add the hooks to the configuration that it is made from",
            )
    if step.before is not None:
        if not step.before.mode & 0o222:
            raise FileProblem(
                path,
                "marked read-only",
                "if it may be changed after all, make it writable (chmod u+w) and run the "
                "command again",
            )
        _check_writable(path, target)
    folder = (step.makes[0] if step.makes else target).parent
    if folder not in writable:
        _check_writable(path, folder)
        writable.add(folder)


def _check_writable(path: Path, existing: Path) -> None:
    if metadata.may_write(existing):
        return
    what = "it" if existing.name == path.name else f"its folder {existing}"
    if metadata.on_read_only_system(existing):
        raise FileProblem(
            path,
            f"{what} is on a read-only file system",
            "make it writable, or have it changed where it is made, and run the command again",
        )
    raise FileProblem(
        path,
        f"you have no permission to write to {what}",
        "give yourself that permission (see who owns it, and whether it is locked against "
        "changes) and run the command again",
    )


def parents_of(paths: Iterable[Path]) -> set[Path]:
    """Every folder above some paths."""
    found: set[Path] = set()
    for path in paths:
        folder = path.parent
        while folder not in found:
            found.add(folder)
            folder = folder.parent
    return found


def emptied(steps: Iterable[Step], ours: Collection[Path], asked: Iterable[Path]) -> list[Path]:
    """Return the folders to remove afterwards, innermost first.

    These are the ones that we have made, and those that are asked for, as far as nothing is in
    them then.
    """
    candidates = {*ours, *asked}
    if not candidates:
        return []
    removed = {step.target for step in steps if step.change.data is None}
    candidates -= parents_of(step.target for step in steps if step.change.data is not None)
    drop: dict[Path, None] = {}
    for folder in sorted(candidates, key=lambda one: len(one.parts), reverse=True):
        try:
            names = files.names_in(folder)
        except OSError:
            continue
        if all(
            (path := folder / name) in removed or path in drop for name in names
        ) and files.is_there(folder):
            drop[folder] = None
    return list(drop)
