"""The hook works beside hatch-vcs and beside build hooks that make files."""

from __future__ import annotations

import shutil
import sys

import pytest

from tests.build.conftest import BUNDLE, DECLARATION, PROJECT, Project

GENERATE = """\
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        Path(self.root, "src/acme/made.py").write_text("def guard(event): ...\\n")
        build_data["artifacts"].append("src/acme/made.py")
"""


def test_version_and_file_of_hatch_vcs(project: Project) -> None:
    """The plugin's version is the tag; the version file is in the wheel."""
    text = PROJECT.replace('version = "1.2"', 'dynamic = ["version"]')
    text = text.replace('"hatch-agentplugin"]\nbuild', '"hatch-agentplugin", "hatch-vcs"]\nbuild')
    project.write(
        f"{text}\n[tool.hatch.version]\nsource = 'vcs'\n"
        f"[tool.hatch.build.hooks.vcs]\nversion-file = 'src/acme/_version.py'\n{DECLARATION}"
    )
    project.write("_version.py\ndist\n", ".gitignore")
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=no")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "x"), ("tag", "v3.4")):
        assert project.run(*git, *command).status == 0
    wheel = project.wheel()
    assert wheel.metadata("plugin.json")["version"] == "3.4"
    assert b"3.4" in wheel.files["acme/_version.py"]
    assert "plan.json" in wheel.bundle()


def test_handler_in_a_module_that_an_earlier_hook_makes(project: Project) -> None:
    """A file hidden from version control that only the build knows of."""
    hooks = "[tool.hatch.build.hooks.custom]\n\n[tool.hatch.build.hooks.agent-plugin]"
    text = PROJECT.replace("[tool.hatch.build.hooks.agent-plugin]", hooks)
    project.write(text + DECLARATION.replace("acme.hooks:guard", "acme.made:guard"))
    project.write(GENERATE, "hatch_build.py")
    project.write("made.py\ndist\n", ".gitignore")
    wheel = project.wheel("--wheel")
    assert {"acme/made.py", f"{BUNDLE}/plan.json"} <= set(wheel.files)


@pytest.mark.parametrize(
    "command",
    [
        ("hatch_agentplugin.cli", "package", "--host", "codex", "-o", "dist"),
        ("hatchling", "build", "-t", "agent-plugin"),
    ],
    ids=["command", "target"],
)
def test_file_of_another_hook_is_in_the_packages(
    project: Project, command: tuple[str, ...]
) -> None:
    """Their modules import it as those of the wheel do."""
    hooks = "[tool.hatch.build.hooks.custom]\n\n[tool.hatch.build.hooks.agent-plugin]"
    text = PROJECT.replace("[tool.hatch.build.hooks.agent-plugin]", hooks)
    project.write(text + DECLARATION.replace("acme.hooks:guard", "acme.made:guard"))
    project.write(GENERATE, "hatch_build.py")
    project.write("made.py\ndist\n", ".gitignore")
    result = project.run(sys.executable, "-m", *command)
    assert result.status == 0, result.output
    if command[0] == "hatchling":
        (path,) = (project.root / "dist").glob("*.zip")
        shutil.unpack_archive(path, project.root / "dist")
    assert (project.root / "dist/codex/acme-tools/lib/acme/made.py").is_file()


@pytest.mark.parametrize("where", ["", "        "], ids=["at import", "at work"])
def test_other_hook_that_fails_in_the_command(project: Project, where: str) -> None:
    """Its own words and what to do, since the command brings nothing along that the hook needs."""
    hooks = "[tool.hatch.build.hooks.custom]\n\n[tool.hatch.build.hooks.agent-plugin]"
    project.write(PROJECT.replace("[tool.hatch.build.hooks.agent-plugin]", hooks) + DECLARATION)
    line = "from pathlib import Path\n" if not where else "        Path("
    project.write(GENERATE.replace(line, f"{where}import nowhere\n{line}", 1), "hatch_build.py")
    result = project.run(sys.executable, "-m", "hatch_agentplugin.cli", "package", "-o", "dist")
    assert result.status == 1
    assert (
        "failed: ModuleNotFoundError: No module named 'nowhere'\n  packages contain what it makes"
        in result.output
    )
    assert "bug of ours" not in result.output


def test_hook_of_the_wheel_alone_that_fails_in_the_target(project: Project) -> None:
    """Hatchling runs those of all targets by itself, and shows their traceback."""
    table = "[tool.hatch.build.targets.wheel.hooks.custom]\n"
    project.write(PROJECT + table + DECLARATION)
    project.write("import nowhere\n", "hatch_build.py")
    result = project.run(sys.executable, "-m", "hatchling", "build", "-t", "agent-plugin")
    assert result.status == 1
    assert "hook of the wheel failed: ModuleNotFoundError: No module named 'nowhere'" in (
        result.output
    )
    assert 'File "' not in result.output


def test_author_s_own_force_include_stays(project: Project) -> None:
    include = '[tool.hatch.build.targets.wheel.force-include]\n"data" = "acme/data"\n'
    project.write(PROJECT + include + DECLARATION)
    files = project.wheel("--wheel").files
    assert {"acme/data/rules.json", f"{BUNDLE}/data/rules.json"} <= set(files)


def test_hook_configured_in_hatch_toml(project: Project) -> None:
    """Hatch's tables may live in hatch.toml; ours stays in pyproject.toml."""
    project.write(PROJECT.partition("[tool.hatch")[0] + DECLARATION)
    project.write(
        '[build.targets.wheel]\npackages = ["src/acme"]\n[build.hooks.agent-plugin]\n', "hatch.toml"
    )
    assert project.wheel("--wheel").is_plugin


def test_hook_that_is_switched_off(project: Project) -> None:
    """By hatchling's own means, for example while debugging a package."""
    project.env = {"HATCH_BUILD_NO_HOOKS": "true"}
    assert not project.wheel("--wheel").is_plugin
