"""Detecting that a user has the plugin as a host package, from the host's own records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin import packages
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.detect import package_seen
from hatch_agentplugin.activate.locate import Machine
from hatch_agentplugin.activate.workspace import Workspace
from hatch_agentplugin.compiler.bundle import seen_packages
from hatch_agentplugin.plan import HostPlan
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.state import State
from tests.activate.world import World
from tests.agent_plugins.test_local_plugin import hooks as portable_hooks
from tests.agent_plugins.test_local_plugin import lay
from tests.cli._world import run
from tests.packages.made import FORBIDDEN, WITH_PACKAGES, fire, hosts, make

NAME, MARKET = "acme", "acme-plugins"
ENABLED = {"enabledPlugins": {f"{NAME}@{MARKET}": True}}
KIMI = {
    "version": 1,
    "plugins": [
        {"id": "other", "root": "/o", "enabled": True},
        {"id": NAME, "root": "/a", "source": "local-path", "enabled": True},
    ],
}

#: Host -> the file that records the package, and its content; None: its existence suffices.
NOTED: dict[str, tuple[str, Any]] = {
    "claude-code": (".claude/settings.json", ENABLED),
    "codex": (".codex/config.toml", f'[plugins."{NAME}@{MARKET}"]\nenabled = true\n'),
    "copilot-cli": (".copilot/settings.json", ENABLED),
    "droid": (".factory/settings.json", ENABLED),
    "gemini-cli": (f".gemini/extensions/{NAME}/gemini-extension.json", None),
    "qwen-code": (f".qwen/extensions/{NAME}/qwen-extension.json", None),
    "cursor": (f".cursor/plugins/local/{NAME}/.cursor-plugin/plugin.json", None),
    "antigravity-cli": (f".gemini/config/plugins/{NAME}/launch", None),
    "kimi": (".kimi-code/plugins/installed.json", KIMI),
    "opencode": (".config/opencode/opencode.json", {"plugin": [f"file:///x/{NAME}"]}),
    "pi": (".pi/agent/settings.json", {"packages": [f"../x/{NAME}"]}),
}


def seen(host: str, home: Path, plugin: str = NAME) -> str | None:
    plan = HostPlan(host, (), (), (), {}, packages=seen_packages(hosts()[host], plugin))
    machine = Machine({"HOME": str(home)}, str(home), "linux")
    context = Context(machine, State(home / ".agent-plugin", home), "", "", "")
    workspace = Workspace(Reader({}).read, Ledger())
    return package_seen(plan, plugin, context, workspace.value_at)


def note(home: Path, path: str, content: Any) -> None:
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content or {}), "utf-8")


@pytest.mark.parametrize("host", WITH_PACKAGES)
def test_every_host_with_packages_notes_them(tmp_path: Path, host: str) -> None:
    """Another plugin does not count, even if its name begins with ours."""
    assert seen(host, tmp_path) is None
    path, content = NOTED[host]
    note(tmp_path, path, content)
    assert seen(host, tmp_path) is not None
    assert seen(host, tmp_path, "acm") is None
    assert seen(host, tmp_path, "acme-plugins") is None


@pytest.mark.parametrize(
    ("host", "content"),
    [
        ("claude-code", {"enabledPlugins": {f"{NAME}@{MARKET}": False}}),
        ("codex", f'[plugins."{NAME}@{MARKET}"]\nenabled = false\n'),
        ("kimi", {"plugins": [{"id": NAME, "enabled": False}]}),
        ("kimi", {"plugins": NAME}),
        ("kimi", "{ torn"),
        ("opencode", {"plugin": [[NAME], None, 1]}),
    ],
)
def test_switched_off_or_unreadable_is_not_seen(tmp_path: Path, host: str, content: Any) -> None:
    note(tmp_path, NOTED[host][0], content)
    assert seen(host, tmp_path) is None


def test_cursors_marketplaces_have_any_name(tmp_path: Path) -> None:
    note(tmp_path, ".cursor/plugins/cache/stray", "")
    note(tmp_path, f".cursor/plugins/cache/some-market/{NAME}/3d9d9c/hooks/hooks.json", None)
    assert seen("cursor", tmp_path) == str(tmp_path / f".cursor/plugins/cache/some-market/{NAME}")
    assert seen("cursor", tmp_path, "other") is None


def test_what_activate_places_is_no_package(tmp_path: Path) -> None:
    """Antigravity has both in the same folder."""
    note(tmp_path, f".gemini/config/plugins/{NAME}/hooks.json", None)
    note(tmp_path, f".gemini/config/plugins/{NAME}/plugin.json", None)
    assert seen("antigravity-cli", tmp_path) is None


@pytest.mark.parametrize("host", WITH_PACKAGES)
def test_activate_refuses_what_would_run_twice(tmp_path: Path, host: str) -> None:
    """The error names the record and what to do; ``--replace`` activates anyway."""
    world = World.make(tmp_path, "home")
    path, content = NOTED[host]
    note(world.home, path, content)
    before = (world.home / path).read_bytes()
    hook = {"command": "git", "args": ["--version"]}
    plugin = lay(tmp_path / NAME, NAME, {"hooks.json": portable_hooks(turn_end=[hook])})
    done = run(world, "activate", str(plugin), "--host", host, "--yes")
    assert done.status == 1
    said = done.out + done.err
    assert "it is already installed as a plugin of" in said
    assert "uninstall that one, or use --replace" in said
    assert (world.home / path).read_bytes() == before
    assert not (world.home / f".agent-plugin/{NAME}/launch").exists()
    again = run(world, "activate", str(plugin), "--host", host, "--yes", "--replace")
    if host != "antigravity-cli":  # whose package lies in the folder that ours would be written to
        assert again.status == 0, again.out + again.err


def test_package_is_silent_once_the_wheel_is_active(tmp_path: Path) -> None:
    """After ``--replace`` only the activated plugin runs, and the package does nothing."""
    host, name = "claude-code", "example-plugin"
    world = World.make(tmp_path, "home")
    packages.write(make(tmp_path / "made", host).files, tmp_path / "packages")
    package = tmp_path / "packages" / host / name
    assert "refuses" in fire(package, host, "pre-tool-use", FORBIDDEN, world.home)
    hook = {"command": "git"}
    plugin = lay(tmp_path / name, name, {"hooks.json": portable_hooks(turn_end=[hook])})
    done = run(world, "activate", str(plugin), "--host", host, "--yes", "--replace")
    assert done.status == 0, done.out + done.err
    assert fire(package, host, "pre-tool-use", FORBIDDEN, world.home) == ""
    assert run(world, "deactivate", name, "--yes").status == 0
    assert "refuses" in fire(package, host, "pre-tool-use", FORBIDDEN, world.home)
