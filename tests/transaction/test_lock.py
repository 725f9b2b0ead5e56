"""One command at a time; a waiting one names the holder; a crash locks nobody out."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.transaction.lock import locked
from hatch_agentplugin.transaction.problem import FileProblem

from ._faults import hooked, in_child
from ._world import World

HOLD = """
import sys, time
from pathlib import Path
from hatch_agentplugin.transaction.lock import locked
with locked(Path(sys.argv[2]), 5):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
@pytest.mark.parametrize("private", [True, False])
def test_folder_of_the_administrator(tmp_path: Path, private: bool) -> None:
    """A normal user is told that only an administrator can do this."""
    folder = tmp_path / "system"
    folder.mkdir(0o555)

    def act() -> None:
        if os.getuid() == 0:
            tmp_path.parent.chmod(0o755)
            tmp_path.chmod(0o755)
            os.setuid(65534)
        with pytest.raises(FileProblem) as caught, locked(folder / "x/lock", 0, private=private):
            pass
        assert ("sudo" in caught.value.advice) is not private

    assert in_child(act) == 0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Path of the lock."""
    return tmp_path / "lock"


def hold(path: Path, *prefix: str) -> subprocess.Popen[str]:
    """Start a process that holds the lock."""
    command = [*prefix, sys.executable, "-c", HOLD, "activate", str(path)]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    return holder


def test_holder_is_named(path: Path) -> None:
    """The error names process, command, machine and time; the wait is limited."""
    with hold(path) as holder:
        start = time.monotonic()
        with pytest.raises(FileProblem) as caught, locked(path, 0.2):
            pass
        assert 0.2 <= time.monotonic() - start < 5
        holder.kill()
    reason = caught.value.reason
    assert f"process {holder.pid} ('-c activate')" in reason
    assert f"on {socket.gethostname()} since {time.strftime('%Y-')}" in reason
    assert "run the command again" in caught.value.advice


def test_crashed_holder_locks_nobody_out(path: Path) -> None:
    """The lock is free at once, although the file still names the dead process."""
    with hold(path) as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert str(holder.pid) in path.read_text()
    with locked(path, 0):
        assert str(os.getpid()) in path.read_text()


def test_lock_is_free_afterwards(path: Path) -> None:
    """The lock is free even after an exception."""
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), locked(path, 0):
            raise ZeroDivisionError


def test_second_time_in_one_process(path: Path) -> None:
    """The lock also separates threads of one process."""
    with locked(path, 0), pytest.raises(FileProblem, match="another command"), locked(path, 0):
        pass


@pytest.mark.skipif(os.name == "nt", reason="POSIX links")
def test_lock_that_is_a_link(path: Path) -> None:
    """The link is not followed: it could make us truncate any file of the user."""
    victim = path.with_name("victim")
    victim.write_bytes(b"precious")
    path.symlink_to(victim)
    with pytest.raises(FileProblem), locked(path, 0):
        pass
    assert victim.read_bytes() == b"precious"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"pid": "\\u001b[2J"}'])
def test_unreadable_holder(path: Path, content: bytes) -> None:
    """The error says "unknown process"."""
    with locked(path, 0):
        path.write_bytes(content)
        with pytest.raises(FileProblem, match="unknown process"), locked(path, 0):
            pass


def test_folder_removed_meanwhile(tmp_path: Path) -> None:
    """The waiting process makes the folder again."""
    world = World(tmp_path / "home")
    with locked(world.state.lock, 0):
        waiting = threading.Thread(target=world.activate, args=(1,))
        waiting.start()
        time.sleep(0.1)
        shutil.rmtree(world.state.root)
    waiting.join()
    world.check_recovered(1)


def test_lock_file_removed_meanwhile(path: Path) -> None:
    """A later process makes and locks a new file."""
    with locked(path, 0):
        path.unlink()
        with locked(path, 0):
            assert path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="uses flock")
@pytest.mark.parametrize("recreated", [False, True])
def test_lock_file_removed_between_open_and_lock(path: Path, recreated: bool) -> None:
    """A lock on a removed file keeps nobody out, so the file at the path is locked instead."""
    removed = False

    def remove(name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        nonlocal removed
        if name == "flock" and not removed:
            removed = True
            path.unlink()
            if recreated:
                path.touch()
        return real(*args)

    another = pytest.raises(FileProblem, match="another command")
    with hooked(remove), locked(path, 1), another, locked(path, 0):
        pass
    assert removed
