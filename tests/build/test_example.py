"""The example plugin: its own tests, and how little it costs to import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.built import EXAMPLE, TREE


def python(*arguments: str | Path) -> str:
    """Run Python with the example and this project importable and nothing loaded by pytest."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=EXAMPLE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(EXAMPLE), str(TREE)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests_pass() -> None:
    output = python("-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert " passed" in output


def test_handlers_import_nothing_heavy() -> None:
    """A hook runs at every tool call, so even importing ``re`` costs too much."""
    code = (
        f"import sys; sys.path[:0] = [{str(EXAMPLE)!r}, {str(TREE)!r}]; before = set(sys.modules); "
        "from example_plugin.hooks import guard_shell; from hatch_agentplugin import Event; "
        "guard_shell(Event(input={'command': 'sudo rm -rf /'})); "
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = set(python("-I", "-S", "-B", "-c", code).split())
    ours = {name for name in loaded if name.startswith(("example_plugin", "hatch_agentplugin"))}
    assert loaded - ours <= {"__future__", "os", "stat", "posixpath", "genericpath", "_stat",
                             "_collections_abc", "os.path", "abc", "_abc", "ntpath", "nt"}  # fmt: skip


def test_readme_shows_the_declaration_as_it_is() -> None:
    """The README quotes the table of pyproject.toml."""
    declared = (EXAMPLE / "pyproject.toml").read_text("utf-8")
    hook = declared[declared.index("[tool.hatch.build.hooks") :].strip()
    assert hook in (EXAMPLE / "README.md").read_text("utf-8")
