"""What a transaction does and reports when nothing goes wrong."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from hatch_agentplugin.transaction.ledger import Ledger, load
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Change, Proposal
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.recover import recover
from hatch_agentplugin.transaction.transaction import run

from ._faults import hooked
from ._world import GROUPS, World


def test_there_and_back(world: World) -> None:
    """Installing and removing restores every byte; folders that we made are gone."""
    folders = world.folders()
    for version in (1, 2, 1, 0):
        outcome = world.activate(version)
        assert outcome.failed == {}
        assert world.files() == world.expected(version)
        world.check_recovered(version)
    assert world.folders() == folders
    assert outcome.ledger == Ledger()


def test_second_run_writes_nothing(world: World) -> None:
    """The same command again changes no byte and no mtime, not even of our lock file."""
    world.activate(2)

    def times() -> dict[str, int]:
        return {str(path): path.lstat().st_mtime_ns for path in world.home.rglob("*")}

    before = times()
    outcome = world.activate(2)
    assert outcome.diffs == ()
    assert times() == before


def test_outcome_lists_written_files(world: World) -> None:
    """Every changed file is listed with its content before and after."""
    outcome = world.activate(2)
    assert [str(diff.path.relative_to(world.home)) for diff in outcome.diffs] == [
        ".alpha/settings.json", ".beta/nested/hooks.json", ".gamma/config.toml",
        ".gamma/more.toml", ".agent-plugin/demo/launch",
    ]  # fmt: skip
    assert outcome.diffs[0].before == b"alpha's own\r\n"
    assert outcome.diffs[0].after == b"alpha's own\r\nhook 2\n"
    assert outcome.diffs[1].before is None


def test_dry_run_writes_nothing(world: World) -> None:
    """A dry run in a new home does not even make our own folder."""
    outcome = world.activate(2, dry_run=True)
    assert len(outcome.diffs) == 5
    assert world.files() == world.expected(0)
    assert not Path(world.state.root).exists()
    world.activate(1)
    world.activate(2, dry_run=True)
    world.check_recovered(1)


def test_folder_with_a_foreign_file_stays(world: World) -> None:
    """A folder that we made is removed with its last file, not before."""
    world.activate(1)
    theirs = world.home / ".gamma/hooks/theirs.js"
    theirs.write_bytes(b"theirs")
    world.activate(0)
    assert theirs.read_bytes() == b"theirs"
    assert not (world.home / ".gamma/hooks/deep").exists()


def test_folder_shared_by_two_plugins_goes_with_the_last(world: World) -> None:
    """We remember that we made a folder, even if the file it was made for goes first."""
    one, two = world.home / ".new/one", world.home / ".new/two"

    def writes(*changes: Change) -> None:
        run(world.state, lambda _, ledger: Proposal(changes, ledger))

    writes(Change(one, b"1", "x"))
    writes(Change(two, b"2", "x"))
    writes(Change(one, None, "x"))
    assert two.exists()
    writes(Change(two, None, "x"))
    assert not (world.home / ".new").exists()


def test_folder_that_could_not_be_removed(world: World) -> None:
    """The folder stays in the ledger, and the next command tries again."""
    world.activate(1)
    failed = 0

    def refuse(name: str, call: object, args: tuple[str, ...]) -> object:
        nonlocal failed
        if name == "rmdir" and not failed:
            failed = 1
            raise PermissionError(13, "Permission denied", args[0])
        return call(*args)  # type: ignore[operator]

    with hooked(refuse):
        world.activate(0)
    assert failed
    assert (world.home / ".gamma/hooks/deep").is_dir()
    world.activate(0)
    world.check_recovered(0)


def test_folder_to_drop_is_removed_only_if_empty(world: World) -> None:
    """A folder that the computation names is removed if it is empty."""
    empty, full = world.home / "empty", world.home / "full"
    empty.mkdir()
    full.mkdir()
    (full / "file").touch()
    run(
        world.state,
        lambda _, ledger: Proposal((), ledger, drop_folders=(Path(empty), Path(full))),
    )
    assert not empty.exists()
    assert (full / "file").exists()


def test_computation_is_repeated_without_a_failed_group(world: World) -> None:
    """A host that can't be changed is given up as a whole; the others are changed."""
    (world.home / ".beta").write_bytes(b"a file where a folder should be")
    outcome = world.activate(2)
    assert set(world.problems) == {"beta"} or set(outcome.failed) == {"beta"}
    now = world.files()
    assert [group for group in GROUPS if world.versions(group, (2,), now)] == [
        "alpha", "gamma", "launcher",
    ]  # fmt: skip
    world.check_ledger()


def test_group_refused_in_a_second_run(world: World) -> None:
    """A run in which only a refused group has changes still reports that group."""
    world.activate(1)
    (world.home / "folder").mkdir()
    change = Change(world.home / "folder", b"data", "x")

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        return Proposal(() if "x" in reader.failed else (change,), ledger)

    assert run(world.state, compute).failed["x"].reason == "a folder, not a file"
    world.check_groups(1)
    world.check_ledger()


def test_change_of_the_ledger_alone_is_written(world: World) -> None:
    """An entry can be forgotten without a change of its file."""
    world.activate(1)
    path = str(world.home / ".alpha/settings.json")

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        entries = tuple(entry for entry in ledger.entries if entry.path != path)
        return Proposal((), replace(ledger, entries=entries))

    before = world.files()
    outcome = run(world.state, compute)
    assert outcome.diffs == ()
    assert path not in outcome.ledger.files
    assert load(world.state)[0] == outcome.ledger
    assert len(outcome.ledger.entries) == 3
    assert world.files() == before


def test_failed_group_proposed_again_is_an_error(world: World) -> None:
    """A computation that ignores failed groups does not run forever."""
    folder = world.home / "folder"
    folder.mkdir()
    change = Change(folder, b"data", "x")
    with pytest.raises(FileProblem, match="a folder, not a file"):
        run(world.state, lambda _, ledger: Proposal((change,), ledger))


def test_two_paths_that_are_one_file(world: World) -> None:
    """Two hosts share one settings file through a link: the second one is refused."""
    first, second = world.home / "first", world.home / "second"
    first.write_bytes(b"")
    second.symlink_to(first)

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        changes = (Change(first, b"one", "one"), Change(second, b"two", "two"))
        return Proposal(tuple(c for c in changes if c.group not in reader.failed), ledger)

    outcome = run(world.state, compute)
    assert first.read_bytes() == b"one"
    assert "the same file as" in outcome.failed["two"].reason


def test_exception_in_the_computation_leaves_nothing(world: World) -> None:
    """A bug of ours, or Control-C, changes nothing."""

    def compute(reader: Reader, ledger: Ledger) -> Proposal:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(world.state, compute)
    world.check_recovered(0)


def test_recovery_makes_no_folder(world: World) -> None:
    """A command that only reads makes no folder of ours."""
    assert recover(world.state) == (Ledger(), ())
    assert not Path(world.state.root).exists()


def test_everything_of_ours_is_private(world: World) -> None:
    """Only the owner can read our folder, whatever the umask."""
    old = os.umask(0)
    try:
        world.activate(1)
    finally:
        os.umask(old)
    for path in [Path(world.state.root), *Path(world.state.root).rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_message_has_no_control_characters() -> None:
    """A file name with control characters is escaped."""
    problem = FileProblem(Path("/home/\x1b[2Jfile"), "reason", "advice")
    assert "\x1b" not in str(problem)
    assert (problem.reason, problem.advice) == ("reason", "advice")
