"""An author works on a plugin: an editable install, edits, and their effect."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.built import Environment, copy_example, user_environment
from tests.end_to_end.homes import CASES, fill, fire

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("end-to-end")]


def activate(environment: Environment, home: Path) -> str:
    """Activate and return what is written to standard error."""
    done = subprocess.run(
        [str(environment.bin / "agent-plugin"), "activate", "--yes"],
        env=user_environment(home),
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def test_editable_install(wheels: Path, tmp_path: Path) -> None:
    """Edited handlers take effect at once; a changed declaration needs another install."""
    home = tmp_path / "home"
    fill(home)
    project = copy_example(tmp_path)
    environment = Environment.make(tmp_path / "venv", wheels)
    environment.pip("install", "--editable", project)
    assert "has changed" not in activate(environment, home)

    hooks = project / "example_plugin/hooks.py"
    hooks.write_text(
        hooks.read_text("utf-8") + "\n\ndef guard_shell(event):\n    return deny('edited')\n",
        "utf-8",
    )
    case = CASES[0]
    event, payload = case.pre
    assert case.denied(fire(case.commands(home, event)[0], payload("ls"), home)) == "edited"

    declaration = project / "pyproject.toml"
    text = declaration.read_text("utf-8")
    declaration.write_text(text.replace("timeout = 10", "timeout = 11"), "utf-8")
    assert "has changed since it was installed; update it with: pip install -e" in activate(
        environment, home
    )
