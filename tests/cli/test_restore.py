"""``restore``: list backups and restore a file."""

from __future__ import annotations

from tests.activate.world import World, grouped, write
from tests.cli._world import run, run_on_terminal


def test_restore_lists_and_restores(world: World) -> None:
    """Without --yes it must ask first."""
    file = write(world.home / ".grouped/settings.json", '{"mine": 1}')
    world.install("acme", {"grouped": grouped()})
    run(world, "activate", "--yes")
    assert str(file) in run(world, "restore").out
    assert run(world, "restore", str(file)).status == 2
    assert run(world, "restore", "--yes", str(file)).status == 0
    assert file.read_text() == '{"mine": 1}'


def test_restore_of_a_deleted_file_on_a_terminal(world: World) -> None:
    """It shows a diff, asks, and writes the file again."""
    file = write(world.home / ".grouped/settings.json", '{"mine": 1}')
    world.install("acme", {"grouped": grouped()})
    run(world, "activate", "--yes")
    file.unlink()
    assert '+{"mine": 1}' in run_on_terminal(world, "y\n", "restore", str(file))
    assert file.read_text() == '{"mine": 1}'
