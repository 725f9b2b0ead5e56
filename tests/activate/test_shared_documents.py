"""Several entries of ours in one document, where some of them change in the same run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from hatch_agentplugin.activate.operations import Result
from hatch_agentplugin.hosts.delivery import Dir, File
from hatch_agentplugin.plan import HostPlan, Item, Key
from hatch_agentplugin.words import Format
from tests.activate.world import World, host, launcher, write

EVENT = "pre-tool-use"


def hooks(
    *entries: tuple[str, int], name: str = "h", format: Format = "json", list: str = "PreToolUse"
) -> HostPlan:
    """A host with one entry per matcher and timeout, all for one event with one command."""
    files = (File(Dir("~/.h"), f"settings.{format}"),)
    items = [
        Item(
            EVENT,
            files,
            format,
            ("hooks", list),
            {"matcher": matcher, "hooks": [{"command": launcher(EVENT), "timeout": timeout}]},
        )
        for matcher, timeout in entries
    ]
    return host(name, {"user": items}, (EVENT,))


def rules(plugin: str, text: str, *hosts: str) -> dict[str, HostPlan]:
    """Hosts that read one file of rules."""
    files = (File(Dir("~/.shared"), "AGENTS.md"),)
    block = Key(files, "text", (plugin, "rules"), text, event="rules")
    return {name: host(name, {"user": [block]}, ()) for name in hosts}


def placed(world: World) -> list[tuple[str, int, int]]:
    """Matcher, timeout and number of handlers of each entry in the settings."""
    document: Any = json.loads((world.home / ".h/settings.json").read_text())
    return [
        (group["matcher"], group["hooks"][0].get("timeout"), len(group["hooks"]))
        for group in document.get("hooks", {}).get("PreToolUse", [])
    ]


def summary(result: Result) -> list[tuple[str, str, str]]:
    """Plugin, host and state of each row."""
    return [(row.plugin, row.host, row.state) for row in result.rows]


@pytest.fixture
def two(plain: World) -> World:
    """A plugin with two entries for one event."""
    write(plain.home / ".h/settings.json", "{}\n")
    plain.install("acme", {"h": hooks(("Bash", 10), ("Edit", 10))})
    plain.activate()
    return plain


@pytest.mark.parametrize("replace", [False, True])
def test_upgrade_that_changes_one_entry_and_adds_another(plain: World, replace: bool) -> None:
    """The old value of an entry is not taken for somebody else's entry with our command."""
    plain.install("acme", {"h": hooks(("Bash", 10))})
    plain.activate()
    plain.install("acme", {"h": hooks(("Bash", 20), ("Edit", 20))}, version="2.0")
    plain.activate(replace=replace)
    assert placed(plain) == [("Bash", 20, 1), ("Edit", 20, 1)]
    plain.deactivate()
    assert not (plain.home / ".h/settings.json").exists()


@pytest.mark.parametrize("replace", [False, True])
def test_all_entries_edited_by_the_user(two: World, replace: bool) -> None:
    """Each is recognised once: deactivating leaves none, `--replace` writes all of them again."""
    file = two.home / ".h/settings.json"
    file.write_text(file.read_text().replace('"timeout": 10', '"timeout": 99'))
    if replace:
        two.activate(replace=True)
        assert placed(two) == [("Bash", 10, 1), ("Edit", 10, 1)]
    two.deactivate()
    assert json.loads(file.read_text()) == {}


def test_one_entry_removed_by_the_user_before_an_upgrade(two: World) -> None:
    """`--replace` writes the missing entry again and updates the other one."""
    file = two.home / ".h/settings.json"
    document = json.loads(file.read_text())
    del document["hooks"]["PreToolUse"][1]
    file.write_text(json.dumps(document))
    two.install("acme", {"h": hooks(("Bash", 20), ("Edit", 20))}, version="2.0")
    two.activate(replace=True)
    assert sorted(placed(two)) == [("Bash", 20, 1), ("Edit", 20, 1)]
    assert {row.state for row in two.activate().rows} == {"unchanged"}


def test_lost_ledger_before_an_upgrade(two: World) -> None:
    """Every entry is adopted once."""
    for file in (two.state / "_place").iterdir():
        if file.is_file():
            file.unlink()
    two.install("acme", {"h": hooks(("Bash", 20), ("Edit", 20))}, version="2.0")
    assert [row.state for row in two.activate(replace=True).rows] == ["adopted", "adopted"]
    assert placed(two) == [("Bash", 20, 1), ("Edit", 20, 1)]


@pytest.mark.parametrize("replace", [False, True])
def test_groups_of_two_plugins_merged_by_the_user(plain: World, replace: bool) -> None:
    """The user's handler in the merged group stays, once; of ours nothing stays."""
    file = write(plain.home / ".h/settings.json", "{}")
    for plugin in "ab":
        plain.install(plugin, {"h": hooks(("*", 10))})
        plain.activate(plugin)
    document = json.loads(file.read_text())
    one, other = document["hooks"]["PreToolUse"]
    one["hooks"] += [*other["hooks"], {"command": "mine"}]
    document["hooks"]["PreToolUse"] = [one]
    file.write_text(json.dumps(document))
    if replace:
        plain.activate(replace=True)
        text = file.read_text()
        assert [text.count(f"/{name}/launch") for name in "ab"] == [1, 1]
    plain.deactivate()
    assert json.loads(file.read_text())["hooks"]["PreToolUse"] == [
        {"matcher": "*", "hooks": [{"command": "mine"}]}
    ]


def test_users_handler_stays_where_our_command_was_changed(plain: World) -> None:
    """Our handler is recognised by its command, also with arguments of the user's."""
    file = write(plain.home / ".h/settings.json", "{}")
    plain.install("acme", {"h": hooks(("*", 10))})
    plain.activate()
    document = json.loads(file.read_text())
    (group,) = document["hooks"]["PreToolUse"]
    group["hooks"][0]["command"] += " --verbose"
    group["hooks"].append({"command": "mine"})
    file.write_text(json.dumps(document))
    plain.deactivate()
    assert placed(plain) == [("*", None, 1)]
    assert "mine" in file.read_text()


def test_equal_value_in_another_list(plain: World) -> None:
    """The user's own entry is not inserted again because an equal one of ours is elsewhere."""
    file = write(plain.home / ".h/settings.json", '{"two": ["./a.js"]}')
    files = (File(Dir("~/.h"), "settings.json"),)
    items = [Item("", files, "json", (name,), "./a.js") for name in ("one", "two")]
    plain.install("acme", {"h": host("h", {"user": items}, ())})
    assert [row.state for row in plain.activate().rows] == ["placed", "skipped"]
    assert json.loads(file.read_text()) == {"one": ["./a.js"], "two": ["./a.js"]}
    plain.deactivate()
    assert file.read_text() == '{"two": ["./a.js"]}'


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("gone", ["a", "b", "ab"])
def test_same_rules_of_two_plugins(plain: World, apart: bool, gone: str) -> None:
    """Each plugin has a block of its own."""
    file = write(plain.home / ".shared/AGENTS.md", "# mine\n")
    for plugin in "ab":
        plain.install(plugin, rules(plugin, "Be kind.\n", "h1"))
        if apart:
            plain.activate(plugin)
    plain.activate()
    assert file.read_text().count("Be kind.") == 2
    result = plain.deactivate(*gone)
    assert summary(result) == [(plugin, "h1", "removed") for plugin in gone]
    assert file.read_text().count("Be kind.") == 2 - len(gone)
    plain.deactivate()
    assert file.read_text() == "# mine\n"


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("before", [("h1",), ("h1", "h2")])
@pytest.mark.parametrize("chosen", [None, ["h2"], ["h1"]])
def test_upgrade_of_rules_that_hosts_share(
    plain: World, before: Sequence[str], chosen: Sequence[str] | None, replace: bool
) -> None:
    """There is one block of a plugin in a file, whichever host is updated first."""
    file = write(plain.home / ".shared/AGENTS.md", "# mine\n")
    plain.install("acme", rules("acme", "One.\n", *before))
    plain.activate()
    plain.install("acme", rules("acme", "Two.\n", "h1", "h2"), version="2.0")
    plain.activate(hosts=chosen, replace=replace)
    assert file.read_text() == "# mine\n\nTwo.\n"
    states = {row.state for row in plain.activate().rows}
    assert states <= {"unchanged", "updated", "placed"}
    assert file.read_text() == "# mine\n\nTwo.\n"
    assert {row.state for row in plain.activate().rows} == {"unchanged"}
    plain.deactivate()
    assert file.read_text() == "# mine\n"


def test_upgrade_of_a_key_that_hosts_share(plain: World) -> None:
    """A host that comes with a new version updates the plugin's key; other plugins may not."""

    def server(plugin: str, command: str, *hosts: str) -> dict[str, HostPlan]:
        files = (File(Dir("~/.shared"), "mcp.json"),)
        key = Key(files, "json", ("mcpServers", "db"), {"command": command}, event="mcp:db")
        return {name: host(name, {"user": [key]}, ()) for name in hosts}

    file = write(plain.home / ".shared/mcp.json", "{}")
    plain.install("acme", server("acme", "one", "h1"))
    plain.activate()
    plain.install("acme", server("acme", "two", "h1", "h2"), version="2.0")
    plain.install("other", server("other", "three", "h1"))
    result = plain.activate(hosts=["h2", "h1"])
    assert ("other", "h1", "failed") in summary(result)
    assert json.loads(file.read_text())["mcpServers"] == {"db": {"command": "two"}}
    plain.deactivate()
    assert file.read_text() == "{}"


@pytest.mark.parametrize("hosts", [("h",), ("h", "g")])
@pytest.mark.parametrize("guilty", ["a", "b"])
def test_entry_that_cannot_be_removed(plain: World, guilty: str, hosts: Sequence[str]) -> None:
    """A comment of the user's inside an entry stops its plugin in that host, and no other."""
    file = write(plain.home / ".h/settings.yaml", "x: 1\n")
    for plugin in "ab":
        plans = {name: hooks(("*", 10), name=name, format="yaml", list=name) for name in hosts}
        plain.install(plugin, plans)
        plain.activate(plugin)
    text = file.read_text()
    at = text.index("timeout", text.index(f"/{guilty}/launch"))
    file.write_text(f"{text[:at]}# why\n          {text[at:]}")
    result = plain.deactivate()
    wanted = [
        (plugin, name, "failed" if (plugin, name) == (guilty, hosts[0]) else "removed")
        for plugin in "ab"
        for name in hosts
    ]
    assert sorted(summary(result)) == sorted(wanted)
    (note,) = [row.note for row in result.rows if row.state == "failed"]
    assert note.startswith(f"{file}: ")
    assert note.count(str(file)) == 1
    left = file.read_text()
    assert left.count("/launch") == 1
    assert f"/{guilty}/launch" in left
    file.write_text(left.replace("# why\n          ", ""))
    assert summary(plain.deactivate()) == [(guilty, hosts[0], "removed")]
    assert file.read_text() == "x: 1\n"


def test_blank_line_before_what_is_left(plain: World) -> None:
    """A TOML file that began empty keeps no blank line of ours above what the user has added."""
    file = write(plain.home / ".h/settings.toml", "")
    for plugin in "ab":
        plain.install(plugin, {"h": hooks(("*", 10), format="toml")})
    plain.activate()
    file.write_text(file.read_text() + "# mine\n")
    plain.deactivate("a")
    plain.deactivate("b")
    assert file.read_text() == "# mine\n"
