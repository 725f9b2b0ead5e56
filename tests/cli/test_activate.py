"""``activate`` and ``diff``: what they select, write and print."""

from __future__ import annotations

import json
import shutil
import sys

from tests.activate.world import World, flat, grouped, snapshot, write
from tests.cli._world import run


def test_all_plugins_go_into_the_agents_on_this_machine(world: World) -> None:
    """Without arguments, activate takes every plugin and every detected agent."""
    world.install("acme")
    world.install("beta")
    done = run(world, "activate", "--yes")
    assert done.status == 0, done.err
    placed = {line.split()[0:2] == ["acme", "grouped"] for line in done.out.splitlines()}
    assert placed == {True, False}
    assert (world.home / ".grouped/settings.json").exists()
    assert not (world.home / ".owned").exists()


def test_deactivate_restores_every_byte(world: World) -> None:
    """A second activate writes nothing, and deactivate leaves the home folder as it was."""
    write(world.home / ".grouped/settings.json", '{ "mine": true }')
    before = snapshot(world.home)
    world.install("acme")
    assert run(world, "activate", "--yes", "--host", "*").status == 0
    placed = snapshot(world.home, times=True)
    assert run(world, "activate", "--yes", "--host", "*").status == 0
    assert snapshot(world.home, times=True) == placed
    done = run(world, "deactivate", "--yes")
    assert done.status == 0
    assert "until they are restarted" in done.err
    assert snapshot(world.home) == before


def test_dry_run_shows_edits_and_lists_own_files(world: World) -> None:
    """Only --full shows the content of our own files, and diff is the same as --dry-run."""
    world.install("acme")
    write(world.home / ".grouped/settings.json", '{\n  "mine": true\n}\n')
    before = snapshot(world.root, times=True)
    done = run(world, "activate", "--dry-run")
    assert done.status == 0
    assert f"+++ {world.home}/.grouped/settings.json" in done.out
    assert '-  "mine": true\n+  "mine": true,\n' in done.out
    named = [line.split() for line in done.out.splitlines() if line.startswith("created ")]
    assert named == [
        ["created", f"{size:,}", "bytes", *str(world.home / f".agent-plugin/acme/{name}").split()]
        for name in ("launch", "placed")
        if (size := len(_new_content(world, f".agent-plugin/acme/{name}")))
    ]
    assert "#!/bin/sh" not in done.out
    assert "placed acme" not in done.out
    assert snapshot(world.root, times=True) == before
    assert run(world, "diff").out == done.out
    full = run(world, "diff", "--full").out
    assert f"+++ {world.home}/.agent-plugin/acme/launch" in full
    assert "+#!/bin/sh" in full


def _new_content(world: World, path: str) -> bytes:
    """Return what activate would write to a file in the home folder."""
    diffs = world.activate("acme", hosts=["grouped", "flat"], dry_run=True).outcome.diffs
    (found,) = [one.after for one in diffs if one.path == world.home / path]
    assert found is not None
    return found


def test_dry_run_lists_modules_and_scripts(world: World) -> None:
    """The text of a whole module would hide the edits of the user's files."""
    world.install("acme")
    out = run(world, "activate", "--dry-run", "--host", "module,shims").out
    assert "export const l" not in out
    assert f"{world.home}/.config/module/plugin/acme.js" in out
    assert f"+++ {world.home}/.config/module/config.jsonc" in out
    run(world, "activate", "--yes", "--host", "module,shims")
    gone = run(world, "deactivate", "--dry-run").out
    assert "\nremoved " in f"\n{gone}"
    assert "--- " not in gone


def test_host_lists(world: World) -> None:
    """--host can be repeated, takes several agents with commas, and a star for all."""
    world.install("acme")
    rows = run(world, "activate", "--dry-run", "--json", "--host", "flat,owned",
               "--host", "shims").json["rows"]  # fmt: skip
    assert {row["host"] for row in rows} == {"flat", "owned", "shims"}
    rows = run(world, "activate", "--dry-run", "--json", "--host", "*").json["rows"]
    assert {row["host"] for row in rows} == {"grouped", "flat", "owned", "shims", "module"}


def test_plugin_names_in_any_spelling(world: World) -> None:
    """Case and separators in a plugin name do not matter."""
    world.install("my-plugin")
    assert run(world, "activate", "--yes", "My_Plugin").status == 0
    assert run(world, "deactivate", "--yes", "my.plugin").status == 0


def test_project_is_the_current_folder_or_the_named_one(world: World) -> None:
    """--project alone means the project scope."""
    world.install("acme", {"grouped": grouped()})
    assert run(world, "activate", "--yes", "--scope", "project").status == 0
    assert (world.project / ".grouped/settings.json").exists()
    assert run(world, "deactivate", "--yes", "--scope", "project").status == 0
    assert snapshot(world.project) == {}
    other = world.root / "other"
    other.mkdir()
    assert run(world, "activate", "--yes", "--project", str(other)).status == 0
    assert (other / ".grouped/settings.json").exists()


def test_home_folder_is_not_a_project(world: World) -> None:
    """Its project file would be the user's own settings file."""
    world.install("acme", {"grouped": grouped()})
    done = run(world, "activate", "--yes", "--scope", "project", cwd=world.home)
    assert done.status == 2
    assert "not a project" in done.err


def test_no_agent_on_this_machine(world: World) -> None:
    """The error lists the agents that the plugin supports."""
    shutil.rmtree(world.root / "bin")
    world.install("acme", {"flat": flat()})
    done = run(world, "activate", "--yes")
    assert done.status == 1
    assert "was found on this machine: flat; name one with --host" in done.err


def test_no_plugin_is_installed(world: World) -> None:
    """The error names the environment."""
    done = run(world, "activate", "--yes")
    assert done.status == 1
    assert sys.prefix in done.err


def test_broken_plan_does_not_stop_other_plugins(world: World) -> None:
    """It is reported, the other plugins are activated, and the exit status is 1."""
    world.install("acme", {"flat": flat()})
    bundle = world.install("evil", {"flat": flat()})
    plan = json.loads((bundle / "plan.json").read_bytes())
    plan["hosts"]["flat"]["scopes"]["user"][0]["files"][0]["path"] = "../../x"
    (bundle / "plan.json").write_text(json.dumps(plan))
    done = run(world, "activate", "--yes")
    assert done.status == 1
    assert "'../../x' leaves its folder" in done.err
    assert "evil" not in done.out
    assert "acme" in done.out


def test_one_failing_agent_does_not_stop_the_others(world: World) -> None:
    """A file that cannot be parsed is named and left alone; the exit status is 1."""
    broken = write(world.home / ".grouped/settings.json", "{ broken")
    world.install("acme")
    done = run(world, "activate", "--yes")
    assert done.status == 1
    assert f"{broken}: line 1" in done.err
    assert (world.home / ".flat/hooks.json").exists()
    assert broken.read_text() == "{ broken"


def test_control_characters_are_escaped(world: World) -> None:
    """A plan cannot control the terminal: `run` refuses escape sequences in the output."""
    odd = flat("flat", ("turn-end",))
    plan = type(odd)(**{**vars(odd), "after": {"user": ("say \x1b[31mred\x1b[0m\x07",)}})
    world.install("acme", {"flat": plan})
    done = run(world, "activate", "--yes")
    assert r"\x1b[31mred" in done.err


def test_next_steps_are_shown(world: World) -> None:
    """activate and status show what the user must do in the agent."""
    world.install("acme", {"grouped": grouped(after={"user": ("review with /hooks",)})})
    done = run(world, "activate", "--yes")
    assert "next grouped: review with /hooks" in done.err
    status = run(world, "status").out
    assert "needs review" in status
    assert "review with /hooks" in status


def test_started_with_an_empty_name_in_the_import_path(world: World) -> None:
    """As ``python -c`` does it: the name means the current folder."""
    code = "import sys; from hatch_agentplugin.cli import main; sys.exit(main())"
    shell = f"shift 5; exec {sys.executable} -c '{code}' \"$@\""
    world.install("acme", {"flat": flat()})
    for state in ("placed", "unchanged"):
        done = run(world, "activate", "--yes", "--host", "flat", shell=shell)
        assert done.status == 0, done.err
        assert state in done.out


def test_json_is_one_document_on_standard_output(world: World) -> None:
    """Every command that knows --json prints exactly one document."""
    world.install("acme")
    result = run(world, "activate", "--yes", "--json").json
    assert result["ok"] is True
    assert result["dry_run"] is False
    assert {row["state"] for row in result["rows"]} == {"placed"}
    assert {"path", "change"} == set(result["files"][0])
    rows = run(world, "status", "--json").json["plugins"][0]["hooks"]
    assert {row["placed"] for row in rows} == {"placed"}
    hosts = {row["host"]: row for row in run(world, "hosts", "--json").json["hosts"]}
    assert hosts["grouped"]["found"] == str(world.root / "bin/grouped")
    assert hosts["owned"]["found"] is None
    assert hosts["grouped"]["active"] == ["acme"]
    assert run(world, "deactivate", "--yes", "--json").json["ok"] is True
    assert run(world, "restore", "--json").json == {"backups": []}
