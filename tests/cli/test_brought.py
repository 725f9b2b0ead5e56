"""``activate`` with a folder or an archive in place of a plugin's name."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hatch_agentplugin.agent_plugins import hooks as portable
from hatch_agentplugin.agent_plugins import manifest
from tests.activate.world import World
from tests.cli._world import run


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    """A plugin of somebody else's, with one hook that is right and one that is not."""
    root = tmp_path / "trail kit"
    root.mkdir()
    rows = [{"command": "./note", "args": ["${PLUGIN_DATA}/log"]}, {"command": "a b"}]
    documents = {
        "plugin.json": {"$schema": manifest.SCHEMA, "name": "trail", "version": "1"},
        "hooks.json": {"$schema": portable.SCHEMA, "hooks": {"turn-end": rows}},
    }
    for name, document in documents.items():
        (root / name).write_text(json.dumps(document))
    (root / "note").write_text('#!/bin/sh\necho "$PWD" >>"$1"\n')
    return root


def state(world: World) -> Path:
    return Path(world.environ.get("AGENT_PLUGIN_HOME", f"{world.environ['HOME']}/.agent-plugin"))


def fire(world: World) -> None:
    command = [str(state(world) / "trail/launch"), "claude-code", "turn-end"]
    done = subprocess.run(command, input=b"{}", env=world.environ, cwd=world.project,
                          capture_output=True, check=False)  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_there_and_back(world: World, trail: Path) -> None:
    """Placed from the folder, fired, and gone again without a trace, or but for its data."""
    done = run(world, "activate", str(trail), "--host", "claude-code", "--yes")
    assert done.status == 0, done.err
    assert "hooks.turn-end[2]: skipped" in done.err
    shutil.rmtree(trail)
    fire(world)
    assert (state(world) / "trail/data/log").read_text() == f"{world.project}\n"
    assert "turn-end" in run(world, "inspect", "trail").out
    assert run(world, "doctor").status == 0
    assert run(world, "deactivate", "trail", "--keep-data", "--yes").status == 0
    left = {str(path.relative_to(state(world))) for path in state(world).rglob("*")}
    assert left == {"trail", "trail/data", "trail/data/log"}


def test_again_and_anew(world: World, trail: Path) -> None:
    """Twice changes nothing; a new version takes the place of the old, the entry stays."""
    arguments = ("activate", str(trail), "--host", "claude-code", "--yes", "--json")
    first = run(world, *arguments).json
    assert run(world, *arguments).json["files"] == []
    (trail / "note").write_text('#!/bin/sh\necho new >>"$1"\n')
    second = run(world, *arguments).json
    settings = [row["path"] for row in first["files"] if row["path"].endswith("settings.json")]
    assert settings
    assert not {row["path"] for row in second["files"]} & set(settings)
    fire(world)
    assert (state(world) / "trail/data/log").read_text() == "new\n"
    assert len(list((state(world) / "_portable/trail").iterdir())) == 1


def test_archive_and_dry_run(world: World, trail: Path, tmp_path: Path) -> None:
    """A dry run of an archive shows the change and leaves nothing behind."""
    path = shutil.make_archive(str(tmp_path / "trail"), "zip", trail.parent, trail.name)
    done = run(world, "activate", path, "--host", "claude-code", "--dry-run")
    assert done.status == 0, done.err
    assert " claude-code turn-end" in done.out
    assert not state(world).exists()


@pytest.mark.parametrize("name", ["./nothing", "gone.zip"])
def test_path_that_is_no_plugin(world: World, name: str) -> None:
    done = run(world, "activate", name, "--yes")
    assert done.status == 1
    assert "does not exist" in done.err
    assert not state(world).exists()


def test_folder_without_anything_says_why(world: World, trail: Path) -> None:
    (trail / "hooks.json").write_text("{}")
    done = run(world, "activate", str(trail), "--yes")
    assert done.status == 1
    assert "trail: nothing in it is for an agent" in done.err
    assert "hooks.json: hooks: must be an object" in done.err
    assert not state(world).exists()


def test_name_of_another_plugin_is_not_taken_over(world: World, trail: Path) -> None:
    """A folder that calls itself like an active plugin needs --replace."""
    installed = world.install("trail")
    assert run(world, "activate", "trail", "--host", "grouped", "--yes").status == 0, installed
    done = run(world, "activate", str(trail), "--host", "claude-code", "--yes")
    assert done.status == 1
    assert "--replace" in done.err


def test_wheel_of_the_neighbours_tool(world: World, trail: Path) -> None:
    """What ``agent-plugins`` has built into a wheel is activated by the distribution's name."""
    site = Path(world.site())
    site.mkdir(parents=True, exist_ok=True)
    shutil.copytree(trail, site / "trail_lib-1.agent-plugin")
    info = site / "Trail_Lib-1.dist-info"
    info.mkdir()
    files = [p.name for p in trail.iterdir()]
    (info / "agent_plugins.json").write_text(
        json.dumps({"root": "trail_lib-1.agent-plugin", "files": files})
    )
    done = run(world, "activate", "trail-lib", "--host", "claude-code", "--yes")
    assert done.status == 0, done.err
    assert os.path.isfile(state(world) / "trail/launch")
