"""activate, deactivate, diff, prune, restore, status, hosts, doctor: options, output, exit status."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.activate.world import (
    TREE,
    World,
    flat,
    grouped,
    snapshot,
    write,
)
from tests.cli._world import Ran, run


def test_activate_wires_the_hosts_that_are_present(world: World) -> None:
    """By default all plugins of the environment, in the agents of the machine."""
    world.install("acme")
    world.install("beta")
    done = run(world, "activate", "--yes")
    assert done.status == 0, done.err
    placed = {line.split()[0:2] == ["acme", "grouped"] for line in done.out.splitlines()}
    assert placed == {True, False}
    assert (world.home / ".grouped/settings.json").exists()
    assert not (world.home / ".owned").exists()


def test_there_and_back_by_the_command_line(world: World) -> None:
    write(world.home / ".grouped/settings.json", '{ "mine": true }')
    before = snapshot(world.home)
    world.install("acme")
    assert run(world, "activate", "--yes", "--host", "*").status == 0
    placed = snapshot(world.home, times=True)
    assert run(world, "activate", "--yes", "--host", "*").status == 0
    assert snapshot(world.home, times=True) == placed
    done = run(world, "deactivate", "--yes")
    assert done.status == 0
    assert "until they are started again" in done.err
    assert snapshot(world.home) == before


@pytest.mark.parametrize("command", ["activate", "deactivate", "prune"])
def test_nobody_to_ask_is_wrong_usage(world: World, command: str) -> None:
    """Without a terminal nothing is changed unless the user says yes beforehand."""
    world.install("acme")
    before = snapshot(world.home)
    done = run(world, command)
    assert done.status == 2
    assert "--yes" in done.err
    assert snapshot(world.home) == before


def test_dry_run_prints_what_would_be_edited(world: World) -> None:
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
        if (size := len(_after(world, f".agent-plugin/acme/{name}")))
    ]
    assert "#!/bin/sh" not in done.out
    assert "placed acme" not in done.out
    assert snapshot(world.root, times=True) == before
    assert run(world, "diff").out == done.out
    full = run(world, "diff", "--full").out
    assert f"+++ {world.home}/.agent-plugin/acme/launch" in full
    assert "+#!/bin/sh" in full


def _after(world: World, path: str) -> bytes:
    """What a file will hold."""
    diffs = world.activate("acme", hosts=["grouped", "flat"], dry_run=True).outcome.diffs
    (found,) = [one.after for one in diffs if one.path == world.home / path]
    assert found is not None
    return found


def test_dry_run_of_modules_and_scripts_names_them(world: World) -> None:
    """A whole module would hide what is edited in a file of the user's."""
    world.install("acme")
    out = run(world, "activate", "--dry-run", "--host", "module,shims").out
    assert "export const l" not in out
    assert f"{world.home}/.config/module/plugin/acme.js" in out
    assert f"+++ {world.home}/.config/module/config.jsonc" in out
    run(world, "activate", "--yes", "--host", "module,shims")
    gone = run(world, "deactivate", "--dry-run").out
    assert "\nremoved " in f"\n{gone}"
    assert "--- " not in gone


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["activate", "--json"], 2),
        (["activate", "nobody", "--yes", "--json"], 2),
        (["activate", "--yes", "--json"], 1),
        (["activate", "--json", "--no-such-option"], 2),
        (["deactivate", "--yes", "--json", "--scope", "nowhere"], 2),
        (["restore", "--yes", "--json", "/no/such/file"], 2),
        (["status", "--json", "nobody"], 2),
        (["doctor", "--json", "--root", "/"], 2),
        (["simulate", "--json", "nobody", "--event", "turn-end"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_json_of_an_error_is_a_document_too(world: World, words: list[str], status: int) -> None:
    """With the exit status and the words that it has without."""
    done = run(world, *words)
    assert done.status == status
    assert done.json["ok"] is False
    assert done.json["error"]
    assert done.json["error"].splitlines()[0] in done.err


def test_json_of_a_bug_or_of_a_locked_folder(world: World) -> None:
    world.install("acme")
    write(world.home / ".agent-plugin", "a file")
    done = run(world, "activate", "--yes", "--json")
    assert (done.status, done.json["ok"]) == (1, False)
    assert str(world.home / ".agent-plugin") in done.json["error"]


@pytest.mark.skipif(os.name == "nt", reason="a script with a shebang")
@pytest.mark.parametrize("on_path", [True, False])
def test_name_under_which_a_plugin_brings_the_commands(world: World, on_path: bool) -> None:
    """Whoever installed by pipx has no `agent-plugin`: advice names what there is."""
    world.install("acme")
    run(world, "activate", "--yes")
    world.uninstall("acme")
    script = write(
        world.root / ("bin" if on_path else "venv") / "acme-plugin",
        f"#!{sys.executable}\nimport sys\nfrom hatch_agentplugin.cli import main\nsys.exit(main())\n",
        0o755,
    )
    advice = "`acme-plugin prune`" if on_path else f"`{shlex.quote(str(script))} prune`"
    assert f"{advice} takes it back" in run(world, "status", program=str(script)).out
    usage = run(world, "prune", "--help", program=str(script)).out
    assert usage.startswith("usage: acme-plugin prune ")
    version = run(world, "--version", program=str(script)).out
    assert version.startswith("agent-plugin ")
    assert version.endswith(", as acme-plugin\n")


def test_what_the_user_has_changed_is_no_problem(world: World) -> None:
    """Doctor says what can be done about it; what was taken out does not run, and is one."""
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


def test_json_is_one_document_on_standard_output(world: World) -> None:
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


def test_one_failing_host_gives_status_1_and_the_others_are_done(world: World) -> None:
    broken = write(world.home / ".grouped/settings.json", "{ broken")
    world.install("acme")
    done = run(world, "activate", "--yes")
    assert done.status == 1
    assert f"{broken}: line 1" in done.err
    assert (world.home / ".flat/hooks.json").exists()
    assert broken.read_text() == "{ broken"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["activate", "--yes", "acmee"], 'no plugin "acmee" here; did you mean "acme"?'),
        (["activate", "--yes", "--host", "flta"], 'no agent "flta"; did you mean "flat"?'),
        (["activate", "--yes", "--host", ","], "--host names no agent"),
        (["activate", "--yes", "--scope", "team"], "invalid choice"),
        (["activate", "--yes", "--project", "/nowhere"], "not a folder"),
        (["activate", "--yes", "--project", ".", "--scope", "user"], "does not go with"),
        (["deactivate", "--yes", "acmee"], 'did you mean "acme"?'),
        (["restore", "--yes", "x.json"], "no backup"),
        (["bogus"], "invalid choice"),
        ([], "required"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_gives_status_2_and_the_nearest_name(
    world: World, arguments: list[str], said: str
) -> None:
    world.install("acme")
    before = snapshot(world.home)
    done = run(world, *arguments)
    assert done.status == 2
    assert said in done.err
    assert snapshot(world.home) == before


def test_host_lists(world: World) -> None:
    """Repeated, with commas, and all of them."""
    world.install("acme")
    rows = run(world, "activate", "--dry-run", "--json", "--host", "flat,owned",
               "--host", "shims").json["rows"]  # fmt: skip
    assert {row["host"] for row in rows} == {"flat", "owned", "shims"}
    rows = run(world, "activate", "--dry-run", "--json", "--host", "*").json["rows"]
    assert {row["host"] for row in rows} == {"grouped", "flat", "owned", "shims", "module"}


def test_plugin_names_in_any_spelling(world: World) -> None:
    world.install("my-plugin")
    assert run(world, "activate", "--yes", "My_Plugin").status == 0
    assert run(world, "deactivate", "--yes", "my.plugin").status == 0


def test_project_is_the_folder_at_hand(world: World) -> None:
    """Or the one that is named, which means the project scope."""
    world.install("acme", {"grouped": grouped()})
    assert run(world, "activate", "--yes", "--scope", "project").status == 0
    assert (world.project / ".grouped/settings.json").exists()
    assert run(world, "deactivate", "--yes", "--scope", "project").status == 0
    assert snapshot(world.project) == {}
    other = world.root / "other"
    other.mkdir()
    assert run(world, "activate", "--yes", "--project", str(other)).status == 0
    assert (other / ".grouped/settings.json").exists()


def test_deactivate_in_one_project_leaves_the_others(world: World) -> None:
    """Placements in another project stay, and so do their files."""
    world.install("acme", {"grouped": grouped()})
    one, two = world.root / "one", world.root / "two"
    for project in (one, two):
        project.mkdir()
        assert run(world, "activate", "--yes", "--project", str(project)).status == 0
    placed = snapshot(two)
    assert run(world, "deactivate", "--yes", "--project", str(one)).status == 0
    assert snapshot(one) == {}
    assert snapshot(two) == placed


def test_home_is_no_project(world: World) -> None:
    """Else the project's file would be the user's."""
    world.install("acme", {"grouped": grouped()})
    done = run(world, "activate", "--yes", "--scope", "project", cwd=world.home)
    assert done.status == 2
    assert "not a project" in done.err


def test_no_host_on_the_machine_says_which_are_known(world: World) -> None:
    shutil.rmtree(world.root / "bin")
    world.install("acme", {"flat": flat()})
    done = run(world, "activate", "--yes")
    assert done.status == 1
    assert "flat; --host names one" in done.err


def test_no_plugin_installed_says_where(world: World) -> None:
    done = run(world, "activate", "--yes")
    assert done.status == 1
    assert sys.prefix in done.err


def test_broken_plan_does_not_hold_up_the_others(world: World) -> None:
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


def test_control_characters_are_shown_and_not_obeyed(world: World) -> None:
    """A plan can't paint the terminal: the runner of these tests refuses escapes in output."""
    odd = flat("flat", ("turn-end",))
    plan = type(odd)(**{**vars(odd), "after": {"user": ("say \x1b[31mred\x1b[0m\x07",)}})
    world.install("acme", {"flat": plan})
    done = run(world, "activate", "--yes")
    assert r"\x1b[31mred" in done.err


def test_next_steps_are_told(world: World) -> None:
    world.install("acme", {"grouped": grouped(after={"user": ("review with /hooks",)})})
    done = run(world, "activate", "--yes")
    assert "next grouped: review with /hooks" in done.err
    status = run(world, "status").out
    assert "needs review" in status
    assert "review with /hooks" in status


def test_deactivate_takes_what_this_environment_placed(world: World) -> None:
    """What another one placed needs to be named."""
    world.install("acme", {"flat": flat()}, environment="other")
    world.activate(environment="other")
    assert "status` shows what is placed" in run(world, "deactivate", "--yes").err
    assert "status` shows what is placed" in run(world, "prune", "--yes").err
    assert (world.home / ".flat").exists()
    assert run(world, "deactivate", "--yes", "acme").status == 0
    assert not (world.home / ".flat").exists()


def test_prune(world: World) -> None:
    world.install("acme", {"flat": flat()})
    run(world, "activate", "--yes")
    world.uninstall("acme")
    done = run(world, "status")
    assert "hatch_agentplugin.cli prune` takes it back" in done.out
    assert run(world, "prune", "--yes").status == 0
    assert snapshot(world.home) == {}


def test_restore_lists_and_gives_back(world: World) -> None:
    file = write(world.home / ".grouped/settings.json", '{"mine": 1}')
    world.install("acme", {"grouped": grouped()})
    run(world, "activate", "--yes")
    assert str(file) in run(world, "restore").out
    assert run(world, "restore", str(file)).status == 2, "it asks, too"
    assert run(world, "restore", "--yes", str(file)).status == 0
    assert file.read_text() == '{"mine": 1}'


def test_doctor_names_a_switch_once_for_all_agents(world: World) -> None:
    world.install("acme", {name: grouped(name) for name in ("grouped", "second")})
    run(world, "activate", "--yes", "--host", "grouped,second")
    assert run(world, "disable", "acme", "turn-end").status == 0
    notes = run(world, "doctor", "--json").json["notes"]
    assert [note for note in notes if "switched off" in note] == [
        "acme, turn-end: switched off; `python -m hatch_agentplugin.cli enable acme` switches it on"
    ]


def test_doctor_shows_the_log_as_text(world: World) -> None:
    world.install("acme", {"grouped": grouped()})
    run(world, "activate", "--yes")
    write(world.state / "acme/log", "now\tgrouped\tturn-end\n")
    assert "log of acme: now grouped turn-end\n" in run(world, "doctor").err.replace("  ", " ")


def test_status_without_anything(world: World) -> None:
    done = run(world, "status")
    assert done.status == 0
    assert "no plugin is active" in done.err
    world.install("acme", {"flat": flat()})
    assert "not active" in run(world, "status").out
    assert snapshot(world.home) == {}


def test_doctor_is_well_and_then_not(world: World) -> None:
    world.install("acme", {"grouped": grouped(), "flat": flat()})
    run(world, "activate", "--yes")
    done = run(world, "doctor")
    assert done.status == 0, done.out + done.err
    assert "all is well" in done.out
    (world.state / "acme/launch").unlink()
    done = run(world, "doctor", "--json")
    assert done.status == 1
    assert any("launcher is gone" in problem for problem in done.json["problems"])
    assert any(check["status"] == 127 for check in done.json["checks"])
    done = run(world, "doctor", "--fix")
    assert done.status == 0, done.out + done.err
    assert f"note: updated acme: {world.state}/acme/launch" in done.err
    world.uninstall("acme")
    done = run(world, "doctor", "--fix")
    assert done.status == 0
    assert "of acme in grouped: " in done.err  # a file alone would read as if it were removed
    assert snapshot(world.home) == {}


@pytest.mark.parametrize(
    "arguments",
    [["activate", "--yes"], ["activate", "--dry-run"], ["deactivate", "--yes"], ["prune", "--yes"],
     ["status"], ["doctor"], ["doctor", "--fix"], ["restore"]],
    ids=" ".join,
)  # fmt: skip
def test_file_where_our_folder_should_be(world: World, arguments: list[str]) -> None:
    """Is named, and is no bug of ours; nothing is written."""
    world.install("acme", {"grouped": grouped()})
    write(world.state, "mine")
    before = snapshot(world.home)
    done = run(world, *arguments)
    assert done.status == 1
    assert f"{world.state}{os.sep}" in done.err
    assert "a part of its path is a file, not a folder" in done.err
    assert snapshot(world.home) == before


@pytest.mark.skipif(os.name == "nt", reason="a folder in use can't be removed there")
def test_working_folder_is_gone(world: World, tmp_path: Path) -> None:
    """Only what needs it is refused, in words."""
    world.install("acme", {"grouped": grouped()})

    def from_nowhere(*arguments: str) -> Ran:
        folder = tmp_path / "gone"
        folder.mkdir()
        return run(
            world,
            *arguments,
            shell=f'cd {folder} && PATH=/bin:/usr/bin rmdir {folder} && exec "$@"',
        )

    assert from_nowhere("activate", "--yes").status == 0
    assert "acme" in from_nowhere("status").out
    done = from_nowhere("activate", "--scope", "project", "--yes")
    assert (done.status, "working folder is gone" in done.err) == (2, True)
    done = from_nowhere("restore", "file", "--yes")
    assert (done.status, "working folder is gone" in done.err) == (1, True)


@pytest.mark.skipif(os.name == "nt", reason="sh")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(world: World, closed: str) -> None:
    """The work is done all the same, and no file of ours takes their place."""
    world.install("acme", {"grouped": grouped()})
    assert run(world, "activate", "--yes", shell=f'exec "$@" {closed}').status == 0
    assert run(world, "activate", "--yes").out.count("unchanged") == 1
    assert run(world, "status", shell=f'exec "$@" {closed}').status == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_output_that_cannot_be_written(world: World) -> None:
    world.install("acme", {"flat": flat()})
    activate = "activate --yes --host flat"
    for words in ("--version", "status --help", "matrix", "hosts", activate, activate):
        done = run(world, *words.split(), shell='exec "$@" >/dev/full')
        assert (done.status, done.err) == (1, "error: No space left on device\n"), words


@pytest.mark.skipif(os.name == "nt", reason="sh")
@pytest.mark.parametrize(
    ("as_program", "answer", "goes"),
    [
        ("main()", "BrokenPipeError", "1 nowhere"),
        ("main(['--version'])", "BrokenPipeError", "1 on"),
        ("main()", "KeyboardInterrupt", "130 nowhere"),
        ("main(['--version'])", "KeyboardInterrupt", "130 on"),
    ],
)
def test_output_that_stops_at_its_end(
    world: World, tmp_path: Path, as_program: str, answer: str, goes: str
) -> None:
    """Where we are the program nothing is written at exit; another's stream is left alone."""
    file = write(
        tmp_path / "caller.py",
        f"""\
import os, sys
from hatch_agentplugin.cli import main

class Stops:
    encoding = "utf-8"
    def write(self, text): pass
    def isatty(self): return False
    def flush(self): raise {answer}

sys.stdout = Stops()
sys.argv = ["agent-plugin", "--version"]
status = {as_program}
sys.stdout = sys.__stdout__
where = "on" if os.path.sameopenfile(1, 9) else "nowhere"
os.write(9, f"{{status}} {{where}}".encode())
""",
    )
    done = run(world, str(file), program=sys.executable, shell='exec "$@" 9>&1')
    assert done.out == goes
    assert done.err == ("error: interrupted\n" if answer == "KeyboardInterrupt" else "")


@pytest.mark.parametrize(
    ("words", "is_document"),
    [
        (["--json", "nobody"], True),
        (["--jso", "nobody"], True),
        (["--j", "--scope", "nowhere"], True),
        (["--", "--json"], False),
        (["--project", ".", "nobody"], False),
    ],
)
def test_error_is_a_document_where_one_was_asked_for(
    world: World, words: list[str], is_document: bool
) -> None:
    """As argparse understands the line, and where it does not, as it looks."""
    done = run(world, "status", *words)
    assert done.status == 2
    assert (done.out != "" and done.json["ok"] is False) == is_document


def test_every_command_has_help(world: World) -> None:
    overview = run(world, "--help").out
    for command in ("activate", "deactivate", "status", "hosts", "diff", "doctor", "prune",
                    "restore"):  # fmt: skip
        assert command in overview
        assert f"hatch_agentplugin.cli {command}" in run(world, command, "--help").out
    assert run(world, "--version").out.startswith("agent-plugin ")


def test_bug_of_ours_is_one_line(world: World) -> None:
    """The traceback is for those who ask for it."""
    (world.state / "_place").mkdir(parents=True)
    write(world.state / "_place/ledger.json", "{}")
    done = run(world, "activate", "--yes", "--host", "flat")
    assert done.status in (1, 2)
    assert done.err.startswith("error: ")


def test_what_only_a_build_needs_is_not_imported() -> None:
    """A user's environment has none of these packages."""
    code = (
        "import sys\n"
        "import hatch_agentplugin.cli\n"
        "hatch_agentplugin.cli.main(['status'])\n"
        "print(sorted({'pydantic', 'pluggy', 'jinja2', 'hatchling'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=TREE, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(("answer", "placed"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_on_a_terminal_it_shows_the_commands_and_asks(
    world: World, answer: str, placed: bool
) -> None:
    world.install("acme", {"flat": flat()})
    out = on_terminal(world, answer, "activate")
    assert "launch' flat pre-tool-use" in out
    assert "~/.flat/hooks.json" in out
    assert "Place them? [y/N]" in out
    assert (world.home / ".flat/hooks.json").exists() is placed
    assert ("nothing was changed" in out) is not placed


def test_on_a_terminal_a_file_that_is_gone_comes_back(world: World) -> None:
    file = write(world.home / ".grouped/settings.json", '{"mine": 1}')
    world.install("acme", {"grouped": grouped()})
    run(world, "activate", "--yes")
    file.unlink()
    assert '+{"mine": 1}' in on_terminal(world, "y\n", "restore", str(file))
    assert file.read_text() == '{"mine": 1}'


def test_import_path_with_the_working_folder(world: World) -> None:
    """As ``python -c`` has it, by an empty name."""
    code = "import sys; from hatch_agentplugin.cli import main; sys.exit(main())"
    shell = f"shift 5; exec {sys.executable} -c '{code}' \"$@\""
    world.install("acme", {"flat": flat()})
    for state in ("placed", "unchanged"):
        done = run(world, "activate", "--yes", "--host", "flat", shell=shell)
        assert done.status == 0, done.err
        assert state in done.out


@pytest.mark.parametrize("named", [(), ("acme",), ("--host", "flat")])
def test_deactivate_tells_what_it_had_to_mend(world: World, named: tuple[str, ...]) -> None:
    """Once, whatever of the ledger it has to know first."""
    world.install("acme", {"flat": flat()})
    run(world, "activate", "--yes", "--host", "flat")
    write(world.state / "_place/ledger.json", "{")
    done = run(world, "deactivate", "--yes", *named)
    assert (done.status, done.err.count("its copy is used")) == (0, 1), done.err


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_colours_are_for_the_stream_that_is_a_terminal(world: World, stream: str) -> None:
    world.install("acme", {"grouped": grouped()})
    run(world, "activate", "--yes", "--host", "grouped")
    master, slave = pty.openpty()
    for words, status, coloured in (
        ("status", 0, "stdout"),
        ("activate --yes --host grouped --project .", 1, "stderr"),  # the user has it already
    ):
        done = subprocess.run(
            [sys.executable, "-m", "hatch_agentplugin.cli", *words.split()],
            env={**world.environ, "PYTHONPATH": f"{TREE}:{world.site()}", "TERM": "xterm"},
            cwd=world.project, stdin=subprocess.DEVNULL, check=False,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: slave},
        )  # fmt: skip
        assert done.returncode == status
        assert b"\x1b" not in (done.stdout or done.stderr or b"")
        os.write(slave, b"end")
        shown = b""
        while not shown.endswith(b"end"):
            shown += os.read(master, 65536)
        assert (b"\x1b" in shown) is (stream == coloured), words
    os.close(slave)
    os.close(master)


def on_terminal(world: World, answer: str, *arguments: str) -> str:
    """Run a command on a pseudo terminal without colours, give it an answer; all it shows."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hatch_agentplugin.cli", *arguments],
        env={**world.environ, "PYTHONPATH": f"{TREE}:{world.site()}", "NO_COLOR": "1"},
        cwd=world.project, stdin=slave, stdout=slave, stderr=slave, close_fds=True,
    )  # fmt: skip
    os.close(slave)
    shown = b""
    deadline = time.monotonic() + 60
    asked = False
    while time.monotonic() < deadline:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
        if b"[y/N]" in shown and not asked:
            asked = True
            os.write(master, answer.encode())
    process.wait(60)
    os.close(master)
    text = shown.decode("utf-8", "replace")
    assert "\x1b" not in text
    return text
