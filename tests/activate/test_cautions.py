"""What is odd about a user's files is said once, with advice, and left as it is."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.activate.locate import Machine
from hatch_agentplugin.activate.warnings import of_windows
from hatch_agentplugin.hosts.delivery import Dir, File, Seen
from hatch_agentplugin.inspect.status import PluginStatus, status
from hatch_agentplugin.transaction.recover import recover
from tests.activate.world import World, flat, grouped, shims, write
from tests.cases._machine import CONFIGS

FILE = ".grouped/settings.json"


def look(world: World) -> PluginStatus:
    """The status of the only plugin."""
    context = world.context()
    (one,) = status(context, recover(context.state)[0])
    return one


def told(world: World, text: str | bytes, **more: Any) -> list[str]:
    """What activating says of a settings file; a second time it says nothing."""
    file = write(world.home / FILE, text)
    world.install("acme", {"grouped": grouped(**more)})
    notes = list(world.activate().notes)
    assert list(look(world).notes) == notes
    assert world.activate().notes == ()
    world.deactivate()
    assert file.read_bytes() == (text.encode() if isinstance(text, str) else text)
    return notes


@pytest.mark.parametrize("text", ["{}", '{"hooks": {"Stop": []}}', '{"env": {"A": "\\ufeff"}}'])
def test_ordinary_settings_need_no_word(plain: World, text: str) -> None:
    assert told(plain, text) == []


@pytest.mark.parametrize(
    ("bom", "said"),
    [
        (None, "which many programs refuse; if grouped does not read it"),
        (False, "which grouped does not read; save it as UTF-8"),
        (True, ""),
    ],
)
def test_byte_order_mark_is_named_and_kept(plain: World, bom: bool | None, said: str) -> None:
    """A word only where the host refuses it, or nobody has tried."""
    notes = told(plain, b'\xef\xbb\xbf{"a": 1}', bom=bom)
    if said:
        (note,) = notes
        assert note.startswith(f"{plain.home / FILE} begins with a byte order mark")
        assert said in note
    else:
        assert notes == []


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ({"Bash": [{"type": "command"}]}, [("Bash", '{"type"', 'has no list "hooks"')]),
        ({"Stop": [{"hooks": []}, "mine"]}, [("Stop", '"mine"', "is not an object")]),
        ({"Stop": [{"hooks": {}}], "Other": [1, {"hooks": [{}]}]},
         [("Stop", '{"hooks": {}}', 'has no list "hooks"'), ("Other", "1", "is not an object")]),
        ({"Stop": [{"hooks": [{"type": "prompt"}]}], "enabled": True}, []),
    ],
    ids=["flat", "text", "two", "none"],
)  # fmt: skip
def test_foreign_entries_of_another_shape_are_named_by_line(
    plain: World, events: dict[str, object], expected: list[tuple[str, str, str]]
) -> None:
    """One such entry can keep a host from running all others. The line is that of now."""
    lists = []
    for event, items in events.items():
        text = json.dumps(items)
        if isinstance(items, list):
            text = "[\n" + ",\n".join(map(json.dumps, items)) + "\n]"
        lists.append(f'"{event}": {text}')
    file = write(plain.home / FILE, '{"hooks": {\n' + ",\n".join(lists) + "\n}}\n")
    plain.install("acme", {"grouped": grouped()})
    notes = plain.activate().notes
    lines = file.read_text().splitlines()
    assert len(notes) == len(expected)
    for note, (event, start, why) in zip(notes, expected, strict=True):
        number = next(n for n, line in enumerate(lines, 1) if line.startswith(start))
        assert note.startswith(f"{file}, line {number}: an entry of hooks.{event} that is not ours")
        assert why in note
        assert "It was left alone" in note


def test_tool_name_used_as_an_event(plain: World) -> None:
    """The old flat shape of the collection, which disables all hooks of Claude Code."""
    text = (CONFIGS / "claude/03-tool-name-used-as-event.json").read_bytes()
    (note,) = told(plain, text)
    assert f"{FILE}, line 5: an entry of hooks.Bash" in note


def test_flat_hosts_take_any_object(plain: World) -> None:
    """There, other fields than a command may make an entry."""
    write(plain.home / ".flat/hooks.json",
          '{"version": 1, "hooks": {"Stop": [{"prompt": "x"}]}}')  # fmt: skip
    plain.install("acme", {"flat": flat()})
    assert plain.activate().notes == ()


@pytest.mark.skipif(os.name == "nt", reason="POSIX links")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_settings_kept_in_a_git_repository(plain: World, what: str) -> None:
    """A link into dotfiles: our entries are a change there."""
    write(plain.home / FILE, "{}")
    dotfiles = plain.home / "dotfiles"
    (dotfiles / ".git").mkdir(parents=True)
    moved = plain.home / (FILE if what == "file" else ".grouped")
    moved.rename(dotfiles / moved.name)
    moved.symlink_to(dotfiles / moved.name)
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    (note,) = look(plain).notes
    assert f"{plain.home / FILE} is kept in the git repository {dotfiles}" in note


@pytest.mark.skipif(os.name == "nt", reason="POSIX links")
def test_other_links_and_repositories_need_no_word(plain: World) -> None:
    """A link to elsewhere; a home that is a repository itself; a project's own file."""
    (plain.home / ".git").mkdir()
    (plain.project / ".git").mkdir()
    elsewhere = write(plain.root / "elsewhere/settings.json", "{}")
    (plain.home / ".grouped").mkdir()
    (plain.home / FILE).symlink_to(elsewhere)
    plain.install("acme", {"grouped": grouped(), "flat": flat()})
    plain.activate()
    plain.activate(hosts=["grouped"], scope="project", replace=True)
    assert look(plain).notes == ()


def test_package_of_the_hosts_own_that_came_later(plain: World) -> None:
    """Status names it: one of the two is silent, and nobody would know."""
    seen = Seen(File(Dir("~/.grouped"), "plugins.json"), at=("plugins",))
    plain.install("acme", {"grouped": replace(grouped(), packages=(seen,))})
    plain.activate()
    assert look(plain).notes == ()
    write(plain.home / ".grouped/plugins.json", '{"plugins": {"acme@market": true}}')
    (note,) = look(plain).notes
    assert "grouped also has it as one of its own plugins" in note
    assert "uninstall one of the two" in note


# --- homes on both sides of WSL


def wsl(world: World, home: Path | None = None, **environ: str) -> list[str]:
    context = world.context()
    environ = {"WSL_DISTRO_NAME": "Ubuntu", **environ}
    machine = Machine(environ, str(home or world.home), "linux")
    entries = recover(context.state)[0].entries
    return of_windows(replace(context, machine=machine), entries, str(world.root / "mnt"))


def test_home_of_the_agent_on_windows(plain: World) -> None:
    """Named where the agent has a folder there, once; not for others, and not elsewhere."""
    plans = {"grouped": grouped(), "flat": flat(), "shims": shims()}
    plain.install("acme", plans)
    plain.activate()
    (plain.root / "mnt/c/Users/Me Too/Documents").mkdir(parents=True)
    other = plain.root / "mnt/c/Users/Me Too/.grouped"
    for folder in (
        other,
        plain.root / "mnt/c/Users/Public/.flat",
        plain.root / "mnt/wsl/Users/x/.flat",
    ):
        folder.mkdir(parents=True)
    (note,) = wsl(plain)
    assert f"grouped also has a home folder on Windows, {other}" in note
    assert "activate there too" in note
    assert wsl(plain, WSL_DISTRO_NAME="") == []


def test_home_that_is_on_windows(plain: World) -> None:
    home = plain.root / "mnt/c/Users/me"
    home.mkdir(parents=True)
    (note,) = wsl(plain, home)
    assert "is a Windows home folder" in note
    assert "set HOME" in note
