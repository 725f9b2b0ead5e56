#!/usr/bin/env python3
"""Development commands for a fresh checkout, such as ``dev.py demo`` or ``dev.py test``.

Requires Python 3.10 or newer with venv and pip. Everything else is installed into ``.venv`` here.

    demo             build the example plugin, install and activate it for seven agents in a scratch
                     home folder, fire its hooks, deactivate it and compare every byte
    test [ARGS]      lint, type check and run all tests; ARGS go to pytest
    quick [ARGS]     run the tests that take seconds; ARGS go to pytest
    bench [ARGS]     run the benchmarks; --quick takes less time and is less exact
    mutate [ARGS]    mutation testing: score the tests of some modules (--help lists the options)
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
PIP = (PYTHON, "-m", "pip", "--disable-pip-version-check", "--quiet", "install")

#: One more than the number of processors: tests of real agents wait more than they compute.
WORKERS = str((os.cpu_count() or 1) + 1)


def run(*command: str | Path, check: bool = True) -> int:
    """Run a program in the checkout and return its status; exit with the status if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, check=False)
    if check and done.returncode:
        sys.exit(done.returncode)
    return done.returncode


def set_up() -> None:
    """Create ``.venv`` with the project and its development tools, unless it is up to date."""
    stamp = VENV / "made-from"
    current = (ROOT / "pyproject.toml").read_text("utf-8") + sys.version
    if PYTHON.exists() and stamp.exists() and stamp.read_text("utf-8") == current:
        return
    print(f"Setting up {VENV.name} ...", flush=True)
    run(sys.executable, "-m", "venv", "--clear", VENV)
    run(*PIP, "--upgrade", "pip>=25.1")
    run(*PIP, "--group", "dev", "--editable", ".[build]")
    stamp.write_text(current, "utf-8")


def test(arguments: list[str]) -> None:
    """Run everything that continuous integration runs. The last line printed is pytest's."""
    run(PYTHON, "-m", "ruff", "check", ".")
    run(PYTHON, "-m", "ruff", "format", "--check", ".")
    run(PYTHON, "-m", "mypy")
    run(PYTHON, "-m", "pytest", *(arguments or ["-n", WORKERS, "--dist", "loadgroup"]))


def quick(arguments: list[str]) -> None:
    """Run the tests that take seconds."""
    run(PYTHON, "-m", "pytest", "-n", WORKERS, "-m", "not slow and not hosts", *arguments)


def demo(arguments: list[str]) -> None:
    """Run the demonstration."""
    run(PYTHON, ROOT / "tests" / "end_to_end" / "demo.py", *arguments)


def bench(arguments: list[str]) -> None:
    """Run the benchmarks; exit with status 1 if a goal is missed."""
    missed = []
    for script in sorted((ROOT / "benchmarks").glob("[a-z]*.py")):
        print(f"== {script.stem}", flush=True)
        if run(PYTHON, script, *arguments, check=False):
            missed.append(script.stem)
    if missed:
        sys.exit(f"A goal is missed: {', '.join(missed)}")


def mutate(arguments: list[str]) -> None:
    """Run mutation testing, which nothing else needs and which takes many minutes."""
    run(*PIP, "--group", "mutate")
    run(PYTHON, ROOT / "tests" / "mutate.py", *arguments)


COMMANDS = {"demo": demo, "test": test, "quick": quick, "bench": bench, "mutate": mutate}


def main(argv: list[str]) -> None:
    if not argv or argv[0] not in COMMANDS:
        print(__doc__)
        sys.exit(0 if argv in ([], ["--help"], ["-h"]) else 2)
    if sys.version_info < (3, 10):  # noqa: UP036 - a clear message on an older system
        sys.exit("dev.py needs Python 3.10 or newer.")
    set_up()
    COMMANDS[argv[0]](argv[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
