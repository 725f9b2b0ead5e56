"""``deactivate`` and ``prune``: what they select."""

from __future__ import annotations

import pytest

from tests.activate.world import World, flat, grouped, snapshot, write
from tests.cli._world import run


def test_deactivate_selects_plugins_of_this_environment(world: World) -> None:
    """A plugin that another environment has activated must be named."""
    world.install("acme", {"flat": flat()}, environment="other")
    world.activate(environment="other")
    assert "status` shows what is active" in run(world, "deactivate", "--yes").err
    assert "status` shows what is active" in run(world, "prune", "--yes").err
    assert (world.home / ".flat").exists()
    assert run(world, "deactivate", "--yes", "acme").status == 0
    assert not (world.home / ".flat").exists()


@pytest.mark.parametrize("named", [(), ("acme",), ("--host", "flat")])
def test_deactivate_reports_a_repaired_ledger_once(world: World, named: tuple[str, ...]) -> None:
    """With and without a look at the ledger beforehand."""
    world.install("acme", {"flat": flat()})
    run(world, "activate", "--yes", "--host", "flat")
    write(world.state / "_place/ledger.json", "{")
    done = run(world, "deactivate", "--yes", *named)
    assert (done.status, done.err.count("its copy is used")) == (0, 1), done.err


def test_prune_removes_an_uninstalled_plugin(world: World) -> None:
    """status gives the advice to run it."""
    world.install("acme", {"flat": flat()})
    run(world, "activate", "--yes")
    world.uninstall("acme")
    done = run(world, "status")
    assert "hatch_agentplugin.cli prune` removes its hooks" in done.out
    assert run(world, "prune", "--yes").status == 0
    assert snapshot(world.home) == {}


@pytest.mark.parametrize("scope", ["project", "local"])
def test_deactivate_in_one_project_leaves_other_projects_alone(world: World, scope: str) -> None:
    """The other project's files keep every byte and every time, and status still lists its hooks."""
    world.install("acme", {"grouped": grouped()})
    first, second = world.project, world.root / "second"
    for project in (first, second):
        write(project / ".grouped/settings.json", '{"mine": 1}')
    before = snapshot(first)
    for project in (first, second):
        activate = ("activate", "--yes", "--scope", scope, "--project", str(project))
        assert run(world, *activate).status == 0
    active = snapshot(second, times=True)
    done = run(world, "deactivate", "--yes", "--scope", scope, "--project", str(first))
    assert done.status == 0
    assert snapshot(first) == before
    assert snapshot(second, times=True) == active
    hooks = run(world, "status", "--json").json["plugins"][0]["hooks"]
    assert {(hook["project"], hook["placed"]) for hook in hooks} == {(str(second), "placed")}
