"""Several commands at once: nothing is lost, and the last one out still leaves no trace."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from hatch_agentplugin.activate import operations
from hatch_agentplugin.transaction import transaction
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.transaction import Outcome, run
from tests.activate.world import TREE, World, grouped, snapshot, write

NAMES = ("one", "two", "three", "four")


def at_once(world: World, commands: Sequence[Sequence[str]]) -> None:
    """Run commands side by side; each must succeed."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "hatch_agentplugin.cli", *command],
            env={**world.environ, "PYTHONPATH": f"{TREE}:{world.site()}"},
            cwd=world.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for command in commands
    ]
    for process in running:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0, out


@pytest.mark.parametrize("tries", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_plugins_come_and_go_at_once(plain: World, tries: int) -> None:
    """Four plugins are activated at once, and taken back at once."""
    file = write(plain.home / ".grouped/settings.json", '{"mine": [1e400] }')
    before = snapshot(plain.home)
    for name in NAMES:
        plain.install(name, {"grouped": grouped()})
    for _ in range(tries):
        at_once(plain, [["activate", "--yes", "--host", "grouped", name] for name in NAMES])
        entries = json.loads(file.read_text())["hooks"]["Stop"]
        commands = sorted(entry["hooks"][0]["command"] for entry in entries)
        assert commands == sorted(f"{plain.state}/{name}/launch grouped turn-end" for name in NAMES)
        at_once(plain, [["deactivate", "--yes", name] for name in NAMES])
        assert snapshot(plain.home) == before


@pytest.mark.parametrize("turn", range(3))
def test_one_comes_while_the_last_one_goes(plain: World, turn: int) -> None:
    """The folder that one command removes is made again by the other."""
    for name in NAMES[:2]:
        plain.install(name, {"grouped": grouped()})
    plain.activate("one")
    at_once(
        plain,
        [
            ["deactivate", "--yes", "one"],
            ["activate", "--yes", "--host", "grouped", "two"],
            ["status"],
        ],
    )
    assert {row.plugin for row in plain.activate("two").rows} == {"two"}
    assert plain.deactivate().ok
    assert snapshot(plain.home) == {}


def test_the_last_one_goes_while_another_tidies_up(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock that the first takes once more must not stay behind."""
    for name in NAMES[:2]:
        plain.install(name, {"grouped": grouped()})
        plain.activate(name)
    clear = operations.clear

    def slow(*arguments: Any) -> bool:
        monkeypatch.setattr(operations, "clear", clear)
        assert plain.deactivate("two").ok
        return clear(*arguments)

    monkeypatch.setattr(operations, "clear", slow)
    assert plain.deactivate("one").ok
    assert snapshot(plain.home) == {}


def test_folder_that_went_away_is_made_again(plain: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another command has swept our folder between two of our steps: the run begins anew."""
    tries = []

    def flaky(*arguments: Any, **options: Any) -> Outcome:
        tries.append(1)
        if len(tries) < 3:
            raise FileProblem(plain.state, "gone", "")
        return run(*arguments, **options)

    monkeypatch.setattr(transaction, "run", flaky)
    plain.install("one", {"grouped": grouped()})
    assert plain.activate().ok
    tries.clear()
    plain.install("two", {"grouped": grouped()})
    with pytest.raises(FileProblem):
        plain.activate()
    assert len(tries) == 1, "with the folder there it is another problem"
