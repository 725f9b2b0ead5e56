"""Files that the author has built for a host with other tools."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hatch_agentplugin.compiler import compile_bundle
from hatch_agentplugin.config import ConfigError, load
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.plan import OwnFile, Plan, Plugin
from tests.activate.world import World

HOSTS = built_in_hosts()


def declare(root: Path, rows: str) -> Declaration:
    (root / "build").mkdir(exist_ok=True)
    (root / "build/acme.js").write_text("export const l = @AGENT_PLUGIN_LAUNCHER@;\n")
    (root / "build/run.sh").write_text("#!/bin/sh\n")
    (root / "build/run.sh").chmod(0o755)
    (root / "pyproject.toml").write_text(f"[tool.agent-plugin.prebuilt]\n{rows}\n")
    return load(root, HOSTS, Plugin("acme", "acme", "1"), {})


def mistake(root: Path, rows: str) -> str:
    with pytest.raises(ConfigError) as caught:
        declare(root, rows)
    return str(caught.value)


def test_files_travel_and_are_placed_as_files_of_ours(tmp_path: Path) -> None:
    """They are placed in both scopes, below the folder of the host's hooks, with the exec bit."""
    made = declare(
        tmp_path,
        'opencode = { "plugin/acme.js" = "./build/acme.js" }\n'
        'claude-code = { "hooks/run.sh" = "./build/run.sh" }',
    )
    assert made.files == ("build/acme.js", "build/run.sh")
    bundle = compile_bundle(made, HOSTS.values(), lambda *_: "")
    plan = Plan.from_bytes(bundle.plan.to_bytes())
    for scope, folder in (("user", "~/.claude"), ("project", ".claude")):
        (one,) = plan.hosts["claude-code"].scopes[scope]  # type: ignore[index]
        assert isinstance(one, OwnFile)
        assert (one.files[0].dir.default, one.files[0].path) == (folder, "hooks/run.sh")
        assert (one.artifact, one.executable) == ("build/run.sh", True)
    (module,) = plan.hosts["opencode"].scopes["user"]
    assert isinstance(module, OwnFile)
    assert not module.executable
    assert set(plan.hosts) == {"claude-code", "opencode"}


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ('nobody = { "a" = "./build/acme.js" }', "unknown agent"),
        ('opencode = { "../a" = "./build/acme.js" }', "is not a path inside"),
        ('opencode = { "a" = "./gone.js" }', "does not exist"),
        ('opencode = { "a" = "./build" }', "is not a file"),
        ('warp = { "a" = "./build/acme.js" }', "the folder of Warp is not known"),
    ],
)
def test_mistakes(tmp_path: Path, rows: str, says: str) -> None:
    assert says in mistake(tmp_path, rows)


def test_placed_and_taken_back(tmp_path: Path) -> None:
    """A prebuilt file is placed if nothing exists there, and removed with the plugin."""
    made = declare(
        tmp_path,
        'claude-code = { "hooks/run.sh" = "./build/run.sh", "mine.md" = "./build/acme.js" }',
    )
    world = World.make(tmp_path / "world")
    bundle = compile_bundle(made, HOSTS.values(), lambda *_: "")
    world.install("acme", bundle.plan.hosts)
    mine = world.home / ".claude/mine.md"
    mine.parent.mkdir()
    mine.write_text("mine")
    states = {Path(row.path or "").name: row.state for row in world.activate("acme").rows}
    placed = world.home / ".claude/hooks/run.sh"
    assert states["run.sh"] == "placed"
    assert os.access(placed, os.X_OK)
    assert world.deactivate("acme").ok
    assert not placed.exists()
    assert mine.read_text() == "mine"
