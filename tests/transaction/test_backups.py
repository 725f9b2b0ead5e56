"""Files are backed up before our first change, within limits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hatch_agentplugin.transaction import backups
from hatch_agentplugin.transaction.backups import find, keep, read
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Change, Proposal
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.transaction import Outcome, run

from ._world import World


def test_backup_before_the_first_change_only(world: World) -> None:
    """Only files of others are backed up, and only before the first change."""
    world.activate(1)
    world.activate(2)
    alpha, gamma = world.home / ".alpha/settings.json", world.home / ".gamma/config.toml"
    assert {backup.path for backup in find(world.state)} == {str(alpha), str(gamma)}
    (backup,) = find(world.state, alpha)
    assert read(world.state, backup) == b"alpha's own\r\n"
    assert abs(backup.time - alpha.stat().st_mtime) < 60


def _keep_and_write(world: World, path: Path, data: bytes, **options: bool) -> Outcome:
    """Write a file that already holds something of ours, and back it up first."""

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        return Proposal((Change(path, data, "alpha"),), ledger, keep=(path,))

    return run(world.state, compute, **options)  # type: ignore[arg-type]


def test_file_to_keep_is_backed_up_although_it_is_in_the_ledger(world: World) -> None:
    """The newest backup has the user's edit and our hook; the link stays a link."""
    world.activate(1)
    path = world.home / ".alpha/settings.json"
    path.write_bytes(b"edited " + path.read_bytes())
    _keep_and_write(world, path, b"alpha's own\r\n")
    newest, oldest = find(world.state, path)
    assert read(world.state, newest) == b"edited alpha's own\r\nhook 1\n"
    assert read(world.state, oldest) == path.read_bytes() == b"alpha's own\r\n"
    world.check_kept()


def test_file_to_keep_in_a_dry_run(world: World) -> None:
    """A dry run returns the diff and makes no backup."""
    world.activate(1)
    path = world.home / ".alpha/settings.json"
    before = find(world.state)
    outcome = _keep_and_write(world, path, b"alpha's own\r\n", dry_run=True)
    assert outcome.diffs[0].after == b"alpha's own\r\n"
    assert find(world.state) == before
    world.check_recovered(1)


def test_number_per_file_is_bounded(world: World) -> None:
    """The newest backups stay; the files of the others are removed."""
    world.state.create()
    for number in range(backups.PER_FILE + 3):
        keep(world.state, [("/file", b"%d" % number)])
    found = find(world.state)
    assert [read(world.state, one) for one in found] == [b"7", b"6", b"5", b"4", b"3"]
    assert len(os.listdir(world.state.backups)) == backups.PER_FILE + 1


def test_same_content_is_kept_once(world: World) -> None:
    """A file that alternates between two contents does not displace its other backups."""
    world.state.create()
    for data in (b"a", b"b", b"a"):
        keep(world.state, [("/file", data), ("/other", data)])
    assert [read(world.state, one) for one in find(world.state) if one.path == "/file"] == [
        b"a", b"b",
    ]  # fmt: skip
    assert len(os.listdir(world.state.backups)) == 3


def test_total_size_is_bounded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first; a file beyond the limit is not kept, and displaces no backup."""
    monkeypatch.setattr(backups, "TOTAL_BYTES", 25)
    world.state.create()
    for name in ("/a", "/b", "/c"):
        keep(world.state, [(name, name.encode() * 5)])
    keep(world.state, [("/huge", b"x" * 26)])
    assert [one.path for one in find(world.state)] == ["/c", "/b"]


def test_damaged_backup(world: World) -> None:
    """A backup whose content does not fit its digest is refused."""
    world.activate(1)
    (backup,) = find(world.state, world.home / ".alpha/settings.json")
    (world.state.backups / backup.sha256).write_bytes(b"other")
    with pytest.raises(FileProblem, match="damaged"):
        read(world.state, backup)


@pytest.mark.parametrize("content", [b"", b"{", b'{"format": 1, "more": 1}'])
def test_damaged_index(world: World, content: bytes) -> None:
    """The error names the index, and no backup is removed."""
    world.activate(1)
    (Path(world.state.backups) / "index.json").write_bytes(content)
    with pytest.raises(FileProblem, match="index of the backups"):
        find(world.state)
