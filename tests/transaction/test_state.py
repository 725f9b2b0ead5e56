"""Where our own files are, and who may write there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hatch_agentplugin.activate.cleanup import clear
from hatch_agentplugin.transaction import metadata
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.recover import recover
from hatch_agentplugin.transaction.state import State, check_owner

from ._world import World


def test_default_is_below_home(tmp_path: Path) -> None:
    """An empty variable counts as unset."""
    for environ in ({}, {"AGENT_PLUGIN_HOME": ""}):
        assert State.from_environ(environ, tmp_path).root == tmp_path / ".agent-plugin"


def test_variable(tmp_path: Path) -> None:
    """The variable is an absolute path, or begins with a tilde."""
    other = tmp_path / "other"
    assert State.from_environ({"AGENT_PLUGIN_HOME": str(other)}, Path("/home")).root == other
    assert State.from_environ({"AGENT_PLUGIN_HOME": "~/x"}, tmp_path).root == tmp_path / "x"


def test_relative_path_is_refused(tmp_path: Path) -> None:
    """It would be another folder in every working directory."""
    with pytest.raises(FileProblem, match="not an absolute path"):
        State.from_environ({"AGENT_PLUGIN_HOME": "relative"}, tmp_path)


@pytest.mark.parametrize("name", ["lock", "journal", "backups", "ledger.json", "place"])
def test_no_plugin_can_have_the_name_of_our_files(tmp_path: Path, name: str) -> None:
    """A distribution may be called "journal"."""
    state = State.from_environ({}, tmp_path)
    own = (state.ledger, state.ledger_copy, state.lock, state.journal, state.backups)
    for path in own:
        assert not path.is_relative_to(state.plugin(name))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX owners")
def test_root_in_the_home_of_another_user(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """sudo may keep HOME: the command is refused with advice, and nothing is written."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(metadata, "owner", lambda path: 1000)
    with pytest.raises(FileProblem, match="without sudo"):
        world.activate(1)
    assert world.files() == world.expected(0)
    assert not Path(world.state.root).exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX owners")
def test_root_only_reads_in_the_home_of_another_user(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that only reads works, unless something has to be recovered."""
    world.activate(1)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(metadata, "owner", lambda path: 1000)
    assert len(recover(world.state)[0].entries) == 4
    world.state.ledger.write_bytes(b"{")
    with pytest.raises(FileProblem, match="without sudo"):
        recover(world.state)
    assert world.state.ledger.read_bytes() == b"{"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX owners")
@pytest.mark.parametrize(("user", "owner"), [(0, 0), (1000, 1000), (1000, 0)])
def test_other_homes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int, owner: int
) -> None:
    """Root in its own home, as in a container, and every normal user are accepted."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(metadata, "owner", lambda path: owner)
    check_owner(tmp_path)


def test_file_where_our_folder_should_be(tmp_path: Path) -> None:
    """The error says so."""
    (tmp_path / ".agent-plugin").write_bytes(b"")
    with pytest.raises(FileProblem, match="not a folder"):
        World(tmp_path).activate(1)


@pytest.mark.parametrize("inside", [(), ("fired/",), ("fired/", "data/file", "log")])
def test_folder_of_a_plugin_is_cleared(world: World, inside: tuple[str, ...]) -> None:
    """The folder goes with everything in it."""
    folder = Path(world.state.plugin("gone"))
    folder.mkdir(parents=True)
    for name in inside:
        (folder / name).parent.mkdir(exist_ok=True)
        if name.endswith("/"):
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(b"")
    assert clear(world.state, "gone", keep_data=False)
    assert not folder.exists()


def test_folder_of_a_plugin_that_is_a_link_is_not_cleared(world: World, tmp_path: Path) -> None:
    """The folder that it links to is not ours."""
    theirs = tmp_path / "theirs"
    (theirs / "empty").mkdir(parents=True)
    folder = Path(world.state.plugin("gone"))
    folder.parent.mkdir(parents=True)
    folder.symlink_to(theirs)
    assert not clear(world.state, "gone", keep_data=False)
    assert folder.is_symlink()
    assert (theirs / "empty").is_dir()
