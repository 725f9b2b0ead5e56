"""The command line, run as a user does: in a process of its own, on a scratch machine."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.activate.world import TREE, World


@dataclass(frozen=True)
class Ran:
    """What a command gave back."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as the one JSON document that it is."""
        return json.loads(self.out)


def run(
    world: World, *arguments: str, cwd: Path | None = None, shell: str = "", program: str = "",
    **environ: str,
) -> Ran:  # fmt: skip
    """Run ``agent-plugin`` without a terminal. No command may show a traceback.

    ``shell`` is a script that runs it as ``"$@"``; ``program`` is another name for it.
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
