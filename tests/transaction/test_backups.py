"""The bytes of before our first change can be had back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hatch_agentplugin.transaction import backups
from hatch_agentplugin.transaction.backups import Backup, find, keep, read
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.transaction import restore

from ._world import World


def test_backup_before_the_first_change_only(world: World) -> None:
    """Of files that exist and are not ours; later changes of ours keep none."""
    world.activate(1)
    world.activate(2)
    alpha, gamma = world.home / ".alpha/settings.json", world.home / ".gamma/config.toml"
    assert {backup.path for backup in find(world.state)} == {str(alpha), str(gamma)}
    (backup,) = find(world.state, alpha)
    assert read(world.state, backup) == b"alpha's own\r\n"
    assert abs(backup.time - alpha.stat().st_mtime) < 60


def test_restore(world: World) -> None:
    """The bytes are back, the link stays, and the ledger no longer says that we are there."""
    world.activate(1)
    path = world.home / ".alpha/settings.json"
    path.write_bytes(b"edited " + path.read_bytes())
    outcome = restore(world.state, path)
    assert path.read_bytes() == b"alpha's own\r\n"
    assert [change.path for change in outcome.written] == [path]
    world.check_ledger()
    world.check_kept()
    assert find(world.state, path)[0].size == len(b"edited alpha's own\r\nhook 1\n")


def test_restore_can_be_taken_back(world: World) -> None:
    """What was there before restoring is the newest backup."""
    world.activate(1)
    path = world.home / ".alpha/settings.json"
    before = path.read_bytes()
    restore(world.state, path)
    restore(world.state, path)
    assert path.read_bytes() == before


def test_restore_in_a_dry_run(world: World) -> None:
    """Shows, and writes nothing."""
    world.activate(1)
    outcome = restore(world.state, world.home / ".alpha/settings.json", dry_run=True)
    assert outcome.diffs[0].after == b"alpha's own\r\n"
    world.check_settled(1)


def test_nothing_to_restore(world: World) -> None:
    """Said by name."""
    with pytest.raises(FileProblem, match=r"other.*no backup"):
        restore(world.state, world.home / "other")


def test_number_per_file_is_bounded(world: World) -> None:
    """The newest stay; what no backup names any more is removed."""
    world.state.create()
    for number in range(backups.PER_FILE + 3):
        keep(world.state, [("/file", b"%d" % number)])
    found = find(world.state)
    assert [read(world.state, one) for one in found] == [b"7", b"6", b"5", b"4", b"3"]
    assert len(os.listdir(world.state.backups)) == backups.PER_FILE + 1


def test_same_content_is_kept_once(world: World) -> None:
    """A file that goes back and forth does not push its other backups out."""
    world.state.create()
    for data in (b"a", b"b", b"a"):
        keep(world.state, [("/file", data), ("/other", data)])
    assert [read(world.state, one) for one in find(world.state) if one.path == "/file"] == [
        b"a", b"b",
    ]  # fmt: skip
    assert len(os.listdir(world.state.backups)) == 3


def test_total_size_is_bounded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first; what is too large alone is not kept and pushes nothing out."""
    monkeypatch.setattr(backups, "TOTAL_BYTES", 25)
    world.state.create()
    for name in ("/a", "/b", "/c"):
        keep(world.state, [(name, name.encode() * 5)])
    keep(world.state, [("/huge", b"x" * 26)])
    assert [one.path for one in find(world.state)] == ["/c", "/b"]


def test_damaged_backup_is_not_restored(world: World) -> None:
    """Its digest tells."""
    world.activate(1)
    path = world.home / ".alpha/settings.json"
    (backup,) = find(world.state, path)
    (Path(world.state.backups) / backup.sha256).write_bytes(b"other")
    before = path.read_bytes()
    with pytest.raises(FileProblem, match="damaged"):
        restore(world.state, path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{", b'{"format": 1, "more": 1}'])
def test_damaged_index(world: World, content: bytes) -> None:
    """Refused by name: no backup is thrown away because of it."""
    world.activate(1)
    (Path(world.state.backups) / "index.json").write_bytes(content)
    with pytest.raises(FileProblem, match="index of the backups"):
        find(world.state)


def test_backup_names_no_path() -> None:
    """A backup is found by its digest; a made-up one leads nowhere else."""
    assert Backup("/file", 0, "ab", 1) == Backup("/file", 0, "ab", 1)
