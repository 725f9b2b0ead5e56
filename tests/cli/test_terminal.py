"""Questions and colours on a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.activate.world import TREE, World, flat, grouped
from tests.cli._world import run, run_on_terminal


@pytest.mark.parametrize(("answer", "placed"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_activate_shows_the_commands_and_asks(world: World, answer: str, placed: bool) -> None:
    """Any answer except yes changes nothing."""
    world.install("acme", {"flat": flat()})
    out = run_on_terminal(world, answer, "activate")
    assert "launch' flat pre-tool-use" in out
    assert "~/.flat/hooks.json" in out
    assert "Activate? [y/N]" in out
    assert (world.home / ".flat/hooks.json").exists() is placed
    assert ("nothing was changed" in out) is not placed


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_colours_are_for_the_stream_that_is_a_terminal(world: World, stream: str) -> None:
    """The other stream gets plain text."""
    world.install("acme", {"grouped": grouped()})
    run(world, "activate", "--yes", "--host", "grouped")
    master, slave = pty.openpty()
    for words, status, coloured in (
        ("status", 0, "stdout"),
        ("activate --yes --host grouped --project .", 1, "stderr"),  # the user already has it
    ):
        done = subprocess.run(
            [sys.executable, "-m", "hatch_agentplugin.cli", *words.split()],
            env={**world.environ, "PYTHONPATH": f"{TREE}:{world.site()}", "TERM": "xterm"},
            cwd=world.project, stdin=subprocess.DEVNULL, check=False,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: slave},
        )  # fmt: skip
        assert done.returncode == status
        assert b"\x1b" not in (done.stdout or done.stderr or b"")
        os.write(slave, b"end")
        shown = b""
        while not shown.endswith(b"end"):
            shown += os.read(master, 65536)
        assert (b"\x1b" in shown) is (stream == coloured), words
    os.close(slave)
    os.close(master)
