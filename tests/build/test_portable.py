"""The Agent Plugins root in wheels, and the tool of the neighbours on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.agent_plugins.test_local_plugin import SKILL as FOREIGN_SKILL
from tests.agent_plugins.test_local_plugin import hooks, lay, servers
from tests.build.conftest import BUNDLE, DECLARATION, PROJECT, Project, Wheel
from tests.built import TREE, example, user_environment

SCHEMAS = TREE / "hatch_agentplugin/agent_plugins/schemas"
SKILL = "---\nname: tidy\ndescription: Tidies up.\n---\nBe tidy.\n"
MORE = """
skills = "skills"

[tool.agent-plugin.mcp.notes]
url = "https://acme.dev/mcp"
"""


@pytest.fixture
def wheel(project: Project) -> Wheel:
    project.write(SKILL, "skills/tidy/SKILL.md")
    _, table, hooks = DECLARATION.partition("[tool.agent-plugin.hooks]")
    project.write(PROJECT + "\n[tool.agent-plugin]" + MORE + table + hooks)
    return project.wheel("--wheel")


def test_bundle_is_an_agent_plugins_root(wheel: Wheel) -> None:
    """Manifest, skills, servers and the portable hooks lie beside the plan."""
    bundle = wheel.bundle()
    assert json.loads(bundle["plugin.json"])["name"] == "acme-tools"
    assert json.loads(bundle["mcp.json"])["mcpServers"] == {
        "notes": {"type": "streamable-http", "url": "https://acme.dev/mcp"}
    }
    assert json.loads(bundle["hooks.json"])["hooks"] == {
        "turn-end": [
            {"command": "./scripts/turn-end.sh", "args": ["${PLUGIN_ROOT}/data/rules.json"]}
        ]
    }
    assert bundle["skills/tidy/SKILL.md"] == SKILL.encode()


def test_folders_of_clients_travel(project: Project) -> None:
    """Extension folders are included like any other, and lie in the root at the same path."""
    project.write("{}", "dev.acme.client/settings.json")
    project.write(PROJECT + '\n[tool.agent-plugin]\ninclude = ["./dev.acme.client"]\n')
    assert project.wheel("--wheel").bundle()["dev.acme.client/settings.json"] == b"{}"


@pytest.mark.slow
def test_root_of_the_example_is_valid(wheels: Path) -> None:
    """The example's own wheel, by the schemas."""
    jsonschema = pytest.importorskip("jsonschema")
    bundle = Wheel.open(example(wheels)).bundle("example_plugin_agent_plugin")
    assert {"plugin.json", "hooks.json"} <= set(bundle)
    for name in ("plugin", "hooks", "mcp"):
        if f"{name}.json" in bundle:
            schema = json.loads((SCHEMAS / f"{name}.schema.json").read_bytes())
            checker = jsonschema.Draft202012Validator(schema)
            checker.validate(json.loads(bundle[f"{name}.json"]))


def test_neighbours_tool_sees_the_plugin(wheel: Wheel, tmp_path: Path) -> None:
    """``agent-plugins`` lists, locates and reads what is in our wheels."""
    pytest.importorskip("agent_plugins")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel.path) as archive:
        archive.extractall(site)

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "agent_plugins", *command],
            env={"PYTHONPATH": str(site), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    rows = {row["distribution"]: row for row in json.loads(run("list", "--json"))}
    assert rows["Acme.Tools"]["skills"] == [str(site / BUNDLE / "skills/tidy/SKILL.md")]
    assert run("locate", "acme-tools").strip() == str(site / BUNDLE)
    text = run("read", "acme-tools")
    assert "Be tidy." in text
    assert "`notes` (`streamable-http`)" in text
    assert "issues" not in text


NEIGHBOUR = """
[build-system]
requires = ["agent-plugins", "hatchling"]
build-backend = "agent_plugins.build.hatchling"

[project]
name = "Trail_Lib"
version = "3"

[tool.hatch.build.targets.wheel]
packages = ["trail_lib"]

[tool.agent-plugins]
root = "agent"
"""


@pytest.mark.slow
def test_wheel_of_the_neighbours_tool_is_activated(tmp_path: Path) -> None:
    """Built by their backend, installed, and activated by ours by the distribution's name."""
    pytest.importorskip("agent_plugins")
    project, site, home = tmp_path / "project", tmp_path / "site", tmp_path / "home"
    (project / "trail_lib").mkdir(parents=True)
    (project / "trail_lib/__init__.py").touch()
    (project / "pyproject.toml").write_text(NEIGHBOUR)
    files = {
        "skills/trail/SKILL.md": FOREIGN_SKILL.format(name="trail"),
        "mcp.json": servers(trail={"type": "stdio", "command": "npx", "args": ["trail"]}),
        # Not in 1.0.0, so that their builder leaves it at home.
        "hooks.json": hooks(turn_end=[{"command": "git"}]),
    }
    lay(project / "agent", "trail", files, version="3")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", project],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (project / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (home / ".claude").mkdir(parents=True)

    def agent_plugin(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "hatch_agentplugin.cli", *words],
            env={**user_environment(home), "PYTHONPATH": os.pathsep.join([str(TREE), str(site)])},
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    agent_plugin("activate", "trail-lib", "--host", "claude-code", "--yes")
    assert (home / ".claude/skills/trail/SKILL.md").is_file()
    written = json.loads((home / ".claude.json").read_bytes())["mcpServers"]
    assert (written["trail"]["command"], written["trail"]["args"]) == ("npx", ["trail"])
    agent_plugin("deactivate", "trail", "--yes")
    assert not (home / ".claude.json").exists()
    assert not (home / ".claude/skills").exists()
