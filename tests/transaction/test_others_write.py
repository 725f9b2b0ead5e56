"""Other programs write the same files at the same time; none of their writes is lost."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.ledger import Ledger, load
from hatch_agentplugin.transaction.proposal import Change, Proposal
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.transaction import run

from ._faults import Count, Interfere, fork, hooked, in_child
from ._world import World

ALPHA = "dotfiles/alpha.json"


def _append(path: Path, line: bytes) -> None:
    with path.open("ab") as file:
        file.write(line)


def _replace(path: Path, line: bytes) -> None:
    beside = path.with_name("host.tmp")
    beside.write_bytes(path.read_bytes() + line)
    beside.replace(path)


@pytest.mark.parametrize("write", [_append, _replace], ids=["in place", "by rename"])
@pytest.mark.parametrize("step", [23, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [ALPHA, ".gamma/config.toml"])
def test_host_writes_at_any_instant(quick: World, write: object, step: int, name: str) -> None:
    """The file has the host's line and ours, whenever the host writes.

    One gap is left: between the last read of a file and the rename over it.
    """
    quick.activate(1)
    aside = quick.snapshot()
    count = Count()
    with hooked(count):
        quick.activate(2)
    quick.put_back(aside)
    for at in range(0, count.calls, step):
        there = Interfere(at, lambda: write(quick.home / name, b"line\n"))  # type: ignore[operator]
        with hooked(there):
            outcome = quick.activate(2)
        if there.name != "replace":
            assert outcome.failed == {}
            now = (quick.home / name).read_bytes()
            assert b"line\n" in now
            assert now.replace(b"line\n", b"") == quick.expected(2)[name]
            quick.check_ledger(edited=True)
        quick.put_back(aside)


def test_write_while_the_content_is_digested_is_seen(
    quick: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Digesting a large file takes time: a write during it is noticed."""
    file = quick.home / ALPHA
    real = files.sha256
    writes = [b"later\n"]

    def slow(data: bytes) -> Any:
        found = real(data)
        if writes:
            _append(file, writes.pop())
        return found

    monkeypatch.setattr(files, "sha256", slow)
    assert files.sha256_of(file) == real(file.read_bytes()).hexdigest()
    assert not writes


def test_file_that_keeps_changing(world: World) -> None:
    """After some attempts its host is given up; the other hosts are written."""
    busy = world.home / ".gamma/config.toml"
    attempts = 0

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        nonlocal attempts
        attempts += 1
        proposal = world.propose(2, reader, ledger)
        _append(busy, b"busy\n")
        return proposal

    outcome = run(world.state, compute)
    assert set(outcome.failed) == {"gamma"}
    assert "another program keeps writing it" in str(outcome.failed["gamma"])
    assert attempts < 10
    assert busy.read_bytes().count(b"busy\n") == attempts
    assert world.versions("alpha", (2,), world.files())
    world.check_ledger()


def test_other_files_of_a_group_that_changed_are_left_alone(world: World) -> None:
    """All files are checked before the first is replaced: each file is replaced only once."""
    first, second = world.home / "first", world.home / "second"
    replaced: list[str] = []
    edits = [b"theirs\n"]

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        changes = [Change(path, (reader.read(path) or b"") + b"ours\n", "x")
                   for path in (first, second)]  # fmt: skip
        if edits:
            _append(second, edits.pop())
        return Proposal(tuple(changes), ledger)

    def note(name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        if name == "replace":
            replaced.append(Path(args[1]).name)
        return real(*args)

    with hooked(note):
        assert run(world.state, compute).failed == {}
    assert second.read_bytes() == b"theirs\nours\n"
    assert [name for name in replaced if name in ("first", "second")] == ["first", "second"]


def test_link_changed_meanwhile(world: World) -> None:
    """The change goes to the new target of the link, not to the old one."""
    link, other = world.home / ".alpha/settings.json", world.home / "dotfiles/other.json"
    other.write_bytes(b"other\n")
    first = True

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        nonlocal first
        proposal = world.propose(1, reader, ledger)
        if first:
            link.unlink()
            link.symlink_to("../dotfiles/other.json")
        first = False
        return proposal

    assert run(world.state, compute).failed == {}
    assert other.read_bytes() == b"other\nhook 1\n"
    assert (world.home / ALPHA).read_bytes() == b"alpha's own\r\n"


def test_file_replaced_by_a_link_meanwhile(world: World) -> None:
    """A dotfiles manager moves the file and links to it: the link stays, the file changes."""
    path, moved = world.home / ".gamma/config.toml", world.home / "dotfiles/config.toml"
    before, first = path.read_bytes(), True

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        nonlocal first
        proposal = world.propose(1, reader, ledger)
        if first:
            path.rename(moved)
            path.symlink_to("../dotfiles/config.toml")
        first = False
        return proposal

    assert run(world.state, compute).failed == {}
    assert path.is_symlink()
    assert moved.read_bytes() == before + b"hook 1\n"


def test_new_file_made_by_another_program_first(world: World) -> None:
    """Its content is not overwritten."""
    path = world.home / ".beta/nested/hooks.json"
    first = True

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        nonlocal first
        proposal = world.propose(2, reader, ledger)
        if first:
            path.parent.mkdir(parents=True)
            path.write_bytes(b"theirs\n")
        first = False
        return proposal

    run(world.state, compute)
    assert path.read_bytes() == b"theirs\nhook 2\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("tries", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_four_processes_at_once(quick: World, tries: int) -> None:
    """Each adds a line to a shared file and writes its own file: nothing is lost."""
    shared = quick.home / ".gamma/config.toml"

    def add(number: int) -> None:
        line = b"hook %d\n" % number

        def compute(reader: Reader, ledger: Ledger) -> Proposal:
            data = (reader.read(shared) or b"") + line
            own = Change(quick.home / f"new/{number}", line, "own")
            return Proposal((Change(shared, data, "gamma"), own), ledger)

        run(quick.state, compute, wait=60)

    for _ in range(tries):
        start = time.monotonic() + 0.02
        children = []
        for number in range(4):
            child = fork()
            if child == 0:
                time.sleep(max(0, start - time.monotonic()))
                os._exit(in_child(lambda number=number: add(number)))  # type: ignore[misc]
            children.append(child)
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
        lines = shared.read_bytes().splitlines(keepends=True)
        assert sorted(lines[-4:]) == [b"hook %d\n" % number for number in range(4)]
        assert sorted(os.listdir(quick.home / "new")) == ["0", "1", "2", "3"]
        remove = tuple(Change(quick.home / f"new/{number}", None, "own") for number in range(4))
        run(quick.state, lambda _, ledger, remove=remove: Proposal(remove, ledger))  # type: ignore[misc]
    assert shared.read_bytes().count(b"hook") == 4 * tries


@pytest.mark.skipif(sys.platform == "win32", reason="where the lock is taken by flock")
def test_folder_made_by_another_program_before_the_lock(quick: World) -> None:
    """The folder is not ours, so it is not removed at the end."""
    quick.activate(1)

    def make(name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        if name == "flock":
            (quick.home / ".beta").mkdir(exist_ok=True)
        return real(*args)

    with hooked(make):
        quick.activate(2)
    quick.check_recovered(2)
    assert str(quick.home / ".beta") not in load(quick.state)[0].folders
    assert str(quick.home / ".beta/nested") in load(quick.state)[0].folders
    quick.activate(0)
    assert (quick.home / ".beta").is_dir()
    assert not list((quick.home / ".beta").iterdir())
