"""Runs the command line as users do: in a process of its own, on a scratch machine."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.activate.world import TREE, World


@dataclass(frozen=True)
class Ran:
    """What a command has returned and printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output, which is one JSON document."""
        return json.loads(self.out)


def run(
    world: World, *arguments: str, cwd: Path | None = None, shell: str = "", program: str = "",
    **environ: str,
) -> Ran:  # fmt: skip
    """Run ``agent-plugin`` without a terminal, and check that it shows no traceback.

    ``shell`` is a script that runs it as ``"$@"``; ``program`` is another program to run.
    """
    command = [sys.executable, "-W", "error", "-m", "hatch_agentplugin.cli", *arguments]
    if program:
        command = [program, *arguments]
    done = subprocess.run(
        ["/bin/sh", "-c", shell, "sh", *command] if shell else command,
        env={**world.environ, "PYTHONPATH": f"{TREE}:{world.site()}", "LC_ALL": "C.UTF-8"}
        | environ,
        cwd=cwd or world.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def run_on_terminal(world: World, answer: str, *arguments: str) -> str:
    """Run ``agent-plugin`` on a terminal without colours and answer its question.

    Returns everything that the terminal shows.
    """
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hatch_agentplugin.cli", *arguments],
        env={**world.environ, "PYTHONPATH": f"{TREE}:{world.site()}", "NO_COLOR": "1"},
        cwd=world.project, stdin=slave, stdout=slave, stderr=slave, close_fds=True,
    )  # fmt: skip
    os.close(slave)
    shown = b""
    deadline = time.monotonic() + 60
    asked = False
    while time.monotonic() < deadline:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
        if b"[y/N]" in shown and not asked:
            asked = True
            os.write(master, answer.encode())
    process.wait(60)
    os.close(master)
    text = shown.decode("utf-8", "replace")
    assert "\x1b" not in text
    return text
