"""The Agent Plugins root in wheels, and the tool of the neighbours on it."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.build.conftest import BUNDLE, DECLARATION, PROJECT, Project, Wheel

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
