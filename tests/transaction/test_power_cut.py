"""A power cut may lose unsynced contents and names; none of them matters."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.transaction import journal as _journal
from hatch_agentplugin.transaction.recover import recover

from ._faults import Die, hooked, in_child
from ._world import World

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

WAYS = [(0, 1), (1, 2), (2, 1), (1, 0)]


class Disk:
    """Tracks what is synced, and checks it at the calls that rely on it.

    Temporary files are left out: it does not matter if one reappears or is lost.
    """

    def __init__(self, world: World) -> None:
        self.state = world.state
        self.files: dict[int, Path] = {}
        self.contents: set[Path] = set()
        """Files whose content is not synced."""
        self.names: set[Path] = set()
        """Folders whose names are not synced."""
        self.checked: list[str] = []

    def __call__(self, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        if name in ("replace", "unlink"):
            self._check(name, *map(Path, args))
        result = real(*args)
        if name == "open":
            self.files[result] = Path(args[0])
            if args[1] & os.O_CREAT:
                self._named(args[0])
        elif name == "write":
            self.contents |= {self.files[args[0]]} - {Path(self.state.lock)}
        elif name == "fsync":
            self.contents.discard(self.files[args[0]])
            self.names.discard(self.files[args[0]])
        elif name in ("mkdir", "unlink", "replace", "rmdir"):
            self.names -= {Path(args[0])} if name == "rmdir" else set()
            self._named(args[-1] if name == "replace" else args[0])
        return result

    def _named(self, path: str) -> None:
        if not str(path).endswith((".tmp", ".new")) and Path(path) != Path(self.state.lock):
            self.names.add(Path(path).parent)

    def _outside(self) -> set[Path]:
        own = Path(self.state.ledger).parent
        return {folder for folder in self.names if folder != own and own not in folder.parents}

    def _check(self, name: str, source: Path, target: Path | None = None) -> None:
        """Check that everything is synced that this call relies on."""
        journal, ledger = Path(self.state.journal), Path(self.state.ledger)
        if name == "unlink":
            if source == journal / "journal.json" and source.exists():  # No recovery after this.
                assert not self._outside()
                assert ledger.parent not in self.names
                assert not self.contents
                self.checked.append("end")
            return
        assert target is not None
        assert source not in self.contents, f"{target} might be empty"
        if target == journal / "journal.json" and (journal / _journal.AFTER).exists():
            assert journal not in self.names
            assert not self.contents
            self.checked.append("promoted")
        elif target == ledger:
            assert not self._outside(), "it could be untrue"
            self.checked.append("ledger")
        elif ledger.parent not in target.parents:
            assert journal not in self.names, "recovery could not finish it"
            self.checked.append("file")


@pytest.mark.parametrize(("old", "new"), WAYS)
def test_each_step_relies_on_synced_data(world: World, old: int, new: int) -> None:
    """Contents before their names, the journal before any file, all files before the ledger."""
    world.activate(old)
    disk = Disk(world)
    with hooked(disk):
        world.activate(new)
    world.check_recovered(new)
    assert list(dict.fromkeys(disk.checked)) == ["promoted", "file", "ledger", "end"]


def test_name_of_a_file_with_a_new_mode_is_synced(world: World) -> None:
    """If the content stays the same, a lost name would look like a change already made."""
    world.activate(1)
    launcher = Path(world.state.plugin("demo"), "launch")
    launcher.chmod(0o600)
    synced: list[Path] = []
    opened: dict[int, Path] = {}

    def note(name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        result = real(*args)
        if name == "open":
            opened[result] = Path(args[0])
        elif name == "fsync":
            synced.append(opened[args[0]])
        elif name == "replace":
            synced.append(Path(args[1]))
        return result

    with hooked(note):
        world.activate(1)
    assert launcher.stat().st_mode & 0o111
    assert launcher.parent in synced[: synced.index(launcher)]


def _lose(world: World, chosen: Callable[[int], bool]) -> Iterator[Path]:
    """Remove what is not synced: chosen staged files, and new folders without a file."""
    journal = _journal.read(world.state)
    if journal is None:
        return
    for number, op in enumerate(journal.entries):
        if op.after is not None and chosen(number) and Path(op.staged).exists():
            Path(op.staged).unlink()
            yield Path(op.staged)
    for folder in reversed(journal.new_folders):
        if os.path.isdir(folder) and not any(files for _, _, files in os.walk(folder)):
            shutil.rmtree(folder)


CHOICES = [lambda _: True, lambda number: number % 2 == 0, lambda number: number % 2 == 1]


@pytest.mark.parametrize(
    ("old", "new", "chosen", "step"),
    [
        (1, 2, CHOICES[1], 5),
        *(
            pytest.param(old, new, chosen, 1, marks=pytest.mark.slow)
            for old, new in WAYS[:2]
            for chosen in CHOICES
        ),
    ],
)
def test_lost_names_of_staged_files(
    quick: World, old: int, new: int, chosen: Callable[[int], bool], step: int
) -> None:
    """A group that has lost a staged file is rolled back; the other groups are completed."""
    quick.activate(old)
    aside = quick.snapshot()
    at, lost = 0, 0

    def dies() -> None:
        with hooked(Die(at, writing=True)):
            quick.activate(new)

    while in_child(dies) != 0:
        lost += len(list(_lose(quick, chosen)))
        quick.check_whole(old, new)
        recover(quick.state)
        quick.check_recovered(old, new)
        quick.activate(new)
        quick.check_recovered(new)
        quick.put_back(aside)
        at += step
    assert lost * step > 20
