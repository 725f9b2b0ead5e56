"""Builds copies of small projects with the interpreter that runs the tests.

They run without isolation and need no network; ``test_front_ends.py`` tests isolated builds.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SAMPLE = HERE / "projects" / "sample"
ADAPTERS = HERE / "adapters"

#: Everything except the declaration, which tests add.
PROJECT = """\
[build-system]
requires = ["hatchling", "hatch-agentplugin"]
build-backend = "hatchling.build"

[project]
name = "Acme.Tools"
version = "1.2"
description = "Does things."
dependencies = ["hatch-agentplugin"]

[project.scripts]
acme-tools = "hatch_agentplugin.cli:main"

[tool.hatch.build.targets.wheel]
packages = ["src/acme"]

[tool.hatch.build.hooks.agent-plugin]
"""
DECLARATION = """
[tool.agent-plugin.hooks]
session-start = [{ handler = "acme.hooks:greet" }]
pre-tool-use = [{ handler = "acme.hooks:guard", tools = ["shell"] }]
turn-end = [{ command = "./scripts/turn-end.sh", args = ["${PLUGIN_ROOT}/data/rules.json"] }]
"""
BUNDLE = "acme_tools_agent_plugin"


@dataclass(frozen=True)
class Wheel:
    """The contents of a wheel."""

    path: Path
    files: Mapping[str, bytes]
    modes: Mapping[str, int]

    @classmethod
    def open(cls, path: Path) -> Wheel:
        with zipfile.ZipFile(path) as archive:
            rows = archive.infolist()
            files = {row.filename: archive.read(row) for row in rows}
            return cls(path, files, {row.filename: row.external_attr >> 16 & 0o777 for row in rows})

    def metadata(self, name: str) -> Any:
        """A JSON file below ``extra_metadata/agent-plugin/``."""
        (found,) = [n for n in self.files if n.endswith(f"extra_metadata/agent-plugin/{name}")]
        return json.loads(self.files[found])

    def bundle(self, folder: str = BUNDLE) -> dict[str, bytes]:
        """The files of the bundle by their path in it."""
        start = f"{folder}/"
        return {n.removeprefix(start): d for n, d in self.files.items() if n.startswith(start)}

    @property
    def is_plugin(self) -> bool:
        return any("agent_plugin/" in name or "agent-plugin/" in name for name in self.files)


@dataclass(frozen=True)
class Result:
    """The exit status and output of a build."""

    status: int
    output: str


@dataclass
class Project:
    """A copy of the sample project to build."""

    root: Path
    scratch: Path
    """Where the build's temporary files go; empty again after every build."""
    env: dict[str, str] = field(default_factory=dict)

    def write(self, text: str, name: str = "pyproject.toml") -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def run(self, *command: str | Path) -> Result:
        """Run a program in the project."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.root,
            env=self._environ(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Result(done.returncode, done.stdout)

    def attempt(self, *options: str) -> Result:
        """``python -m build`` with these options; a wheel alone by what that calls."""
        if options == ("--wheel",) and "PYTHONPATH" not in self.env and hasattr(os, "fork"):
            return self._wheel_alone()
        return self.run(sys.executable, "-m", "build", "--no-isolation", *options)

    def _wheel_alone(self) -> Result:
        (self.root / "dist").mkdir(exist_ok=True)
        out = self.root.parent / "printed"
        request = {"cwd": str(self.root), "env": self._environ(), "out": str(out)}
        backend = _backend()
        assert backend.stdin
        assert backend.stdout
        backend.stdin.write(json.dumps(request) + "\n")
        backend.stdin.flush()
        return Result(int(backend.stdout.readline()), out.read_text("utf-8"))

    def _environ(self) -> dict[str, str]:
        return {**os.environ, "TMPDIR": str(self.scratch), "NO_COLOR": "1", **self.env}

    def build(self, *options: str) -> Result:
        """Build and expect success; by default an sdist, and a wheel from it."""
        result = self.attempt(*options)
        assert result.status == 0, result.output
        return result

    def wheel(self, *options: str) -> Wheel:
        """Build and open the wheel."""
        self.build(*options)
        (path,) = (self.root / "dist").glob("*.whl")
        return Wheel.open(path)

    def editable(self) -> Wheel:
        """The wheel that front ends install for ``pip install -e``."""
        code = "from hatchling.build import build_editable; build_editable('dist')"
        (self.root / "dist").mkdir(exist_ok=True)
        result = self.run(sys.executable, "-c", code)
        assert result.status == 0, result.output
        (path,) = (self.root / "dist").glob("*.whl")
        return Wheel.open(path)

    def failure(self) -> str:
        """Build and expect failure; return the output without the front end's own lines."""
        result = self.attempt("--wheel")
        assert result.status != 0, result.output
        assert 'File "' not in result.output, result.output
        start = max(result.output.find("pyproject.toml: "), result.output.find("host adapter "))
        return result.output[start:] if start >= 0 else result.output


@functools.cache
def _backend() -> subprocess.Popen[str]:
    """Start the process that builds all wheels of this run; it ends with its input."""
    program = [sys.executable, str(HERE / "_backend.py")]
    backend = subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE
    )
    atexit.register(backend.communicate)
    return backend


def copy_sample(folder: Path) -> Project:
    """Copy the sample project with a valid declaration."""
    root, scratch = folder / "project", folder / "scratch"
    shutil.copytree(SAMPLE, root)
    scratch.mkdir()
    made = Project(root, scratch)
    made.write(PROJECT + DECLARATION)
    return made


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a copy of the sample project that the test may change."""
    return copy_sample(tmp_path)


@pytest.fixture(scope="session")
def sample_wheel(tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    """The wheel of the unchanged sample project, built from its sdist."""
    return copy_sample(tmp_path_factory.mktemp("sample")).wheel()


@pytest.fixture
def adapters(tmp_path: Path) -> Path:
    """Return a folder for adapters, in place of an environment's site-packages."""
    folder = tmp_path / "adapters"
    folder.mkdir()
    return folder


def install(source: Path, folder: Path) -> None:
    """Install a distribution without its dependencies."""
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--no-build-isolation", "--target", str(folder), str(source)],
        check=True,
    )  # fmt: skip
