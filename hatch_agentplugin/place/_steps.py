"""From a proposal to steps: what would really change, and whether the system will let us.

Looks, and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from hatch_agentplugin._record import dataclass
from hatch_agentplugin.place import _files, _metadata
from hatch_agentplugin.place._files import Snapshot
from hatch_agentplugin.place._metadata import with_execution
from hatch_agentplugin.place._path import FilePath
from hatch_agentplugin.place._problem import FileProblem
from hatch_agentplugin.place._reader import Reader

_STORES = ("/nix/store", "/gnu/store")


@dataclass(frozen=True)
class Change:
    """One file as it shall be."""

    path: FilePath
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
    target: FilePath
    before: Snapshot | None
    makes: tuple[FilePath, ...]
    """Folders to make first."""


def to_steps(
    reader: Reader, changes: Iterable[Change]
) -> tuple[tuple[Step, ...], dict[str, FileProblem]]:
    """Return what is to be done, and which groups must be given up, and why."""
    steps: dict[FilePath, Step] = {}
    problems: dict[str, FileProblem] = {}
    for change in changes:
        try:
            step = _step(reader, change)
            if step is None:
                continue
            _check(step)
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


def _check(step: Step) -> None:
    """Raise FileProblem where the user or the system has said no already."""
    path, target, folder = step.change.path, step.target, step.target.parent
    for store in _STORES:
        if target.is_below(store):
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
    while _files.mode_of(folder) is None:
        folder = folder.parent
    _check_writable(path, folder)


def _check_writable(path: FilePath, existing: FilePath) -> None:
    if _metadata.may_write(existing):
        return
    what = "it" if existing.name == path.name else f"its folder {existing}"
    if _metadata.on_read_only_system(existing):
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


def emptied(
    steps: Iterable[Step], ours: Collection[FilePath], asked: Iterable[FilePath]
) -> list[FilePath]:
    """Return the folders to remove afterwards, innermost first.

    These are the ones that we have made, and those that are asked for, as far as nothing is in
    them then.
    """
    removed = {step.target for step in steps if step.change.data is None}
    needed = {folder for step in steps if step.change.data is not None
              for folder in step.target.parents}  # fmt: skip
    drop: list[FilePath] = []
    candidates = {*ours, *asked} - needed
    for folder in sorted(candidates, key=lambda one: one.count(os.sep), reverse=True):
        try:
            rest = {folder / name for name in _files.names_in(folder)} - removed - set(drop)
        except OSError:
            continue
        if not rest and _files.is_there(folder):
            drop.append(folder)
    return drop
