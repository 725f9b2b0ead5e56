"""Activate gives working entries, a second time writes nothing, deactivate gives back every byte."""

from __future__ import annotations

import itertools
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.activate.world import EVENTS, World, all_shapes, snapshot, states, write

FOREIGN = {
    ".grouped/settings.json": (
        '{\r\n\t// mine\r\n\t"model" : "x",\r\n\t"hooks": {"PreToolUse": [ {"matcher":"Bash", '
        '"hooks": [{"type": "command", "command": "mine \u00fc"}]}], "Other": [1e400]}\r\n}'
    ),
    ".flat/hooks.json": '\ufeff{"version": 1, "hooks": {"Stop": [{"command": "true"}]}}\n',
    ".owned/hooks/other.json": '{"version": 1}\n',
    ".config/module/config.jsonc": '{\n  "plugin": ["./mine.js",],  // kept\n}\n',
    "Documents/shims/Hooks/PreToolUse": "#!/bin/sh\necho mine\n",
}


def fill(world: World) -> None:
    """Give the home foreign settings for every host."""
    for path, text in FOREIGN.items():
        write(world.home / path, text)
    (world.home / "Documents/shims/Hooks/PreToolUse").chmod(0o755)
    (world.home / ".flat/hooks.json").chmod(0o640)


@pytest.fixture(params=[False, True], ids=["empty", "foreign"])
def machine(request: pytest.FixtureRequest, world: World) -> World:
    """A machine with an empty home folder, and one with foreign settings."""
    if request.param:
        fill(world)
    return world


def test_every_byte_comes_back(machine: World) -> None:
    """No file, folder, mode or byte differs after activate and deactivate."""
    before = snapshot(machine.home)
    machine.install("acme")
    placed = machine.activate()
    assert placed.ok
    assert snapshot(machine.home) != before
    assert machine.deactivate().ok
    assert snapshot(machine.home) == before


def test_second_activate_writes_nothing(machine: World) -> None:
    """No byte, no time and no inode of any file changes, those of our own folder included."""
    machine.install("acme")
    machine.activate()
    before = snapshot(machine.home, times=True)
    again = machine.activate()
    assert set(states(again)) == {"unchanged"}
    assert snapshot(machine.home, times=True) == before


def test_foreign_text_stays_in_its_order(world: World) -> None:
    """All that the user had is still there; we have only added."""
    fill(world)
    world.install("acme")
    world.activate()
    for path, text in FOREIGN.items():
        rest = iter((world.home / path).read_bytes().decode())
        assert all(char in rest for char in text), path


def test_placed_commands_reach_the_launcher(machine: World) -> None:
    """Each command, run as its host would, starts the launcher: here a recorder."""
    machine.install("acme")
    machine.activate()
    launch = machine.state / "acme/launch"
    launch.write_text('#!/bin/sh\necho "$@"\n')
    grouped = read(machine.home / ".grouped/settings.json", comments="// mine")
    command = grouped["hooks"]["PreToolUse"][-1]["hooks"][0]["command"]
    assert run(command) == "grouped pre-tool-use\n"
    owned = read(machine.home / ".owned/hooks/acme.json")
    assert run(owned["hooks"]["Stop"][0]["bash"]) == "owned turn-end\n"
    shim = next(
        path for path in sorted((machine.home / "Documents/shims/Hooks").iterdir())
        if path.name.startswith("PreToolUse") and b"mine" not in path.read_bytes()
    )  # fmt: skip
    assert subprocess.check_output([str(shim)], text=True) == "shims pre-tool-use\n"
    script = (machine.home / ".config/module/plugin/acme.js").read_text("utf-8")
    assert json.loads(script.split("= ")[1].split(";")[0]) == str(launch)


def test_guarded_command_is_silent_without_launcher(machine: World) -> None:
    """Where a missing program would be a refusal, even a deleted launcher blocks nothing."""
    machine.install("acme")
    machine.activate()
    (machine.state / "acme/launch").unlink()
    owned = read(machine.home / ".owned/hooks/acme.json")
    assert run(owned["hooks"]["Stop"][0]["bash"]) == ""


def test_foreign_executable_is_left_alone(plain: World) -> None:
    """A name that is taken is not ours: the next candidate is used."""
    fill(plain)
    plain.install("acme")
    plain.activate()
    hooks = plain.home / "Documents/shims/Hooks"
    assert (hooks / "PreToolUse").read_text() == FOREIGN["Documents/shims/Hooks/PreToolUse"]
    assert (hooks / "PreToolUse.sh").stat().st_mode & 0o111
    assert (hooks / "Stop").exists()


def test_no_free_name_is_a_failure_of_that_event_only(plain: World) -> None:
    """With every candidate taken the event is refused, and the others are placed."""
    for end in ("", ".sh", ".bash"):
        write(plain.home / f"Documents/shims/Hooks/Stop{end}", "mine\n")
    before = snapshot(plain.home)
    plain.install("acme")
    result = plain.activate(hosts=["shims"])
    (failed,) = [row for row in result.rows if row.state == "failed"]
    assert failed.events == ("turn-end",)
    assert "taken" in failed.note
    assert states(result)["placed"] == 2
    assert not result.ok
    plain.deactivate()
    assert snapshot(plain.home) == before


@pytest.mark.parametrize("order", list(itertools.permutations(["a", "b", "c"])), ids="".join)
def test_plugins_leave_in_any_order(plain: World, order: tuple[str, ...]) -> None:
    """Three plugins come in one order and leave in another: each step is what the rest gives."""
    fill(plain)
    start = snapshot(plain.home)
    for name in "abc":
        plain.install(name, {k: v for k, v in all_shapes(name).items() if k != "shims"})
        assert plain.activate(name).ok
    for gone in order[:2]:
        assert plain.deactivate(gone).ok
    left = snapshot(plain.home)
    plain.deactivate()
    assert snapshot(plain.home) == start
    plain.activate(order[2])
    alone = snapshot(plain.home)
    mine = {path for path in alone if not path.startswith(".agent-plugin")}
    assert {path: left[path] for path in mine} == {path: alone[path] for path in mine}


def test_created_files_go_with_the_last_plugin(plain: World) -> None:
    """The first plugin made files and folders; they go only when the second one goes too."""
    start = snapshot(plain.home)
    for name in ("one", "two"):
        plain.install(name)
        plain.activate(name)
    plain.deactivate("one")
    hooks = read(plain.home / ".flat/hooks.json")
    assert hooks["version"] == 1, "a key that both need stays for the other"
    assert list(hooks["hooks"]) == ["SessionStart", "PreToolUse", "Stop"]
    plain.deactivate("two")
    assert snapshot(plain.home) == start


def test_deactivate_one_host_keeps_the_others(plain: World) -> None:
    """What is not selected stays, launcher included."""
    plain.install("acme")
    plain.activate()
    plain.deactivate(hosts=["grouped"])
    assert not (plain.home / ".grouped").exists()
    assert (plain.home / ".flat/hooks.json").exists()
    marks = (plain.state / "acme/placed").read_text()
    assert marks == "flat.user module.user owned.user shims.user\n"
    assert (plain.state / "acme/launch").exists()


def test_what_hooks_have_stored_goes_too(plain: World) -> None:
    """With the last placement goes all that is the plugin's, and it is told."""
    plain.install("acme")
    before = snapshot(plain.home)
    plain.activate()
    for path in ("data/deep/notes", "turns/s", "log.1", "fired/grouped.turn-end"):
        write(plain.state / "acme" / path, "x")
    result = plain.deactivate()
    assert snapshot(plain.home) == before
    data = plain.state / "acme/data"
    told = f"acme: its data goes too, 1 file in {data} (--keep-data leaves it)"
    assert result.notes == (told,)


def test_data_stay_where_asked(plain: World) -> None:
    """Whoever activates again later finds what was stored."""
    plain.install("acme")
    plain.activate()
    write(plain.state / "acme/data/notes", "x")
    plain.deactivate(keep_data=True)
    assert list(snapshot(plain.state)) == ["acme", "acme/data", "acme/data/notes"]


def test_own_files_are_private(plain: World) -> None:
    """Launcher, marks and folders are for their owner only."""
    plain.install("acme")
    plain.activate()
    assert all(not mode & 0o077 for mode, *_ in snapshot(plain.state).values())
    assert (plain.state / "acme/launch").stat().st_mode & 0o777 == 0o700
    assert (plain.state / "acme/fired").is_dir()
    assert len(EVENTS) == 3


def run(command: str) -> str:
    """Run a line as a host does."""
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=True
    ).stdout  # fmt: skip


def read(path: Path, comments: str = "") -> Any:
    """A JSON document, without the comment that the tests put in."""
    text = path.read_text("utf-8-sig")
    return json.loads(text.replace(comments, "") if comments else text)
