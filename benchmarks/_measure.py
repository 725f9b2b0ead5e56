"""Runs a program once and measures it. Shared by the benchmarks."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """The cost of one run: wall seconds and CPU seconds of the whole process tree."""

    wall: float
    cpu: float


def median(costs: Sequence[Cost]) -> Cost:
    """Return the medians of wall and CPU time."""
    return Cost(
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.cpu for cost in costs),
    )


def run(
    command: Sequence[str],
    env: Mapping[str, str],
    stdin: bytes = b"",
    check: Callable[[bytes], bool] | None = None,
) -> Cost:
    """Run a program and return its cost.

    ``stdin`` must fit into a pipe. Raises SystemExit if the program fails, or if ``check`` is false
    for its output.
    """
    reading, writing = os.pipe()
    os.write(writing, stdin)
    os.close(writing)
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    )
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    os.close(reading)
    if process.returncode or (check is not None and not check(out)):
        sys.exit(f"{' '.join(command)}: status {process.returncode}, output {out!r:.1000}")
    return Cost(wall, usage.ru_utime + usage.ru_stime)


def describe(python: str, rounds: int) -> str:
    """Return a line that names the interpreter, the number of rounds and the load."""
    version = subprocess.run([python, "-V"], capture_output=True, text=True).stdout.strip()
    load = os.getloadavg()[0]
    return f"{version}, median of {rounds} interleaved rounds, load {load:.1f}"
