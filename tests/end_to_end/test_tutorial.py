"""The tutorial works, followed word by word."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.built import TREE, Environment, build, run, user_environment

pytestmark = pytest.mark.slow

TUTORIAL = (TREE / "docs" / "tutorial.md").read_text("utf-8")


def block(language: str, start: str = "") -> str:
    """Return the tutorial's first block in a language that begins with a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", TUTORIAL, re.DOTALL)
    return next(text for text in blocks if text.startswith(start))


def test_tutorial(wheels: Path, tmp_path: Path) -> None:
    """Its plugin builds, and its test passes for every agent, also when an agent runs the test."""
    project, home, out = (tmp_path / name for name in ("no-force", "home", "out"))
    for folder in (project, home, out):
        folder.mkdir()
    (project / "pyproject.toml").write_text(block("toml"), "utf-8")
    (project / "no_force.py").write_text(block("python", "# no_force.py"), "utf-8")
    (project / "test_no_force.py").write_text(block("python", "def test"), "utf-8")
    wheel = build(project, wheels, out)
    assert wheel.name in TUTORIAL

    environment = Environment.make(tmp_path / "venv", wheels, wheel, "pytest")
    (command,) = re.findall(r"\$ agent-plugin (simulate .*) \\\n +--input '(.*)'", TUTORIAL)
    said = environment.agent_plugin(*command[0].split(), "--input", command[1], home=home)
    assert "deny: Force pushes are not allowed here." in said

    around = {"CURSOR_VERSION": "3.0", "COPILOT_PROJECT_DIR": str(home)}
    report = run(
        [environment.bin / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        env={**user_environment(home), **around, "PATH": os.environ["PATH"]},
        cwd=project,
    )
    passed = re.search(r"(\d+) passed", report)
    assert passed
    assert int(passed[1]) > 30
    assert "skipped" not in report
