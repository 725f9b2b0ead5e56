"""``status`` and ``doctor``: what they report, and how."""

from __future__ import annotations

from tests.activate.world import World, flat, grouped, snapshot, write
from tests.cli._world import run


def test_status_without_an_active_plugin(world: World) -> None:
    """It says so, and lists installed plugins as not active."""
    done = run(world, "status")
    assert done.status == 0
    assert "no plugin is active" in done.err
    world.install("acme", {"flat": flat()})
    assert "not active" in run(world, "status").out
    assert snapshot(world.home) == {}


def test_edited_entry_is_a_note_and_a_removed_one_a_problem(world: World) -> None:
    """doctor gives advice for both; only the removed entry does not run."""
    world.install("acme")
    run(world, "activate", "--yes", "--host", "grouped")
    file = world.home / ".grouped/settings.json"
    file.write_text(file.read_text().replace('"timeout": 10', '"timeout": 60'))
    done = run(world, "doctor", "--json")
    assert (done.status, done.json["problems"]) == (0, [])
    assert any("--replace acme` writes ours again" in note for note in done.json["notes"])
    lines = run(world, "status", "--json").json["plugins"][0]["hooks"]
    assert {(line["placed"], line["accepted"]) for line in lines} == {("edited", "unknown")}
    file.write_text("{}")
    run(world, "activate", "--yes", "--host", "grouped", "--scope", "project", "--replace")
    (world.project / ".grouped/settings.json").unlink()
    done = run(world, "doctor", "--json")
    assert done.status == 1
    again = f"activate --replace --scope project --project {world.project} acme` writes it again"
    assert sum(again in text for text in done.json["problems"]) == 3
    run(world, "deactivate", "--yes", "--scope", "project")
    done = run(world, "doctor", "--json")
    assert all("--replace acme` writes it again" in text for text in done.json["problems"])
    lines = run(world, "status", "--json").json["plugins"][0]["hooks"]
    assert {(line["placed"], line["accepted"]) for line in lines} == {("removed", "no")}


def test_doctor_finds_and_fixes_a_missing_launcher(world: World) -> None:
    """With --fix it also removes the hooks of an uninstalled plugin."""
    world.install("acme", {"grouped": grouped(), "flat": flat()})
    run(world, "activate", "--yes")
    done = run(world, "doctor")
    assert done.status == 0, done.out + done.err
    assert "no problems found" in done.out
    (world.state / "acme/launch").unlink()
    done = run(world, "doctor", "--json")
    assert done.status == 1
    assert any("launcher is gone" in problem for problem in done.json["problems"])
    assert any(shot["status"] == 127 for shot in done.json["shots"])
    done = run(world, "doctor", "--fix")
    assert done.status == 0, done.out + done.err
    assert f"note: updated acme: {world.state}/acme/launch" in done.err
    world.uninstall("acme")
    done = run(world, "doctor", "--fix")
    assert done.status == 0
    assert "of acme in grouped: " in done.err  # the file itself is not removed
    assert snapshot(world.home) == {}


def test_doctor_reports_a_switch_once_for_all_agents(world: World) -> None:
    """A switch belongs to the plugin."""
    world.install("acme", {name: grouped(name) for name in ("grouped", "second")})
    run(world, "activate", "--yes", "--host", "grouped,second")
    assert run(world, "disable", "acme", "turn-end").status == 0
    notes = run(world, "doctor", "--json").json["notes"]
    assert [note for note in notes if "switched off" in note] == [
        "acme, turn-end: switched off; `python -m hatch_agentplugin.cli enable acme` switches it on"
    ]


def test_doctor_shows_the_log_without_tabs(world: World) -> None:
    """A tab is a control character."""
    world.install("acme", {"grouped": grouped()})
    run(world, "activate", "--yes")
    write(world.state / "acme/log", "now\tgrouped\tturn-end\n")
    assert "log of acme: now grouped turn-end\n" in run(world, "doctor").err.replace("  ", " ")
