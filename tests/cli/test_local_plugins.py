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
def plugin(tmp_path: Path) -> Path:
    """An Agent Plugins folder with a valid and an invalid hook."""
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


def test_activate_and_deactivate_a_folder(world: World, plugin: Path) -> None:
    """It runs without the folder, and deactivate leaves only its data."""
    done = run(world, "activate", str(plugin), "--host", "claude-code", "--yes")
    assert done.status == 0, done.err
    assert "hooks.turn-end[2]: skipped" in done.err
    shutil.rmtree(plugin)
    fire(world)
    assert (state(world) / "trail/data/log").read_text() == f"{world.project}\n"
    assert "turn-end" in run(world, "inspect", "trail").out
    assert run(world, "doctor").status == 0
    assert run(world, "deactivate", "trail", "--keep-data", "--yes").status == 0
    left = {str(path.relative_to(state(world))) for path in state(world).rglob("*")}
    assert left == {"trail", "trail/data", "trail/data/log"}


def test_activate_a_folder_again(world: World, plugin: Path) -> None:
    """The same folder changes nothing; a new version changes no file of an agent."""
    arguments = ("activate", str(plugin), "--host", "claude-code", "--yes", "--json")
    first = run(world, *arguments).json
    assert run(world, *arguments).json["files"] == []
    (plugin / "note").write_text('#!/bin/sh\necho new >>"$1"\n')
    second = run(world, *arguments).json
    settings = [row["path"] for row in first["files"] if row["path"].endswith("settings.json")]
    assert settings
    assert not {row["path"] for row in second["files"]} & set(settings)
    fire(world)
    assert (state(world) / "trail/data/log").read_text() == "new\n"
    assert len(list((state(world) / "_portable/trail").iterdir())) == 1


def test_dry_run_of_an_archive(world: World, plugin: Path, tmp_path: Path) -> None:
    """It shows the change and stores nothing."""
    path = shutil.make_archive(str(tmp_path / "trail"), "zip", plugin.parent, plugin.name)
    done = run(world, "activate", path, "--host", "claude-code", "--dry-run")
    assert done.status == 0, done.err
    assert " claude-code turn-end" in done.out
    assert not state(world).exists()


@pytest.mark.parametrize("name", ["./nothing", "gone.zip"])
def test_path_does_not_exist(world: World, name: str) -> None:
    """A name with a slash or the ending of an archive is always a path."""
    done = run(world, "activate", name, "--yes")
    assert done.status == 1
    assert "does not exist" in done.err
    assert not state(world).exists()


def test_folder_without_anything_for_an_agent(world: World, plugin: Path) -> None:
    """The error lists what was skipped."""
    (plugin / "hooks.json").write_text("{}")
    done = run(world, "activate", str(plugin), "--yes")
    assert done.status == 1
    assert "trail: it has nothing for any agent" in done.err
    assert "hooks.json: hooks: must be an object" in done.err
    assert not state(world).exists()


def test_folder_with_the_name_of_an_active_plugin(world: World, plugin: Path) -> None:
    """It takes the name over only with --replace."""
    installed = world.install("trail")
    assert run(world, "activate", "trail", "--host", "grouped", "--yes").status == 0, installed
    done = run(world, "activate", str(plugin), "--host", "claude-code", "--yes")
    assert done.status == 1
    assert "--replace" in done.err


def test_wheel_built_by_agent_plugins(world: World, plugin: Path) -> None:
    """The name of the distribution activates the folder inside of it."""
    site = Path(world.site())
    site.mkdir(parents=True, exist_ok=True)
    shutil.copytree(plugin, site / "trail_lib-1.agent-plugin")
    info = site / "Trail_Lib-1.dist-info"
    info.mkdir()
    files = [p.name for p in plugin.iterdir()]
    (info / "agent_plugins.json").write_text(
        json.dumps({"root": "trail_lib-1.agent-plugin", "files": files})
    )
    done = run(world, "activate", "trail-lib", "--host", "claude-code", "--yes")
    assert done.status == 0, done.err
    assert os.path.isfile(state(world) / "trail/launch")
