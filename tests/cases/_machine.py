"""A plugin compiled for the real hosts, and a scratch machine to activate it on."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hatch_agentplugin.compiler import compile_bundle
from hatch_agentplugin.compiler.code_modules import render
from hatch_agentplugin.config import load
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.plan import Plugin

TREE = Path(__file__).parents[2]
CONFIGS = Path(__file__).parent / "configs"
HOSTS = built_in_hosts()

#: Commands and a server: every host of the collection gets at least one of them.
DECLARED = """
[tool.agent-plugin.hooks]
session-start = [{ command = "./scripts/hook.sh" }]
pre-tool-use = [{ command = "./scripts/hook.sh", tools = ["shell", "file.write"] }]
turn-end = [{ command = "./scripts/hook.sh", timeout = 20 }]

[tool.agent-plugin.mcp.acme]
command = "acme-server"
"""


def install(site: Path, *hosts: str, plugin: str = "acme", version: str = "1.0",
            declared: str = DECLARED, modules: Mapping[str, str] | None = None,
            ) -> Path:  # fmt: skip
    """Install a plugin as its wheel would, compiled for these hosts, by default for all.

    ``modules`` maps the names of its Python files to their text. Returns the bundle folder.
    """
    source = site.parent / f"{plugin}-source"
    write(source / "pyproject.toml", declared)
    write(source / "scripts/hook.sh", '#!/bin/sh\necho "$AGENT_PLUGIN_HOST" >>"$PLUGIN_DATA/out"\n')
    (source / "scripts/hook.sh").chmod(0o755)
    modules = modules or {}
    sources = {name: write(source / name, text) for name, text in modules.items()}
    declaration = load(source, HOSTS, Plugin(plugin, plugin, version), sources)
    chosen = [HOSTS[name] for name in hosts or HOSTS]
    for name, text in modules.items():
        write(site / name, text)
    bundle = site / f"{plugin}_agent_plugin"
    for name, data in compile_bundle(declaration, chosen, render).files.items():
        write(bundle / name, data)
    script = write(bundle / "scripts/hook.sh", (source / "scripts/hook.sh").read_bytes())
    script.chmod(0o755)
    marker = {"format": 1, "id": plugin, "name": plugin, "version": version, "bundle": bundle.name}
    for old in site.glob(f"{plugin}-*.dist-info/extra_metadata/agent-plugin/plugin.json"):
        old.unlink()
    info = site / f"{plugin}-{version}.dist-info"
    write(info / "extra_metadata/agent-plugin/plugin.json", json.dumps(marker))
    return bundle


@dataclass(frozen=True)
class Ran:
    """The result of a command."""

    status: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of a command that was run with ``--json``."""
        rows: list[dict[str, Any]] = json.loads(self.out)["rows"]
        return rows

    @property
    def states(self) -> set[str]:
        return {row["state"] for row in self.rows}


@dataclass
class Box:
    """A scratch machine: a home folder, a project, and site-packages with plugins in them."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in (self.home, self.project, self.site):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def site(self) -> Path:
        return self.root / "site-packages"

    def install(self, *hosts: str, **more: str) -> Path:
        return install(self.site, *hosts, **more)

    def run(self, *words: str, status: int | None = 0, **environ: str) -> Ran:
        """Run ``agent-plugin`` in a process of its own; no command may show a traceback."""
        done = subprocess.run(
            [sys.executable, "-m", "hatch_agentplugin.cli", *words],
            env={
                "HOME": str(self.home),
                "PATH": "/usr/bin:/bin",
                "LC_ALL": "C.UTF-8",
                "PYTHONPATH": os.pathsep.join([str(TREE), str(TREE / "adapters"), str(self.site)]),
                **self.environ,
                **environ,
            },
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert status in (None, done.returncode), f"{words}\n{done.stdout}\n{done.stderr}"
        return Ran(done.returncode, done.stdout, done.stderr)

    def activate(self, *words: str, status: int | None = 0) -> Ran:
        return self.run("activate", "--yes", "--json", *words, status=status)

    def deactivate(self, *words: str, status: int | None = 0) -> Ran:
        return self.run("deactivate", "--yes", "--json", *words, status=status)

    def put(self, path: str, data: str | bytes, mode: int | None = None) -> Path:
        """Write a file of the user, below the home folder."""
        return write(self.home / path, data, mode)

    def read(self, path: str) -> Any:
        """Read a JSON document below the home folder."""
        return json.loads((self.home / path).read_text("utf-8-sig"))


def write(path: Path, data: str | bytes, mode: int | None = None) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    if mode is not None:
        path.chmod(mode)
    return path


def snapshot(folder: Path, times: bool = False) -> Mapping[str, tuple[Any, ...]]:
    """Return mode and content of everything below a folder; with ``times`` also mtime and inode."""
    found: dict[str, tuple[Any, ...]] = {}
    for root, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(root, name)
            status = path.lstat()
            content: object = None
            if stat.S_ISLNK(status.st_mode):
                content = os.readlink(path)
            elif stat.S_ISREG(status.st_mode):
                content = path.read_bytes()
            time = (status.st_mtime_ns, status.st_ino) if times else ()
            found[str(path.relative_to(folder))] = (status.st_mode, content, *time)
    return found
