"""A run killed between any two file-system calls loses no data and leaves no garbage."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.transaction.proposal import Change, Proposal
from hatch_agentplugin.transaction.recover import recover
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.transaction.transaction import run

from ._faults import Die, hooked, in_child
from ._world import World

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

WAYS = [(0, 1), (1, 2), (2, 1), (2, 0)]
KILLED = -9


def _dies(world: World, version: int, at: int, *, writing: bool = True) -> bool:
    """Run a transaction that is killed at a call; return False if it ends before that call."""

    def act() -> None:
        with hooked(Die(at, writing=writing)):
            world.activate(version)

    status = in_child(act)
    assert status in (0, KILLED)
    return status == KILLED


def _kill_everywhere(world: World, old: int, new: int, *, writing: bool, step: int = 1) -> int:
    world.activate(old)
    aside = world.snapshot()
    at = 0
    while _dies(world, new, at, writing=writing):
        world.check_whole(old, new)
        recover(world.state)
        world.check_recovered(old, new)
        world.activate(new)
        world.check_recovered(new)
        assert world.files() == world.expected(new)
        world.put_back(aside)
        at += step
    return at


@pytest.mark.parametrize(
    ("old", "new", "step"),
    [(1, 2, 4), *(pytest.param(*way, 1, marks=pytest.mark.slow) for way in WAYS)],
)
def test_killed_before_every_call_that_changes_something(
    quick: World, old: int, new: int, step: int
) -> None:
    """All files are whole; the next command recovers; the same command then succeeds."""
    assert _kill_everywhere(quick, old, new, writing=True, step=step) > 60


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), WAYS)
def test_killed_before_every_call_on_the_disk(world: World, old: int, new: int) -> None:
    """The same with every call, also reading ones, and on a real disk."""
    assert _kill_everywhere(world, old, new, writing=False) > 200


@pytest.mark.slow
def test_killed_and_then_deactivated(quick: World) -> None:
    """Removing everything after a kill restores every byte and every folder."""
    folders = quick.folders()
    aside = quick.snapshot()
    at = 0
    while _dies(quick, 2, at):
        quick.activate(0)
        quick.check_recovered(0)
        assert quick.folders() == folders
        quick.put_back(aside)
        at += 1


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), WAYS)
def test_killed_again_while_recovering(quick: World, old: int, new: int) -> None:
    """The run that recovers may be killed as well, at any call."""
    quick.activate(old)
    start = quick.snapshot()
    first = 0
    while _dies(quick, new, first):
        middle = quick.snapshot("middle")
        second = 0
        while _dies(quick, new, second):
            quick.check_whole(old, new)
            recover(quick.state)
            quick.check_recovered(old, new)
            quick.put_back(middle)
            second += 6
        quick.put_back(start)
        first += 5


def test_edit_between_kill_and_next_command_is_kept(quick: World) -> None:
    """After a kill the user edits every file: no edit is lost, and the ledger is true."""
    quick.activate(1)
    aside = quick.snapshot()
    at = 0
    while _dies(quick, 2, at):
        at += 4
        for name in ("dotfiles/alpha.json", ".gamma/config.toml"):
            path = quick.home / name
            path.write_bytes(b"new line\n" + path.read_bytes())
        recover(quick.state)
        for name in ("dotfiles/alpha.json", ".gamma/config.toml"):
            assert (quick.home / name).read_bytes().startswith(b"new line\n")
        quick.check_ledger(edited=True)
        quick.activate(0)
        for name in ("dotfiles/alpha.json", ".gamma/config.toml"):
            assert quick.files()[name] == b"new line\n" + quick.expected(0)[name]
        quick.put_back(aside)


def test_killed_after_a_change_of_mode_alone(tmp_path: Path) -> None:
    """The content was right already; the next command sees that the new file is in its place."""
    state = State.from_environ({}, tmp_path)
    script = tmp_path / "script"
    script.write_bytes(b"same")
    script.chmod(0o640)
    change = Change(script, b"same", "x", executable=True)

    def die_after_replacing(name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        result = real(*args)
        if name == "replace" and str(args[1]) == str(script):
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    def act() -> None:
        with hooked(die_after_replacing):
            run(state, lambda _, ledger: Proposal((change,), ledger))

    assert in_child(act) == KILLED
    assert recover(state)[1] == (f"an interrupted command has been completed: {script}",)
    assert script.stat().st_mode & 0o777 == 0o750
