"""Upgrades, edits by the user, packages that go away, other environments, other scopes."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.hosts.delivery import Dir, File
from hatch_agentplugin.plan import HostPlan, Item, Key, OwnFile
from tests.activate.world import (
    World,
    all_shapes,
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


def settings(world: World) -> Path:
    """The user's settings file of the grouped host."""
    return world.home / ".grouped/settings.json"


def read(path: Path) -> Any:
    """A JSON document."""
    return json.loads(path.read_text("utf-8"))


def timeouts(world: World) -> dict[str, list[int]]:
    """Event -> timeouts of its entries, in the order of the file."""
    hooks = read(settings(world))["hooks"]
    return {name: [one["hooks"][0].get("timeout") for one in rows] for name, rows in hooks.items()}


def one(result: Any, state: str) -> Row:
    """The only row of a state."""
    (row,) = [row for row in result.rows if row.state == state]
    assert isinstance(row, Row)
    return row


# --- upgrades


def test_upgrade_without_a_change_writes_no_host_file(plain: World) -> None:
    """A new version with the same events touches our own folder alone."""
    plain.install("acme")
    plain.activate()
    before = snapshot(plain.home, times=True)
    plain.install("acme", version="2.0")
    assert set(states(plain.activate())) == {"unchanged"}
    after = snapshot(plain.home, times=True)
    changed = {path for path in after if after[path] != before.get(path)}
    assert all(path.startswith(".agent-plugin") for path in changed), changed
    assert plain.context().launcher("acme").exists()


def test_upgrade_changes_only_what_must_change(plain: World) -> None:
    """A new timeout replaces the old one in its place; a gone event goes, a new one comes."""
    write(settings(plain), '{"hooks": {"PreToolUse": [{"matcher": "Mine", "hooks": []}]}}\n')
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    newer = grouped(events=("session-start", "pre-tool-use", "post-tool-use"))
    plan = replace(newer, scopes={"user": tuple(
        replace(item, value={**item.value, "matcher": "Edit"})
        if isinstance(item, Item) and item.event == "pre-tool-use" else item
        for item in newer.scopes["user"]
    )})  # fmt: skip
    plain.install("acme", {"grouped": plan}, version="2.0")
    result = plain.activate()
    assert states(result) == {"unchanged": 1, "updated": 1, "placed": 1, "removed": 1}
    hooks = read(settings(plain))["hooks"]
    assert [entry["matcher"] for entry in hooks["PreToolUse"]] == ["Mine", "Edit"]
    assert list(hooks) == ["PreToolUse", "SessionStart", "PostToolUse"]


def test_upgrade_takes_gone_events_out(plain: World) -> None:
    """Several at once; one that the user has changed is his now."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    plain.install("acme", {"grouped": grouped(events=("turn-end",))}, version="2.0")
    assert states(plain.activate()) == {"unchanged": 1, "removed": 2}
    assert list(timeouts(plain)) == ["Stop"]
    plain.install("acme", {"grouped": grouped()}, version="3.0")
    plain.activate()
    edit_timeout(plain, 99)
    plain.install("acme", {"grouped": grouped(events=("turn-end",))}, version="4.0")
    assert states(plain.activate()) == {"unchanged": 1, "removed": 1, "kept": 1}
    assert timeouts(plain) == {"Stop": [10], "PreToolUse": [99]}
    assert states(plain.activate()) == {"unchanged": 1}


def test_upgrade_gives_what_a_fresh_install_gives(plain: World) -> None:
    """With nobody else at work, old and then new is the same text as new alone."""
    plain.install("acme", {"grouped": grouped(timeout=5)})
    plain.activate()
    plain.install("acme", {"grouped": grouped(timeout=30)}, version="2.0")
    assert states(plain.activate()) == {"updated": 3}
    upgraded = settings(plain).read_bytes()
    plain.deactivate()
    plain.activate()
    assert settings(plain).read_bytes() == upgraded


def test_upgrade_never_moves_entries_of_others(plain: World) -> None:
    """A user's entry after ours keeps its text and its distance from the top of the list."""
    plain.install("acme", {"grouped": grouped(events=("pre-tool-use",), timeout=5)})
    plain.activate()
    data = read(settings(plain))
    data["hooks"]["PreToolUse"].append({"matcher": "Mine", "hooks": [{"timeout": 1}]})
    settings(plain).write_text(json.dumps(data))
    newer = grouped(events=("pre-tool-use",), timeout=30)
    plain.install("acme", {"grouped": newer}, version="2.0")
    assert states(plain.activate()) == {"updated": 1}
    assert timeouts(plain) == {"PreToolUse": [1, 30]}
    plain.deactivate()
    assert timeouts(plain) == {"PreToolUse": [1]}


def test_upgrade_replaces_own_files(plain: World) -> None:
    """A file of ours that nobody touched follows the plan."""
    plain.install("acme", {"owned": owned("acme", events=("turn-end",))})
    plain.activate()
    plain.install("acme", {"owned": owned("acme")}, version="2.0")
    assert states(plain.activate()) == {"updated": 1}
    hooks = read(plain.home / ".owned/hooks/acme.json")["hooks"]
    assert list(hooks) == ["SessionStart", "PreToolUse", "Stop"]


# --- the user's edits


def edit_timeout(world: World, timeout: int) -> None:
    """The user gives our pre-tool-use entry another timeout."""
    data = read(settings(world))
    data["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = timeout
    settings(world).write_text(json.dumps(data, indent=4))


def test_edited_entry_is_kept_and_reported(plain: World) -> None:
    """Neither activating again nor an upgrade overrules the user."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    edit_timeout(plain, 99)
    before = settings(plain).read_bytes()
    row = one(plain.activate(), "kept")
    assert "you have changed it" in row.note
    assert row.events == ("pre-tool-use",)
    plain.install("acme", {"grouped": grouped()}, version="2.0")
    one(plain.activate(), "kept")
    assert settings(plain).read_bytes() == before


def test_removed_entry_is_not_added_again(plain: World) -> None:
    """What the user took out stays out, and is reported."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    data = read(settings(plain))
    del data["hooks"]["PreToolUse"]
    settings(plain).write_text(json.dumps(data))
    row = one(plain.activate(), "kept")
    assert "you have removed it" in row.note
    assert "PreToolUse" not in timeouts(plain)


@pytest.mark.parametrize("change", ["edit", "remove"])
def test_replace_writes_it_again_once(plain: World, change: str) -> None:
    """With --replace there is exactly one entry again, as the plan has it."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    if change == "edit":
        edit_timeout(plain, 99)
    else:
        data = read(settings(plain))
        data["hooks"]["PreToolUse"] = []
        settings(plain).write_text(json.dumps(data))
    assert plain.activate(replace=True).ok
    assert timeouts(plain)["PreToolUse"] == [10]
    assert set(states(plain.activate())) == {"unchanged"}
    plain.deactivate()
    assert not settings(plain).exists() or b"launch" not in settings(plain).read_bytes()


def test_deactivate_takes_an_edited_entry_too(plain: World) -> None:
    """It runs our launcher, which goes: left behind it would fail at every event."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    edit_timeout(plain, 99)
    result = plain.deactivate()
    assert states(result) == {"removed": 3}
    assert any("your changes to it" in row.note for row in result.rows)
    assert not plain.state.exists() or b"launch" not in settings(plain).read_bytes()
    assert "hooks" not in (read(settings(plain)) if settings(plain).exists() else {})


def test_edited_own_file_is_kept_on_deactivate(plain: World) -> None:
    """A file of ours that the user made his own is left to him, and named."""
    plain.install("acme", {"shims": shims(), "owned": owned("acme")})
    plain.activate()
    mine = plain.home / "Documents/shims/Hooks/Stop"
    mine.write_text("#!/bin/sh\necho my own\n")
    row = one(plain.activate(), "kept")
    assert row.events == ("turn-end",)
    row = one(plain.deactivate(), "kept")
    assert row.path == str(mine)
    assert mine.read_text() == "#!/bin/sh\necho my own\n"
    assert [path.name for path in mine.parent.iterdir()] == ["Stop"]


def test_removed_own_file_is_not_written_again(plain: World) -> None:
    """The user deleted it; --replace brings it back."""
    plain.install("acme", {"owned": owned("acme")})
    plain.activate()
    file = plain.home / ".owned/hooks/acme.json"
    file.unlink()
    assert "you have removed it" in one(plain.activate(), "kept").note
    assert not file.exists()
    plain.activate(replace=True)
    assert file.exists()


def test_reformatted_file_is_still_understood(plain: World) -> None:
    """A host that writes its settings anew keeps our entries ours."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    data = read(settings(plain))
    settings(plain).write_text(json.dumps({"theme": "dark", **data}, indent=8))
    assert set(states(plain.activate())) == {"unchanged"}
    assert states(plain.deactivate()) == {"removed": 3}
    assert read(settings(plain)) == {"theme": "dark"}


# --- packages and environments that go away


def test_deactivate_without_the_package(plain: World) -> None:
    """The ledger is enough to give every byte back."""
    before = snapshot(plain.home)
    plain.install("acme")
    plain.activate()
    plain.uninstall("acme")
    assert plain.deactivate("acme").ok
    assert snapshot(plain.home) == before


def test_prune_takes_back_what_is_gone_and_only_that(plain: World) -> None:
    """A plugin that is still installed stays."""
    plain.install("gone", {"grouped": grouped()})
    plain.install("here", {"grouped": grouped()})
    plain.activate("here")
    alone = settings(plain).read_bytes()
    plain.activate("gone")
    plain.uninstall("gone")
    assert states(plain.prune()) == {"removed": 3}
    assert settings(plain).read_bytes() == alone
    assert states(plain.prune()) == {}


def test_lost_ledger_makes_no_copies(plain: World) -> None:
    """Entries that run our launcher are ours by construction."""
    plain.install("acme")
    plain.activate()
    before = {path: value for path, value in snapshot(plain.home).items()
              if not path.startswith(".agent-plugin")}  # fmt: skip
    shutil.rmtree(plain.state / "_place")
    result = plain.activate()
    assert result.ok
    assert set(states(result)) <= {"adopted", "skipped", "unchanged"}
    after = snapshot(plain.home)
    assert {path: after[path] for path in before} == before
    plain.deactivate()
    left = {path: row for path, row in snapshot(plain.home).items() if "_place" not in path}
    assert not any(b"launch" in (content or b"") for _, content, *_ in left.values())


def test_lost_ledger_and_new_version(plain: World) -> None:
    """An old entry of ours is not doubled by a new one; --replace brings it up to date."""
    plain.install("acme", {"grouped": grouped(timeout=5)})
    plain.activate()
    shutil.rmtree(plain.state / "_place")
    plain.install("acme", {"grouped": grouped(timeout=30)}, version="2.0")
    assert states(plain.activate()) == {"adopted": 3}
    assert timeouts(plain)["PreToolUse"] == [5]
    shutil.rmtree(plain.state / "_place")
    assert states(plain.activate(replace=True)) == {"adopted": 3}
    assert timeouts(plain)["PreToolUse"] == [30]


def test_second_environment_is_told_who_owns_it(plain: World) -> None:
    """One id has one home; --replace moves it."""
    for environment in ("one", "two"):
        plain.install("acme", {"grouped": grouped()}, environment=environment)
    plain.activate(environment="one")
    before = snapshot(plain.home)
    row = one(plain.activate(environment="two"), "failed")
    assert str(plain.root / "one") in row.note
    assert "--replace" in row.note
    assert snapshot(plain.home) == before
    assert plain.activate(environment="two", replace=True).ok
    launch = Path(plain.context().launcher("acme")).read_text()
    assert str(plain.site("two")) in launch
    after = snapshot(plain.home)
    assert after[".grouped/settings.json"] == before[".grouped/settings.json"]
    assert not plain.activate(environment="one").ok


def test_gone_environment_is_taken_over(plain: World) -> None:
    """Nobody is asked for what no longer exists."""
    plain.install("acme", {"grouped": grouped()}, environment="one")
    plain.activate(environment="one")
    shutil.rmtree(plain.root / "one")
    plain.install("acme", {"grouped": grouped()}, environment="two")
    assert states(plain.activate(environment="two")) == {"unchanged": 3}
    assert str(plain.site("two")) in Path(plain.context().launcher("acme")).read_text()


# --- scopes


def test_project_entries_hold_no_path_of_this_machine(plain: World) -> None:
    """They find the launcher of whoever runs them, and are silent where there is none."""
    plain.install("acme", {"grouped": grouped()})
    assert plain.activate(scope="project").ok
    text = (plain.project / ".grouped/settings.json").read_text()
    assert str(plain.root) not in text
    assert "grouped pre-tool-use --project" in text
    assert (plain.state / "acme/placed").read_text() == "grouped.project\n"
    plain.deactivate()
    assert snapshot(plain.project) == {}


def test_project_after_user_is_refused(plain: World) -> None:
    """Both would fire; --replace adds it all the same."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    row = one(plain.activate(scope="project"), "failed")
    assert "active for this user" in row.note
    assert snapshot(plain.project) == {}
    assert plain.activate(scope="project", replace=True).ok


def test_local_beside_project_is_refused(plain: World) -> None:
    """Two files of one project are one home."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate(scope="project")
    assert "project scope" in one(plain.activate(scope="local"), "failed").note


def test_missing_scope_is_skipped_and_said(plain: World) -> None:
    """A host without the scope is no failure."""
    plain.install("acme", {"flat": flat()})
    result = plain.activate(scope="project")
    assert result.ok
    assert "no project scope, only user" in one(result, "skipped").note


def test_deactivate_one_scope(plain: World) -> None:
    """The user's entries stay when a project's go."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate(scope="project")
    plain.activate()
    plain.deactivate(scope="project")
    assert snapshot(plain.project) == {}
    assert settings(plain).exists()
    assert (plain.state / "acme/placed").read_text() == "grouped.user\n"


def test_moved_config_folder_is_another_place(plain: World) -> None:
    """With the host's variable set its other folder is wired too; both are taken back."""
    plain.install("acme", {"grouped": grouped()})
    plain.activate()
    before = settings(plain).read_bytes()
    plain.environ["GROUPED_CONFIG_DIR"] = str(plain.root / "other")
    assert states(plain.activate()) == {"placed": 3}
    assert (plain.root / "other/settings.json").read_bytes() == before
    assert settings(plain).read_bytes() == before
    plain.environ["GROUPED_CONFIG_DIR"] = ""
    assert states(plain.activate()) == {"unchanged": 3}
    plain.deactivate()
    assert not settings(plain).exists()
    assert not (plain.root / "other").exists()


# --- choices between files


def two_files() -> Any:
    """A host with two files, of which the first masks the second event by event (Droid)."""
    folder = Dir("~/.two")
    files = (File(folder, "hooks.json", at=("Stop",)), File(folder, "settings.json"))
    entry = {"hooks": [{"type": "command", "command": launcher("turn-end")}]}
    return host("two", {"user": [Item("turn-end", files, "json", ("hooks", "Stop"), entry)]})


def test_entry_goes_where_the_users_hooks_are(plain: World) -> None:
    """Else ours would mask his."""
    write(plain.home / ".two/settings.json", '{"hooks": {"Stop": [{"hooks": []}]}}')
    plain.install("acme", {"two": two_files()})
    plain.install("beta", {"two": two_files()})
    plain.activate("acme")
    plain.activate("beta")
    assert not (plain.home / ".two/hooks.json").exists()
    assert len(read(plain.home / ".two/settings.json")["hooks"]["Stop"]) == 3


def test_entry_goes_to_the_first_file_else(plain: World) -> None:
    """Hooks for other events do not count, nor do those of our own plugins."""
    write(plain.home / ".two/settings.json", '{"hooks": {"Start": [{}]}}')
    plain.install("acme", {"two": two_files()})
    plain.install("beta", {"two": two_files()})
    plain.activate()
    assert len(read(plain.home / ".two/hooks.json")["Stop"]) == 2


def test_entry_stays_where_it_is(plain: World) -> None:
    """A placement that stands is not moved when the user's hooks come into the other file."""
    plain.install("acme", {"two": two_files()})
    plain.activate()
    write(plain.home / ".two/settings.json", '{"hooks": {"Stop": [{"hooks": []}]}}')
    assert states(plain.activate()) == {"unchanged": 1}


def test_version_key_of_the_user_is_kept(plain: World) -> None:
    """A key that the document needs is added where missing, and never changed."""
    file = write(plain.home / ".flat/hooks.json", '{"version": 3}')
    plain.install("acme", {"flat": flat()})
    assert plain.activate().ok
    assert read(file)["version"] == 3
    plain.deactivate()
    assert file.read_text() == '{"version": 3}'


def test_key_with_another_value_is_a_conflict(plain: World) -> None:
    """A setting that must have our value and has another is refused, with its name."""
    target = File(Dir("~/.keyed"), "config.json")
    keyed = host("keyed", {"user": [Key((target,), "json", ("plugins", "acme"), "x")]})
    file = write(plain.home / ".keyed/config.json", '{"plugins": {"acme": "y"}}')
    plain.install("acme", {"keyed": keyed, "flat": flat()})
    result = plain.activate()
    assert "plugins.acme has another value" in one(result, "failed").note
    assert file.read_text() == '{"plugins": {"acme": "y"}}'
    assert (plain.home / ".flat/hooks.json").exists()


def listed() -> dict[str, HostPlan]:
    """A host with a settings file in which the user may keep a list of what is allowed."""
    target = File(Dir("~/.grouped"), "settings.json")
    item = Item("", (target,), "json", ("plugins", "allow"), "acme", only_if_present=True)
    plan = grouped()
    return {"grouped": replace(plan, scopes={"user": (*plan.scopes["user"], item)})}


@pytest.mark.parametrize("text", ["", "{}", '{"plugins": {}}', '{"plugins": {"allow": null}}'])
def test_list_that_the_user_has_not_is_not_begun(plain: World, text: str) -> None:
    """An allow-list with our name alone would shut everything else out."""
    file = write(settings(plain), text)
    plain.install("acme", listed())
    assert states(plain.activate()) == {"placed": 3}
    assert read(file).get("plugins") == (json.loads(text) if text else {}).get("plugins")
    plain.deactivate()
    assert file.read_text() == text


@pytest.mark.parametrize("text", ['{"plugins": {"allow": []}}', '{"plugins":{"allow":["mine"]}}\n'])
def test_list_that_the_user_has_gets_our_item(plain: World, text: str) -> None:
    file = write(settings(plain), text)
    plain.install("acme", listed())
    assert states(plain.activate()) == {"placed": 4}
    assert read(file)["plugins"]["allow"] == [*json.loads(text)["plugins"]["allow"], "acme"]
    before = snapshot(plain.home, times=True)
    assert states(plain.activate()) == {"unchanged": 4}
    assert snapshot(plain.home, times=True) == before
    plain.deactivate()
    assert file.read_text() == text


def test_list_begun_later_gets_our_item_then(plain: World) -> None:
    plain.install("acme", listed())
    plain.activate()
    document = {**read(settings(plain)), "plugins": {"allow": ["mine"]}}
    write(settings(plain), json.dumps(document))
    assert states(plain.activate()) == {"unchanged": 3, "placed": 1}
    assert read(settings(plain))["plugins"]["allow"] == ["mine", "acme"]
    plain.deactivate()
    assert read(settings(plain))["plugins"]["allow"] == ["mine"]


def test_native_entry_of_the_user_is_not_taken_for_ours(plain: World) -> None:
    """An equal entry without our launcher stays the user's, also on deactivate."""
    target = File(Dir("~/.raw"), "hooks.json")
    raw = host("raw", {"user": [Item("", (target,), "json", ("Stop",), {"command": "make lint"})]})
    file = write(plain.home / ".raw/hooks.json", '{"Stop": [{"command": "make lint"}]}')
    plain.install("acme", {"raw": raw})
    assert "already" in one(plain.activate(), "skipped").note
    plain.deactivate()
    assert file.read_text() == '{"Stop": [{"command": "make lint"}]}'


def test_two_hosts_in_one_file(plain: World) -> None:
    """Hosts that share a document are placed and taken back side by side."""

    def shared(name: str) -> Any:
        target = File(Dir("~/.shared"), "hooks.json")
        entry = {"command": launcher("turn-end")}
        return host(name, {"user": [Item("turn-end", (target,), "json", ("Stop",), entry)]})

    before = snapshot(plain.home)
    plain.install("acme", {"one": shared("one"), "two": shared("two")})
    plain.activate()
    assert len(read(plain.home / ".shared/hooks.json")["Stop"]) == 2
    plain.deactivate(hosts=["one"])
    (left,) = read(plain.home / ".shared/hooks.json")["Stop"]
    assert left["command"].endswith("two turn-end")
    plain.activate()
    plain.deactivate()
    assert snapshot(plain.home) == before


def test_host_that_reads_another_is_said(plain: World) -> None:
    """Both are wired; the marks let the dispatcher answer once."""
    reader = replace(grouped("reader"), also_reads={"grouped": ("user",)})
    plain.install("acme", {"grouped": grouped(), "reader": reader})
    result = plain.activate()
    assert result.notes == (
        "reader also runs the hooks of grouped; acme answers once, from its own entry in reader",
    )
    assert (plain.state / "acme/placed").read_text() == "grouped.user reader.user\n"


def test_what_is_left_to_do_is_said_for_changed_hosts(plain: World) -> None:
    """A review step is named when something was placed, and not when nothing was."""
    plan = grouped(after={"user": ("review the hooks with /hooks",)})
    plain.install("acme", {"grouped": plan})
    assert plain.activate().after == {"grouped": ("review the hooks with /hooks",)}
    assert plain.activate().after == {}


def test_script_paths_lie_in_our_folder(plain: World) -> None:
    """Where a host takes only the path of a script, one is written beside the launcher."""
    target = File(Dir("~/.pathy"), "settings.json")
    entry = {"command": launcher("turn-end", "path")}
    item = Item("turn-end", (target,), "json", ("Stop",), entry)
    shared = replace(item, files=(File(Dir(".pathy"), "settings.json"),))
    pathy = host("pathy", {"user": [item], "project": [shared]})
    before = snapshot(plain.home)
    plain.install("acme", {"pathy": pathy})
    assert "cannot be shared" in one(plain.activate(scope="project"), "failed").note
    plain.activate()
    script = plain.state / "acme/shims/pathy.user/turn-end.sh"
    assert read(plain.home / ".pathy/settings.json")["Stop"][0]["command"] == str(script)
    assert script.stat().st_mode & 0o777 == 0o700
    times = snapshot(plain.home, times=True)
    plain.activate()
    assert snapshot(plain.home, times=True) == times
    plain.deactivate()
    assert snapshot(plain.home) == before


def test_dry_run_writes_nothing(plain: World) -> None:
    """Not even a folder of ours; and it shows every file, launcher included."""
    plain.install("acme", all_shapes("acme"))
    before = snapshot(plain.root, times=True)
    result = plain.activate(dry_run=True)
    assert snapshot(plain.root, times=True) == before
    shown = {os.path.relpath(one.path, plain.home) for one in result.outcome.diffs}
    assert {".grouped/settings.json", ".agent-plugin/acme/launch"} <= shown


def test_fired_marks_go_with_the_host(plain: World) -> None:
    """Else a host that is activated again would seem to have fired."""
    plain.install("acme", {"grouped": grouped(), "flat": flat()})
    plain.activate()
    for name in ("grouped.turn-end", "flat.turn-end"):
        write(plain.state / "acme/fired" / name, "")
    plain.deactivate(hosts=["grouped"])
    assert [path.name for path in (plain.state / "acme/fired").iterdir()] == ["flat.turn-end"]


def test_entries_of_the_author_are_shown(plain: World) -> None:
    """What a host will run is shown in full before it is placed, ours and the author's."""
    own = {"command": "make lint"}
    target = File(Dir("~/.raw"), "hooks.json")
    document = {"hooks": {"Stop": [{"command": launcher("turn-end")}, own]}}
    item = Item("", (target,), "json", ("Stop",), {"hooks": [own, {"type": "prompt", "x": "y"}]})
    file = OwnFile(("turn-end",), (replace(target, path="own.json"),), value=document)
    plain.install("acme", {"raw": host("raw", {"user": [item, file]})})
    rows = plain.activate().rows
    assert rows[0].commands == ('{"command": "make lint"}', '{"type": "prompt", "x": "y"}')
    ours, authors = rows[1].commands
    assert ours.endswith("launch raw turn-end")
    assert authors == '{"command": "make lint"}'


def test_upgrade_from_true_to_one_is_written(plain: World) -> None:
    """Python holds that true equals 1, a host does not."""
    target = File(Dir("~/.alpha"), "settings.json")
    for version, value in (("1.0", True), ("2.0", 1)):
        item = Item("turn-end", (target,), "json", ("Stop",), {"on": value})
        plain.install("acme", {"typed": host("typed", {"user": [item]})}, version=version)
        plain.activate("acme")
        text = (plain.home / ".alpha/settings.json").read_text()
        assert json.loads(text)["Stop"][0]["on"] is value
