"""The builder target ``agent-plugin``, and the command that writes the same as folders."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from tests.build.conftest import DECLARATION, PROJECT, Project

TARGET = """
[tool.hatch.build.targets.agent-plugin]
hosts = ["claude-code", "pi"]
"""


def test_target_writes_one_archive_and_nothing_else(project: Project) -> None:
    """The hosts that are named, the author's package with them, the same bytes again."""
    project.write(PROJECT + DECLARATION + TARGET)
    command = (sys.executable, "-m", "hatchling", "build", "-t", "agent-plugin")
    result = project.run(*command)
    assert result.status == 0, result.output
    (path,) = (project.root / "dist").iterdir()
    assert path.name == "acme_tools-1.2.agent-plugin.zip"
    first = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {"claude-code", "pi"}
    assert "claude-code/acme-tools/lib/acme/hooks.py" in names
    assert "pi/acme-tools/extensions/acme-tools.js" in names
    assert str(project.root).encode() not in first
    project.run(*command)
    assert path.read_bytes() == first


def test_host_without_a_package_is_refused(project: Project) -> None:
    project.write(PROJECT + DECLARATION + TARGET.replace("pi", "zed"))
    result = project.run(sys.executable, "-m", "hatchling", "build", "-t", "agent-plugin")
    assert result.status != 0
    assert 'no package can be made for "zed"' in result.output
    assert 'File "' not in result.output


def test_command_writes_folders(project: Project, tmp_path: Path) -> None:
    project.write(PROJECT + DECLARATION)
    out = tmp_path / "out"
    command = (sys.executable, "-m", "hatch_agentplugin.cli", "bundle", "--host", "codex,droid")
    result = project.run(*command, "-o", out)
    assert result.status == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == ["codex", "droid"]
    assert (out / "codex/acme-tools/launch").stat().st_mode & 0o111
    assert "codex plugin marketplace add DIR" in result.output
    assert not (project.root / "dist").exists()


def test_mistake_of_the_author_fails_the_command(project: Project) -> None:
    project.write(PROJECT + DECLARATION.replace("acme.hooks:greet", "acme.hooks:gone"))
    result = project.run(sys.executable, "-m", "hatch_agentplugin.cli", "bundle")
    assert result.status == 1
    assert "tool.agent-plugin.hooks.session-start[1].handler" in result.output
