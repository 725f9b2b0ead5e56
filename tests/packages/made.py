"""Packages of the example plugin, in copies that a test may change, and how they are fired."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hatch_agentplugin import packages
from hatch_agentplugin.adapter import Host
from hatch_agentplugin.agent_plugins.manifest import About
from hatch_agentplugin.build import Project
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.packages import Packages

EXAMPLE = Path(__file__).parents[2] / "example-plugin"
ABOUT = About(author="Ann", email="ann@acme.dev", license="MIT", keywords=("hooks",))
MORE = """
skills = "skills"
commands = "commands"
rules = "README.md"

[tool.agent-plugin.mcp]
notes = { url = "https://acme.dev/mcp" }
local = { command = "./scripts/session-log.sh", args = ["${PLUGIN_ROOT}/scripts"] }
data = { command = "npx", args = ["${PLUGIN_DATA}"] }
secret = { url = "https://acme.dev/mcp", headers = { A = "${env:TOKEN}" } }

[tool.agent-plugin.hooks]"""


@cache
def hosts() -> Mapping[str, Host]:
    return built_in_hosts()


WITH_PACKAGES = packages.hosts_with_packages(built_in_hosts())


def project(root: Path, more: str = "", table: str = "") -> Project:
    """A copy of the example as the build backend sees it.

    ``more`` goes before its hooks, with a skill and a command; ``table`` takes the place of all.
    """
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    if more:
        for name in ("skills/tidy/SKILL.md", "commands/tidy.md"):
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text("---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n")
    file = root / "pyproject.toml"
    start, head, rest = file.read_text("utf-8").partition("[tool.agent-plugin.hooks]")
    assert head
    text = (
        start + table if table else start + (f"[tool.agent-plugin]{more}" if more else head) + rest
    )
    file.write_text(text, "utf-8")
    package = root / "example_plugin"
    sources = {p.relative_to(root).as_posix(): p for p in package.rglob("*") if p.is_file()}
    return Project(
        root=root,
        name="example-plugin",
        version="1.0",
        summary="An example.",
        requires=("hatch-agentplugin",),
        scripts={"example-plugin": "hatch_agentplugin.cli:main"},
        sources=sources,
        bundle="example_plugin_agent_plugin",
        about=ABOUT,
    )


def make(tmp_path: Path, *wanted: str, more: str = "", table: str = "", **changes: Any) -> Packages:
    """The packages, with other things declared and other facts of the project."""
    (tmp_path / "scratch").mkdir(parents=True)
    made = replace(project(tmp_path / "project", more, table), **changes)
    return packages.make_packages(made, hosts(), wanted or None, tmp_path / "scratch")


def document(made: Packages, path: str) -> Any:
    return json.loads(made.files[path][0])


def fire(package: Path, host: str, slot: str, payload: Any, home: Path, **env: str) -> str:
    """Start the package's launcher with nothing of ours on any path."""
    tools = home / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    if not (tools / "python3").exists():
        (tools / "python3").symlink_to(os.path.realpath(sys.executable))
    done = subprocess.run(
        ["sh", str(package / "launch"), host, slot],
        input=json.dumps(payload),
        env={"HOME": str(home), "PATH": f"{tools}:/usr/bin:/bin", **env},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


FORBIDDEN = {"tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}, "session_id": "s"}
