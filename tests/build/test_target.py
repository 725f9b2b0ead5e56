"""The builder target ``agent-plugin``, and the command that writes the same as folders."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

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


def test_mistakes_in_the_targets_table(project: Project) -> None:
    """All at once, each with its key; Hatchling's own options are not among them."""
    table = TARGET.replace('"pi"', '"zed", "codx"') + 'host = "pi"\ndirectory = "out"\n'
    table += 'runner = "uvx"\n'
    project.write(PROJECT + DECLARATION + table)
    result = project.run(sys.executable, "-m", "hatchling", "build", "-t", "agent-plugin")
    assert result.status != 0
    where = "pyproject.toml: tool.hatch.build.targets.agent-plugin"
    said = [line for line in result.output.splitlines() if where in line or line[:2] == "  "]
    assert said[0] == f'{where}.hosts[2]: "zed" has no package'
    assert said[1].startswith("  allowed: agent-plugins, antigravity-cli, ")
    assert said[2] == f'{where}.hosts[3]: "codx" has no package'
    assert said[3].startswith('  did you mean "codex"? Allowed: ')
    assert said[4] == f"{where}.host: unknown key"
    assert said[5] == '  did you mean "hosts"? Allowed: hosts, and Hatchling\'s own options'
    assert said[6] == f"{where}.runner: unknown key"
    assert said[7].startswith("  write it in [tool.agent-plugin.packages]")
    assert 'File "' not in result.output


@pytest.mark.parametrize(
    ("hosts", "what", "advice"),
    [
        ('"pi"', "must be an array", 'write ["'),
        ("[]", "must not be an empty array", "name an agent, or remove the line"),
    ],
    ids=["string", "empty"],
)
def test_hosts_of_the_wrong_kind(project: Project, hosts: str, what: str, advice: str) -> None:
    table = TARGET.replace('["claude-code", "pi"]', hosts)
    project.write(PROJECT + DECLARATION + table)
    result = project.run(sys.executable, "-m", "hatchling", "build", "-t", "agent-plugin")
    assert result.status != 0
    assert f"targets.agent-plugin.hosts: {what}\n  {advice}" in result.output


def test_command_writes_folders(project: Project, tmp_path: Path) -> None:
    project.write(PROJECT + DECLARATION)
    out = tmp_path / "out"
    command = (sys.executable, "-m", "hatch_agentplugin.cli", "package", "--host", "codex, droid")
    result = project.run(*command, "-o", out)
    assert result.status == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == ["codex", "droid"]
    assert (out / "codex/acme-tools/launch").stat().st_mode & 0o111
    assert "codex plugin marketplace add DIR" in result.output
    assert not (project.root / "dist").exists()


def test_a_star_is_every_one_whatever_else_is_named(project: Project, tmp_path: Path) -> None:
    project.write(PROJECT + DECLARATION)
    command = (sys.executable, "-m", "hatch_agentplugin.cli", "package")
    assert project.run(*command, "-o", tmp_path / "all").status == 0
    assert project.run(*command, "-o", tmp_path / "star", "--host", "codex,*").status == 0
    made = [sorted(path.name for path in (tmp_path / name).iterdir()) for name in ("all", "star")]
    assert made[0] == made[1]
    assert len(made[0]) > 9


def test_command_names_what_an_earlier_build_left(project: Project, tmp_path: Path) -> None:
    """It is in the packages, whoever made it; what stands beside them is the author's affair."""
    project.write(PROJECT + DECLARATION)
    out = tmp_path / "out"
    command = (sys.executable, "-m", "hatch_agentplugin.cli", "package", "--host", "codex", "-o")
    says = "not from this build: "
    assert says not in project.run(*command, out).output
    for name in ("codex/README.md", "codex/.agents/x", "other/x"):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).touch()
    assert says not in project.run(*command, out).output
    result = project.run(*command, out, "--runner", "uvx")
    assert f"{says}codex/acme-tools/lib/acme/" in result.output


def test_runner_of_the_command_goes_before_the_projects(project: Project, tmp_path: Path) -> None:
    """The table says uvx, the command line python, and the other way round."""
    command = (sys.executable, "-m", "hatch_agentplugin.cli", "package", "--host", "codex")
    table = '[tool.agent-plugin.packages]\nrunner = "uvx"\n'
    for said, option, runs in (
        (table, "", "ask-uvx.sh"),
        (table, "python", "acme/hooks.py"),
        ("", "uvx", "ask-uvx.sh"),
        ("", "", "acme/hooks.py"),
    ):
        project.write(PROJECT + DECLARATION + said)
        out = tmp_path / f"{len(said)}{option}"
        result = project.run(*command, "-o", out, *(("--runner", option) if option else ()))
        assert result.status == 0, result.output
        lib = out / "codex/acme-tools/lib"
        found = [name for name in ("ask-uvx.sh", "acme/hooks.py") if (lib / name).exists()]
        assert found == [runs]


def test_command_for_a_host_without_packages(project: Project) -> None:
    project.write(PROJECT + DECLARATION)
    result = project.run(
        sys.executable, "-m", "hatch_agentplugin.cli", "package", "--host", "codx,pi"
    )
    assert result.status == 1
    assert '"codx" has no package\n  did you mean "codex"? Allowed: ' in result.output


def test_mistake_of_the_author_fails_the_command(project: Project) -> None:
    project.write(PROJECT + DECLARATION.replace("acme.hooks:greet", "acme.hooks:gone"))
    result = project.run(sys.executable, "-m", "hatch_agentplugin.cli", "package")
    assert result.status == 1
    assert "tool.agent-plugin.hooks.session-start[1].handler" in result.output


@pytest.mark.parametrize("line", ['authors = ["Ann"]', "keywords = 5", "urls = { a = 1 }"])
def test_mistake_in_the_metadata_fails_the_command(project: Project, line: str) -> None:
    """In Hatchling's words, which name the key, as the build itself does."""
    project.write(PROJECT.replace('version = "1.2"', f'version = "1.2"\n{line}') + DECLARATION)
    result = project.run(
        sys.executable, "-m", "hatch_agentplugin.cli", "package", "--host", "codex"
    )
    assert result.status == 1
    assert f"`project.{line.partition(' ')[0]}`" in result.output
    assert "bug of ours" not in result.output


@pytest.mark.parametrize(
    ("section", "line", "where"),
    [
        ("tool.hatch", "build = 5", "tool.hatch.build"),
        ("tool.hatch.build", "hooks = 5", "tool.hatch.build.hooks"),
        ("tool.hatch.build.targets", "wheel = 5", "tool.hatch.build.targets.wheel"),
        ("tool.hatch.build", "include = 5", "tool.hatch.build.include"),
    ],
)
def test_mistake_in_hatchlings_tables_fails_the_command(
    project: Project, section: str, line: str, where: str
) -> None:
    """The same, and no hook is blamed for it."""
    start = PROJECT.partition("[tool.hatch")[0]
    project.write(f"{start}[{section}]\n{line}\n{DECLARATION}")
    result = project.run(
        sys.executable, "-m", "hatch_agentplugin.cli", "package", "--host", "codex"
    )
    assert result.status == 1
    assert f"error: Field `{where}` must be " in result.output
    assert "hook of the wheel" not in result.output
