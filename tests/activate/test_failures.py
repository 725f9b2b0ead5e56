"""What can't be done is said by name, and nothing else is held up; hostile plans do nothing."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.hosts.delivery import Dir, File
from hatch_agentplugin.plan import Item, OwnFile, PlanError, Shim
from hatch_agentplugin.transaction import backups
from hatch_agentplugin.words import Format
from tests.activate.world import (
    World,
    flat,
    grouped,
    host,
    launcher,
    owned,
    shims,
    snapshot,
    states,
    write,
)


def failures(result: Any) -> list[Row]:
    """The rows of what failed."""
    return [row for row in result.rows if row.state == "failed"]


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("json", '{"a":' * 600 + "1" + "}" * 600),
        ("yaml", '{"a": ' * 600 + "1" + "}" * 600),
        ("toml", ".".join("a" * 600) + " = 1"),
        ("toml", f"[{'.'.join('a' * 1500)}]\n"),
        ("toml", f"[{'.'.join('a' * 1500)}]\nb.c = 1\n"),
        ("toml", "a = " + "[" * 600 + "]" * 600),
    ],
    ids=["json", "yaml", "dotted key", "plain table", "table", "array"],
)
def test_nested_too_deep_stops_one_host_only(plain: World, kind: Format, content: str) -> None:
    """Whatever the format, a file that is deeper than we can follow is a row of its own."""
    file = write(plain.home / ".deep/settings", content)
    files = (File(Dir("~/.deep"), "settings"),)
    hook = Item("turn-end", files, kind, ("hooks",), {"command": launcher("turn-end")})
    plain.install("acme", {"deep": host("deep", {"user": [hook]}), "flat": flat()})
    (failed,) = failures(plain.activate())
    assert (failed.host, "deep" in failed.note) == ("deep", True)
    assert file.read_text() == content
    assert (plain.home / ".flat/hooks.json").exists()


@pytest.mark.parametrize(
    "content",
    [b'{"hooks": {', b"[]", b'{"hooks": []}', b'{"hooks": {"Stop": {}}}', b"\xff\xfe{}", b"nul"],
    ids=["cut off", "list", "hooks is a list", "event is an object", "utf-16", "word"],
)
def test_unusable_settings_stop_one_host_only(plain: World, content: bytes) -> None:
    """The file is named and keeps its bytes; the other host is served."""
    file = write(plain.home / ".grouped/settings.json", content)
    plain.install("acme", {"grouped": grouped(), "flat": flat()})
    result = plain.activate()
    assert not result.ok
    (failed,) = failures(result)
    assert failed.host == "grouped"
    assert str(file) in failed.note
    assert file.read_bytes() == content
    assert (plain.home / ".flat/hooks.json").exists()
    assert (plain.state / "acme/placed").read_text() == "flat.user\n"


def test_one_bad_event_leaves_no_half_host(plain: World) -> None:
    """A host is wired for all its events or for none."""
    text = '{"hooks": {"Stop": "odd"}}'
    file = write(plain.home / ".grouped/settings.json", text)
    plain.install("acme", {"grouped": grouped()})
    assert states(plain.activate()) == {"failed": 1}
    assert file.read_text() == text


@pytest.mark.parametrize("kind", ["folder", "read-only", "fifo", "dangling link"])
def test_unwritable_files_stop_one_host_only(plain: World, kind: str) -> None:
    """Also where the system and not the content says no."""
    path = plain.home / ".grouped/settings.json"
    path.parent.mkdir()
    if kind == "folder":
        path.mkdir()
    elif kind == "read-only":
        write(path, "{}", 0o444)
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(plain.home / "missing/settings.json")
    plain.install("acme", {"grouped": grouped(), "flat": flat()})
    plain.install("beta", {"grouped": grouped(), "flat": flat()})
    result = plain.activate()
    assert {(row.plugin, row.host) for row in failures(result)} == {
        ("acme", "grouped"),
        ("beta", "grouped"),
    }
    assert len(json.loads((plain.home / ".flat/hooks.json").read_text())["hooks"]["Stop"]) == 2
    assert {row.state for row in result.rows if row.host == "flat"} == {"placed"}
    again = plain.activate()
    assert {row.state for row in again.rows if row.host == "flat"} == {"unchanged"}


def test_failed_deactivate_keeps_its_ledger(plain: World) -> None:
    """What could not be taken back is still known, and goes when it can."""
    plain.install("acme", {"grouped": grouped(), "flat": flat()})
    before = snapshot(plain.home)
    plain.activate()
    file = plain.home / ".grouped/settings.json"
    good = file.read_bytes()
    file.write_bytes(b"{")
    result = plain.deactivate()
    assert [row.host for row in failures(result)] == ["grouped"]
    assert not (plain.home / ".flat").exists()
    assert (plain.state / "acme/launch").exists()
    file.write_bytes(good)
    assert plain.deactivate().ok
    assert snapshot(plain.home) == before


def test_nothing_placed_leaves_no_folder(plain: World) -> None:
    """Where every host fails our own folder goes again."""
    write(plain.home / ".grouped/settings.json", b"{")
    plain.install("acme", {"grouped": grouped()})
    before = snapshot(plain.home)
    assert not plain.activate().ok
    assert snapshot(plain.home) == before


@pytest.mark.parametrize("where", ["file", "folder"])
def test_links_of_the_user_stay_links(plain: World, where: str) -> None:
    """Settings kept in a dotfiles folder are edited there."""
    real = write(plain.root / "dotfiles/settings.json", '{"a": 1}\n')
    folder = plain.home / ".grouped"
    if where == "file":
        folder.mkdir()
        (folder / "settings.json").symlink_to(real)
    else:
        folder.symlink_to(real.parent)
    before = snapshot(plain.root)
    plain.install("acme", {"grouped": grouped()})
    before = snapshot(plain.root)
    assert plain.activate().ok
    assert b"launch" in real.read_bytes()
    plain.deactivate()
    assert snapshot(plain.root) == before


# --- hostile plans and marks


def hostile(world: World, placement: Any) -> Any:
    """Activate a plugin whose plan holds one placement."""
    world.install("evil", {"evil": host("evil", {"user": [placement], "project": [placement]})})
    return world.activate()


@pytest.mark.parametrize(
    "path", ["../x", "/etc/x", "a/../../x", "~/x", "C:/x", "a\\b", "a\0b", "", "a\nb"]
)
def test_paths_that_leave_their_folder_are_refused(plain: World, path: str) -> None:
    """A plan edited by hand can't name them: it is not read at all."""
    shim = Shim("turn-end", "turn-end", (File(Dir("~/.evil"), path),))
    with pytest.raises(PlanError):
        hostile(plain, shim)


@pytest.mark.parametrize("folder", ["/etc", "//etc", "relative"])
def test_folders_outside_the_home_are_refused(plain: World, folder: str) -> None:
    """The user scope has the home folder, and no other."""
    result = hostile(plain, OwnFile((), (File(Dir(folder), "x"),), value={}))
    assert states(result) == {"failed": 1}


@pytest.mark.parametrize("field", ["windows", "macos", "inside", "default"])
def test_dots_in_folders_are_refused(plain: World, field: str) -> None:
    """Wherever they stand in the plan."""
    folder = replace(Dir("~/.evil", "EVIL_DIR"), **{field: "~/a/../../x"})
    plain.environ["EVIL_DIR"] = str(plain.home / "evil")
    own = OwnFile((), (File(folder, "x"),), value={})
    try:
        result = hostile(plain, own)
    except PlanError:
        return
    assert all(str(plain.home / "evil") in row.path for row in result.rows)


def test_variable_must_hold_an_absolute_path(plain: World) -> None:
    """Else what it means would depend on where the command is run."""
    plain.environ["GROUPED_CONFIG_DIR"] = "somewhere"
    plain.install("acme", {"grouped": grouped()})
    assert "not an absolute path" in failures(plain.activate())[0].note


def test_artifact_may_not_be_a_link_out_of_the_bundle(plain: World) -> None:
    """Nothing of the user's is copied to where a host or a project would share it."""
    secret = write(plain.home / ".ssh/id", "secret")
    own = OwnFile((), (File(Dir("~/.evil"), "x.js"),), artifact="x.js")
    bundle = plain.install("evil", {"evil": host("evil", {"user": [own]})})
    (bundle / "x.js").unlink()
    (bundle / "x.js").symlink_to(secret)
    assert "leads out of the bundle" in failures(plain.activate())[0].note
    assert not (plain.home / ".evil").exists()


def test_project_link_out_of_the_project_is_refused(plain: World) -> None:
    """A cloned repository can't have us write elsewhere."""
    (plain.project / ".grouped").symlink_to(plain.home / ".ssh")
    (plain.home / ".ssh").mkdir()
    plain.install("acme", {"grouped": grouped()})
    result = plain.activate(scope="project")
    assert "leads out of the project" in failures(result)[0].note
    assert snapshot(plain.home / ".ssh") == {}


def test_foreign_file_with_our_name_is_kept(plain: World) -> None:
    """Also when it was there before the plugin."""
    mine = write(plain.home / ".owned/hooks/acme.json", "mine")
    plain.install("acme", {"owned": owned("acme")})
    assert "not ours" in failures(plain.activate())[0].note
    assert mine.read_text() == "mine"


def test_two_plugins_never_share_a_name(plain: World) -> None:
    """The second takes the next candidate, and each takes back its own."""
    before = snapshot(plain.home)
    for name in ("one", "two"):
        plain.install(name, {"shims": shims(events=("turn-end",))})
    plain.activate("one")
    plain.activate("two")
    hooks = plain.home / "Documents/shims/Hooks"
    assert sorted(path.name for path in hooks.iterdir()) == ["Stop", "Stop.sh"]
    plain.deactivate("one")
    assert [path.name for path in hooks.iterdir()] == ["Stop.sh"]
    plain.deactivate("two")
    assert snapshot(plain.home) == before


def test_plugin_that_has_the_only_name_is_named(plain: World) -> None:
    """Some hosts have one file for an event: the second plugin is told who has it."""
    target = (File(Dir("~/.single"), "hook"),)
    plan = host("single", {"user": [Shim("turn-end", "turn-end", target)]})
    for name in ("one", "two"):
        plain.install(name, {"single": plan})
    plain.activate("one")
    assert "by the plugin one" in failures(plain.activate("two"))[0].note


@pytest.mark.parametrize(
    "change",
    [
        {"bundle": "../../home"},
        {"bundle": "/etc"},
        {"bundle": "missing"},
        {"id": "../x"},
        {"id": "Not Normal"},
        {"version": "1\x1b[31m"},
        {"format": 9},
        {"name": 3},
    ],
    ids=str,
)
def test_bad_marks_are_refused(plain: World, change: dict[str, object]) -> None:
    """A mark says what is wrong with it, and the other plugins are found."""
    plain.install("good", {"flat": flat()})
    mark = {"format": 1, "id": "evil", "name": "evil", "version": "1", "bundle": "evil_bundle"}
    (plain.site() / "evil_bundle").mkdir()
    path = plain.site() / "evil-1.dist-info/extra_metadata/agent-plugin/plugin.json"
    write(path, json.dumps({**mark, **change}))
    found, bad = discover([str(plain.site())])
    assert [plugin.id for plugin in found] == ["good"]
    assert [one.path for one in bad] == [path]


@pytest.mark.parametrize("data", [b"", b"[" * 100_000, b"x" * 100_000, b"\xff"], ids=len)
def test_marks_that_are_no_json_are_refused(plain: World, data: bytes) -> None:
    """Huge, deep, empty, no text."""
    path = plain.site() / "evil-1.dist-info/extra_metadata/agent-plugin/plugin.json"
    write(path, data)
    assert [one.path for one in discover([str(plain.site())])[1]] == [path]


def test_linked_bundle_is_refused(plain: World) -> None:
    """The bundle is a folder of the environment."""
    bundle = plain.install("acme", {"flat": flat()})
    bundle.rename(plain.root / "elsewhere")
    bundle.symlink_to(plain.root / "elsewhere")
    assert "not a folder" in discover([str(plain.site())])[1][0].reason


def test_plan_of_another_plugin_is_refused(plain: World) -> None:
    """The plan's id is the mark's."""
    plain.install("acme", {"flat": flat()})
    other = plain.install("beta", {"flat": flat()})
    (plain.site() / "acme_agent_plugin/plan.json").write_bytes((other / "plan.json").read_bytes())
    acme, _ = discover([str(plain.site())])[0]
    with pytest.raises(PlanError, match="is not 'acme'"):
        acme.plan()


def test_first_on_the_path_wins(plain: World) -> None:
    """As with Python's own imports."""
    plain.install("acme", {"flat": flat()}, environment="one")
    plain.install("acme", {"flat": flat()}, environment="two")
    found, _ = discover([str(plain.site("two")), str(plain.site("one"))])
    assert [plugin.bundle.parent for plugin in found] == [plain.site("two")]


def test_launcher_texts_in_values_are_data(plain: World) -> None:
    """A node that names no slot is refused with the host."""
    target = (File(Dir("~/.evil"), "x.json"),)
    item = Item("turn-end", target, "json", ("Stop",), {"command": {"$launcher": {"form": "sh"}}})
    assert "does not name a slot" in failures(hostile(plain, item))[0].note
    odd = replace(item, value={"command": launcher("turn-end", "file")})
    assert "is not a command" in failures(hostile(plain, odd))[0].note


def test_restore_gives_back_the_bytes_of_before(plain: World) -> None:
    """And the ledger forgets what stood in the file."""
    file = write(plain.home / ".grouped/settings.json", '{"mine": 1}\n')
    plain.install("acme", {"grouped": grouped(), "flat": flat()})
    plain.activate()
    file.write_text("ruined")
    result = operations.restore(plain.context(), file, b'{"mine": 1}\n')
    assert result.ok
    assert file.read_text() == '{"mine": 1}\n'
    assert {row.host for row in plain.deactivate().rows} == {"flat"}


def test_restore_keeps_what_the_user_has_written_since(plain: World) -> None:
    """The bytes of just before become the newest backup, and stay as long as they are needed."""
    file = write(plain.home / ".grouped/settings.json", '{"mine": 1}\n')
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    edited = file.read_bytes().replace(b'{"mine": 1', b'{"by hand": 2, "mine": 1')
    file.write_bytes(edited)
    context = plain.context()
    (before,) = backups.find(context.state, file)
    assert operations.restore(context, file, backups.read(context.state, before)).ok
    assert file.read_text() == '{"mine": 1}\n'
    newest = backups.find(context.state, file)[0]
    assert backups.read(context.state, newest) == edited
    plain.deactivate()
    assert backups.read(context.state, newest) == edited


def test_two_paths_to_one_file_are_one_file(plain: World) -> None:
    """A linked config folder and the folder itself: one document, one edit."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    (plain.root / "link").symlink_to(plain.home / ".grouped")
    before = snapshot(plain.home, times=True)
    plain.environ["GROUPED_CONFIG_DIR"] = str(plain.root / "link")
    assert states(plain.activate()) == {"unchanged": 3}
    assert snapshot(plain.home, times=True) == before
    assert Path(plain.root / "link").is_symlink()
