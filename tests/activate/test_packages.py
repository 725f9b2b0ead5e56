"""A plugin that the user has by the host's own plugin system is not placed a second time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hatch_agentplugin.hosts.delivery import Dir, File, Seen
from hatch_agentplugin.plan import HostPlan
from tests.activate.world import World, grouped


def host(*seen: Seen) -> HostPlan:
    return grouped("grouped", packages=seen)


def in_table(path: str, kind: str, *at: str) -> Seen:
    return Seen(File(Dir("~/.grouped"), path), at=at, format=kind)  # type: ignore[arg-type]


def write(world: World, path: str, text: str) -> Path:
    file = Path(world.environ["HOME"]) / ".grouped" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


SETTINGS = in_table("settings.json", "json", "enabledPlugins")
CONFIG = in_table("config.toml", "toml", "plugins")
FOLDER = in_table("extensions/acme", "json")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("settings.json", json.dumps({"enabledPlugins": {"acme@market": True}})),
        ("config.toml", '[plugins."acme@market"]\nenabled = true\n'),
        ("config.toml", "[plugins.acme]\n"),
        ("extensions/acme/extension.json", "{}"),
        ("settings.json", json.dumps({"enabledPlugins": ["../of/acme"]})),
        ("settings.json", json.dumps({"enabledPlugins": ["npm:acme@1.0"]})),
    ],
)
def test_package_is_seen_and_activation_refused(world: World, path: str, text: str) -> None:
    """The advice says where; nothing is written for that host."""
    world.install("acme", {"grouped": host(SETTINGS, CONFIG, FOLDER)})
    file = write(world, path, text)
    before = file.read_bytes()
    result = world.activate("acme")
    (row,) = result.rows
    assert row.state == "failed"
    assert ".grouped" in row.note
    assert "--replace" in row.note
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("settings.json", json.dumps({"enabledPlugins": {"acme@market": False}})),
        ("settings.json", json.dumps({"enabledPlugins": {"acme-two@market": True}})),
        ("settings.json", json.dumps({"enabledPlugins": ["acme-two", 1, "acme/x"]})),
        ("config.toml", '[plugins."acme@market"]\nenabled = false\n'),
        ("config.toml", "[plugins\n"),
        ("extensions/other/extension.json", "{}"),
    ],
)
def test_what_is_no_sign(world: World, path: str, text: str) -> None:
    """Switched off, another's, of another form, or unreadable."""
    world.install("acme", {"grouped": host(SETTINGS, CONFIG, FOLDER)})
    write(world, path, text)
    assert world.activate("acme").ok


def test_replace_places_it_all_the_same(world: World) -> None:
    world.install("acme", {"grouped": host(FOLDER)})
    write(world, "extensions/acme/extension.json", "{}")
    assert world.activate("acme", replace=True).ok
