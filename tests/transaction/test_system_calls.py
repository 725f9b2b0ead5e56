"""The same proof one level deeper: strace kills a process, or fails its system calls."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hatch_agentplugin.transaction.recover import recover

from ._world import World

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace"),
]

ROOT = Path(__file__).parents[2]
CALLS = ["rename", "unlink", "mkdir", "rmdir", "write", "fsync", "fchmod", "fsetxattr", "ftruncate"]
RUN = """
import sys
from pathlib import Path
from hatch_agentplugin.transaction.problem import FileProblem
from tests.transaction._world import World
world = World(Path(sys.argv[1]), fresh=False)
try:
    failed = {**world.activate(int(sys.argv[2])).failed, **world.problems}
except FileProblem as problem:
    failed = {"": problem}
sys.exit(3 if failed else 0)
"""


def _run(world: World, version: int, call: str, fault: str, at: int) -> tuple[int, bool]:
    """Activate in a process with one fault; return its status, and whether the fault happened."""
    log = world.home.with_name("strace")
    command = ["strace", "-f", "-o", str(log), "-e", f"trace={call}", "-e",
               f"inject={call}:{fault}:when={at}", sys.executable, "-c", RUN]  # fmt: skip
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([*command, str(world.home), str(version)], env=environ, check=False)
    text = log.read_text()
    return done.returncode, "INJECTED" in text or "killed by SIGKILL" in text


def _available(call: str) -> None:
    tried = subprocess.run(["strace", "-e", f"trace={call}", "true"], capture_output=True)
    if tried.returncode != 0:
        pytest.skip(f"nothing can be traced here, or {call} does not exist")


@pytest.mark.parametrize("call", CALLS)
def test_killed_at_every_system_call(quick: World, call: str) -> None:
    """Files are whole, the ledger is true, and the next command succeeds."""
    _available(call)
    quick.activate(1)
    aside = quick.snapshot()
    at = 1
    while _run(quick, 2, call, "signal=KILL", at)[1]:
        quick.check_whole(1, 2)
        recover(quick.state)
        quick.check_recovered(1, 2)
        quick.activate(2)
        quick.check_recovered(2)
        quick.put_back(aside)
        at += 1
    assert at > 1 or call in ("rmdir", "mkdir")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("error", ["ENOSPC", "EACCES", "EROFS", "EINTR"])
def test_every_system_call_fails(quick: World, call: str, error: str) -> None:
    """No group is half done, at once and after recovery; no traceback."""
    _available(call)
    quick.activate(1)
    aside = quick.snapshot()
    at = 1
    while True:
        status, happened = _run(quick, 2, call, f"error={error}", at)
        if not happened:
            break
        assert status in (0, 3)
        quick.check_groups(1, 2)
        recover(quick.state)
        quick.check_recovered(1, 2)
        quick.put_back(aside)
        at += 3
