"""Wheels that are built once per run, and environments made from them as users do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

TREE = Path(__file__).parents[1]
EXAMPLE = TREE / "example-plugin"


def run(
    command: Sequence[str | Path], *, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> str:
    """Run a program that must succeed and return its standard output."""
    done = subprocess.run(
        [str(part) for part in command],
        env=dict(os.environ) if env is None else dict(env),
        cwd=cwd or TREE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder shared by all workers of a run; the first that needs it fills it."""
    base = factory.getbasetemp()
    root = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder, done = root / name, root / f"{name}.done"
    with _Locked(root / f"{name}.lock"):
        if not done.exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            done.touch()
    return folder


class _Locked:
    """Holds a lock file while a block runs."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        self._file = self._path.open("w")
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        self._file.close()


def wheelhouse(factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheels of this project, its dependencies and the example plugin.

    The project and the example are built in isolation.
    """

    def make(folder: Path) -> None:
        run([sys.executable, "-m", "build", "--wheel", "--outdir", folder, TREE])
        build(EXAMPLE, folder, folder)
        (ours,) = folder.glob("hatch_agentplugin-*.whl")
        run([sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder, ours])

    return once(factory, "wheelhouse", make)


def example(wheels: Path) -> Path:
    """Return the path of the example's wheel: an index may have another project of that name."""
    (wheel,) = wheels.glob("example_plugin-*.whl")
    return wheel


def build(project: Path, wheels: Path, outdir: Path) -> Path:
    """Build a plugin's wheel with ``python -m build`` and this project's wheel from ``wheels``."""
    env = {**os.environ, "PIP_FIND_LINKS": str(wheels)}
    before = set(outdir.iterdir())
    run([sys.executable, "-m", "build", "--wheel", "--outdir", outdir, project], env=env)
    (made,) = set(outdir.iterdir()) - before
    return made


def copy_example(folder: Path, **replacements: str) -> Path:
    """Copy the example plugin and replace texts in its pyproject.toml."""
    copy = folder / "example-plugin"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    file = copy / "pyproject.toml"
    text = file.read_text("utf-8")
    for old, new in replacements.items():
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, "utf-8")
    return copy


@dataclass(frozen=True)
class Environment:
    """A virtual environment as a user makes it."""

    folder: Path
    wheels: Path

    @classmethod
    def make(cls, folder: Path, wheels: Path, *names: str | Path) -> Environment:
        run([sys.executable, "-m", "venv", folder])
        made = cls(folder, wheels)
        if names:
            made.pip("install", *names)
        return made

    @property
    def bin(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    def pip(self, command: str, *arguments: str | Path) -> str:
        env = {
            **os.environ,
            "PIP_FIND_LINKS": str(self.wheels),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        return run([self.bin / "python", "-m", "pip", command, *arguments], env=env)

    def agent_plugin(
        self, *arguments: str, home: Path, env: Mapping[str, str] | None = None, status: int = 0
    ) -> str:
        """Run ``agent-plugin`` with this home folder and return its output."""
        done = subprocess.run(
            [str(self.bin / "agent-plugin"), *arguments],
            env={**user_environment(home), **(env or {})},
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, f"{arguments}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done.stdout


def user_environment(home: Path) -> dict[str, str]:
    """Return the environment of a user's shell, without the variables of this process."""
    return {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
