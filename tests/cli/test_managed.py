"""The managed scope: prepare an image, and run it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hatch_agentplugin.activate import local_store
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.cli.permissions import permission_notes
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State
from tests.activate.world import World, snapshot
from tests.cases._machine import HOSTS, install, write
from tests.cli._image import MANAGED, Image, needs_root_change
from tests.cli._world import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="uses the folders of Linux")

CLAUDE = "etc/claude-code/managed-settings.json"
STATE = "var/lib/agent-plugin"
DANGER = {"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}
SAFE = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Return an image in which nothing is active."""
    return Image.make(tmp_path_factory.mktemp("managed") / "it's ü")


@pytest.fixture
def image(prepared: Image, tmp_path: Path) -> Image:
    """Return a copy of the prepared image."""
    copy = Image(tmp_path / "image", tmp_path / "admin")
    shutil.copytree(prepared.root, copy.root, symlinks=True)
    copy.outside.mkdir()
    return copy


def hook(image: Image, event: str = "PreToolUse") -> str:
    """Return the command that Claude Code runs for an event."""
    (group,) = image.json(CLAUDE)["hooks"][event]
    return str(group["hooks"][0]["command"])


@needs_root_change
def test_hooks_fire_in_the_running_image(image: Image) -> None:
    """A handler denies, a command runs, and their data is in the home folder of the user."""
    assert image.run("activate", "--yes").status == 0
    assert hook(image).startswith("/var/lib/agent-plugin/acme/launch ")
    denied = image.within(hook(image), DANGER)
    assert (denied.status, denied.err) == (0, "")
    assert '"deny"' in denied.out
    assert image.within(hook(image), SAFE).out == ""
    before = snapshot(image.root / STATE)
    started = image.within(hook(image, "SessionStart"), {"session_id": "s"})
    assert (started.status, started.out, started.err) == (0, "", "")
    own = image.root / "home/user/.agent-plugin/acme"
    assert sorted(path.name for path in (own / "fired").iterdir()) == [
        "claude-code.pre-tool-use", "claude-code.session-start",
    ]  # fmt: skip
    assert (own / "data/out").read_text() == "claude-code\n"
    assert snapshot(image.root / STATE) == before


@needs_root_change
@pytest.mark.parametrize(
    ("named", "home", "state"),
    [
        ("/home/user/elsewhere", "/home/user", "elsewhere"),
        ("~/else where", "/home/user", "else where"),
        ("relative", "/home/user", ".agent-plugin"),
        ("", "", None),
    ],
)
def test_state_folder_is_the_users(image: Image, named: str, home: str, state: str | None) -> None:
    """It is never below the current folder, and without a home folder there is none."""
    image.run("activate", "--yes", "--host", "claude-code")
    before = snapshot(image.root)
    fired = image.within(hook(image), DANGER, HOME=home, AGENT_PLUGIN_HOME=named)
    assert '"deny"' in fired.out
    new = {name.split("/")[2] for name in set(snapshot(image.root)) - set(before)
           if name.startswith("home/user/")}  # fmt: skip
    assert new == ({state} if state else set())


def test_no_file_contains_the_path_of_the_image(image: Image) -> None:
    """Neither settings nor launchers; and the administrator's home folder stays empty."""
    before = snapshot(image.root)
    assert image.run("activate", "--yes").status == 0
    after = snapshot(image.root)
    new = {name: after[name] for name in after if before.get(name) != after[name]}
    assert set(MANAGED) == {"claude-code", "copilot-cli", "gemini-cli", "windsurf"}
    for name in (CLAUDE, "etc/github-copilot/policy.d/acme.json", "etc/gemini-cli/settings.json",
                 "etc/windsurf/hooks.json", f"{STATE}/acme/launch"):  # fmt: skip
        assert name in new
    for name, (_, content) in new.items():
        assert str(image.root).encode() not in (content or b""), name
    assert snapshot(image.outside) == {}


def test_all_users_can_read_the_files_whatever_the_umask(image: Image) -> None:
    """Only backups and the lock are private."""
    before = snapshot(image.root)
    assert image.run("activate", "--yes", umask=0o077).status == 0
    after = snapshot(image.root)
    private = [name for name in after if name not in before
               and not stat.S_IMODE(after[name][0]) & 0o004]  # fmt: skip
    assert private == [f"{STATE}/_place/backups", f"{STATE}/_place/lock"]
    assert stat.S_IMODE(after[f"{STATE}/acme/launch"][0]) == 0o755


def test_deactivate_restores_every_byte(image: Image) -> None:
    """The policy file of a company has its bytes and mode again, and no file of ours is left."""
    write(image.root / CLAUDE, '// policy\n{"env": {"A": "1"},\n\n "hooks": {"Stop": [ ]}}', 0o640)
    before = snapshot(image.root)
    assert image.run("activate", "--yes").status == 0
    changed = snapshot(image.root, times=True)
    assert image.run("activate", "--yes").status == 0
    assert snapshot(image.root, times=True) == changed
    done = image.run("deactivate", "--yes")
    assert (done.status, "removed" in done.out) == (0, True)
    assert snapshot(image.root) == before


def test_restore_prune_and_diff(image: Image) -> None:
    """They work in an image, too."""
    file = write(image.root / CLAUDE, '{"env": {}}')
    shown = image.run("diff")
    assert (shown.status, '"hooks"' in shown.out) == (0, True)
    assert not (image.root / STATE).exists()
    image.run("activate", "--yes")
    assert image.run("restore", "--json").json["backups"][0]["path"] == str(file)
    assert image.run("restore", str(file), "--yes").status == 0
    assert file.read_text() == '{"env": {}}'
    image.run("activate", "--yes")
    for path in image.site.glob("acme[_-]*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert "package is gone from" in image.run("status").out
    assert image.run("prune", "--yes").status == 0
    assert file.read_text() == '{"env": {}}'
    # What restore has replaced is still a backup.
    assert {one["path"] for one in image.run("restore", "--json").json["backups"]} == {str(file)}


def test_status_and_doctor(image: Image) -> None:
    """They read the files; commands fire only in the running image."""
    image.run("activate", "--yes")
    (plugin,) = image.run("status", "--json").json["plugins"]
    lines = plugin["hooks"]
    assert {line["host"] for line in lines} == set(MANAGED)
    assert {(line["placed"], line["accepted"], line["fired"]) for line in lines} == {
        ("placed", "yes", None)
    }
    checked = image.run("doctor", "--json")
    assert checked.json["checks"] == []
    assert any("the image is not running" in note for note in checked.json["notes"])
    (image.root / STATE / "acme/launch").unlink()
    assert image.run("doctor").status == 1
    assert image.run("doctor", "--fix").status in (0, 1)
    assert (image.root / STATE / "acme/launch").exists()


def test_note_on_an_interpreter_outside_the_image(image: Image) -> None:
    """The interpreter of an environment links to one of the system."""
    told = image.run("activate", "--yes").err
    real = os.path.realpath(image.root / "opt/acme/bin/python")
    if str(image.root) not in real:
        assert "/opt/acme/bin/python links to a program that" in told
        assert "is not in the image" in image.run("status").out
        write(image.root / real.lstrip("/"), "")
        target = os.readlink(image.root / "opt/acme/bin/python")
        if not (image.root / target.lstrip("/")).exists():
            write(image.root / target.lstrip("/"), "")
        assert "is not in the image" not in image.run("status").out


def test_note_on_agents_without_a_managed_scope(image: Image) -> None:
    """It names eight of them; an agent that is named with --host gets a row."""
    told = image.run("activate", "--yes", "--json").json
    (note,) = [text for text in told["notes"] if text.startswith("no settings for all users")]
    listed = note.partition(" known for ")[2].partition(" and ")[0].split(", ")
    assert len(listed) == 8
    assert {"codex"} <= set(listed) <= set(HOSTS) - set(MANAGED)
    assert "hosts` lists the scopes of each" in note
    named = image.run("activate", "--yes", "--json", "--host", "codex").json
    (row,) = named["rows"]
    assert row["state"] == "skipped"
    assert "no managed scope" in row["note"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--root", "/"], "--root requires --scope managed"),
        (["--scope", "user", "--root", "/"], "--root requires --scope managed"),
        (["--scope", "managed", "--root", "etc"], "must be an absolute path"),
        (["--scope", "managed", "--root", "/no/such"], "does not exist"),
        (["--scope", "managed", "--root", "/etc/passwd"], "not a folder"),
    ],
)
def test_wrong_roots(world: World, words: list[str], said: str) -> None:
    """The error says what is wrong with the folder."""
    done = run(world, "activate", "--yes", *words)
    assert (done.status, said in done.err) == (2, True), done.err


@pytest.mark.parametrize("command", ["deactivate --yes", "status", "doctor", "prune --yes", "diff"])
def test_root_requires_the_managed_scope(world: World, command: str) -> None:
    """In every command that knows --root."""
    done = run(world, *command.split(), "--root", "/")
    assert (done.status, "requires" in done.err) == (2, True), done.err


def test_environment_outside_the_image_is_refused(image: Image, tmp_path: Path) -> None:
    """Its paths would not exist in the running image."""
    empty = tmp_path / "empty"
    empty.mkdir()
    done = image.run("activate", "--yes", root=str(empty))
    assert done.status == 1
    assert "install the plugin into an environment in there" in done.err
    assert snapshot(empty) == {}


def test_another_environment_must_name_the_plugins(image: Image, world: World) -> None:
    """An administrator can deactivate without the environment in the image."""
    before = snapshot(image.root)
    image.run("activate", "--yes")
    words = ("deactivate", "--yes", "--scope", "managed", "--root", str(image.root))
    unnamed = run(world, *words)
    assert (unnamed.status, "name the plugins" in unnamed.err) == (2, True)
    assert run(world, *words, "acme").status == 0
    assert snapshot(image.root) == before


@pytest.mark.parametrize(
    "what",
    ["etc/claude-code", STATE, f"{STATE}/acme", f"{STATE}/_place", f"{STATE}/_place/backups"],
)
def test_link_out_of_the_image_is_refused(image: Image, tmp_path: Path, what: str) -> None:
    """An absolute link means a file of the image, not of this machine."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = image.root / what
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere)
    done = image.run("activate", "--yes", "--host", "claude-code")
    assert done.status in (1, 2)
    assert "a link leads out of the image" in done.out + done.err
    assert snapshot(elsewhere) == {}


def test_bundle_is_not_stored_through_a_link_out_of_the_image(tmp_path: Path) -> None:
    """Local plugins have a folder of their own."""
    root, elsewhere = tmp_path / "image", tmp_path / "elsewhere"
    elsewhere.mkdir()
    state = State(root / STATE, tmp_path, shared=True, image=str(root))
    state.root.mkdir(parents=True)
    (state.root / local_store.FOLDER).symlink_to(elsewhere)
    with pytest.raises(FileProblem, match="out of the image"):
        local_store.add(state, "acme", {"plan.json": (b"{}", False)})
    assert snapshot(elsewhere) == {}


def test_environment_with_the_same_path_on_this_machine_does_not_count(
    image: Image, tmp_path: Path
) -> None:
    """It may have another version of the plugin."""
    ours = tmp_path / "opt"
    shutil.copytree(image.root / "opt/acme", ours, symlinks=True)
    theirs = Path(f"{image.root}{ours}")
    shutil.copytree(ours, theirs, symlinks=True)
    (theirs / "bin/python").unlink()
    write(theirs / "bin/python", "")
    (site,) = ours.glob("lib/python*/site-packages")
    install(site, version="2.0")
    done = subprocess.run(
        [ours / "bin/python", "-m", "hatch_agentplugin.cli", "activate", "--yes",
         "--scope", "managed", "--root", image.root],
        env={"HOME": str(image.outside), "PATH": "/usr/bin:/bin"}, cwd=image.outside,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    row = image.json(f"{STATE}/_place/ledger.json")["plugins"]["acme"]
    assert row["version"] == "1.0"
    assert row["bundle"].startswith(str(ours))
    (plan,) = theirs.glob("lib/python*/site-packages/acme_agent_plugin/plan.json")
    plan.write_text("{}")
    assert "its plan in the image cannot be used" in subprocess.run(
        done.args, env={"HOME": str(image.outside)}, cwd=image.outside,
        capture_output=True, text=True, check=False,
    ).stderr  # fmt: skip


def test_note_on_an_environment_that_others_cannot_enter(image: Image) -> None:
    """Root can enter it, and would not notice."""
    assert "other users" not in image.run("activate", "--yes").err
    (image.root / "opt").chmod(0o700)
    (image.root / "opt/acme").chmod(0o750)
    told = image.run("activate", "--yes").err
    assert "other users cannot enter /opt, so" in told
    assert "other users cannot enter /opt/acme, so" in told


def test_note_on_an_environment_that_anybody_can_change(image: Image) -> None:
    """A writable folder above the environment is enough, except for a sticky one."""
    (image.root / "opt").chmod(0o1777)
    assert "can replace" not in image.run("activate", "--yes").err
    (image.root / "opt").chmod(0o777)
    assert "anybody can replace files in /opt, and" in image.run("activate", "--yes").err


def test_note_on_an_interpreter_that_others_cannot_reach(tmp_path: Path) -> None:
    """An environment in /opt may use a Python in the home folder of root, as uv does."""
    environment, shut = tmp_path / "environment", tmp_path / "shut"
    python = environment / "bin/python"
    write(shut / "bin/python3", "").chmod(0o755)
    python.parent.mkdir(parents=True)
    python.symlink_to(shut / "bin/python3")
    shut.chmod(0o755)
    context = replace(
        Context.here(),
        environment=str(environment),
        python=str(python),
        runtime=str(environment),
    )
    assert f"cannot enter {shut}," not in "".join(permission_notes(context))
    shut.chmod(0o700)
    assert f"cannot enter {shut}," in "".join(permission_notes(context))


@needs_root_change
def test_note_on_an_environment_that_a_user_owns(image: Image) -> None:
    """The owner can change what all other users run."""
    words = "/opt/acme/bin/python -m hatch_agentplugin.cli activate --yes --scope managed"
    told = image.within(words).err
    assert "owns /opt" not in told
    assert "links to a program" not in told
    if os.getuid() == 0:
        # In the namespace every other user is nobody.
        os.chown(image.root / "opt", 1000, 1000)
        assert "user 65534 owns /opt and can change what all users run" in (image.within(words).err)


@needs_root_change
def test_preparing_an_image_equals_activating_in_it(image: Image) -> None:
    """The files are the same, ledger included, except for the times of backups."""
    file = write(image.root / CLAUDE, '{"env": {}}')
    assert image.run("activate", "--yes").status == 0
    shown = ("etc", STATE)
    prepared = [snapshot(image.root / name) for name in shown]
    assert image.run("deactivate", "--yes").status == 0
    assert file.read_text() == '{"env": {}}'
    assert image.agent_plugin("activate", "--yes", "--scope", "managed").status == 0
    for name, before in zip(shown, prepared, strict=True):
        now = snapshot(image.root / name)
        assert set(now) == set(before)
        differ = {path for path in now if now[path] != before[path]}
        assert differ <= {"_place/lock", "_place/backups/index.json"}


@needs_root_change
def test_commands_in_the_running_image(image: Image) -> None:
    """status and doctor show the managed hooks, and a user needs no entry."""
    before = snapshot(image.root / "etc") if (image.root / "etc").exists() else {}
    image.run("activate", "--yes")
    image.within(hook(image), SAFE)
    (plugin,) = image.agent_plugin("status", "--json").json["plugins"]
    fired = {(line["host"], line["event"]) for line in plugin["hooks"] if line["fired"]}
    assert fired == {("claude-code", "pre-tool-use")}
    checked = image.agent_plugin("doctor", "--json")
    assert (checked.status, checked.json["problems"]) == (0, [])
    assert {check["host"] for check in checked.json["checks"]} == set(MANAGED)

    mine = image.agent_plugin("activate", "--yes", "--json", "--host", "claude-code")
    assert mine.status == 0
    assert "your administrator has placed it for all users" in mine.json["rows"][0]["note"]
    assert "acme was activated for all users" in image.agent_plugin("disable", "acme").err
    again = image.agent_plugin("activate", "--yes", "--host", "claude-code", "--replace")
    assert again.status == 0
    settings = image.json("home/user/.claude/settings.json")
    own = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    assert image.within(own, DANGER).out == ""
    assert '"deny"' in image.within(hook(image), DANGER).out
    image.agent_plugin("disable", "acme")
    assert '"deny"' in image.within(hook(image), DANGER).out
    assert "comes first" in image.agent_plugin("status").out
    image.agent_plugin("deactivate", "--yes")

    assert image.agent_plugin("deactivate", "--yes", "--scope", "managed").status == 0
    assert (snapshot(image.root / "etc") if (image.root / "etc").exists() else {}) == before
    assert not (image.root / STATE).exists()


@needs_root_change
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_doctor_fires_nothing_as_root_in_the_home_of_a_user(image: Image) -> None:
    """As with sudo that keeps HOME: root would own the files that the hooks leave there."""
    image.run("activate", "--yes")
    own = image.root / "home/user"
    os.chown(own, 1000, 1000)
    checked = image.agent_plugin("doctor", "--json")
    assert (checked.status, checked.json["checks"]) == (0, [])
    assert any("without sudo" in note for note in checked.json["notes"])
    assert list(own.iterdir()) == []
    os.chown(own, 0, 0)
    assert image.agent_plugin("doctor", "--json").json["checks"]


@needs_root_change
def test_running_image_recovers_an_interrupted_command(image: Image) -> None:
    """The command was interrupted on the machine that prepared the image."""
    write(image.root / CLAUDE, '{"env": {}}')
    before = snapshot(image.root / "etc")
    image.run("activate", "--yes")
    ledger = image.root / STATE / "_place/ledger.json"
    after = ledger.read_bytes()
    staged = image.root / "etc/claude-code/.agent-plugin-0-0.tmp"
    image.run("deactivate", "--yes")
    assert snapshot(image.root / "etc") == before
    entry = {
        "path": f"/{CLAUDE}", "target": f"/{CLAUDE}", "group": "claude-code",
        "staged": f"/{staged.relative_to(image.root)}", "spare": "/etc/spare.tmp",
        "kept": "0.before", "mode": 0o644, "before": "0" * 64, "after": "1" * 64,
    }  # fmt: skip
    journal = {"phase": "staging", "entries": [entry], "new_folders": [], "drop_folders": [],
               "format": 1}  # fmt: skip
    write(image.root / STATE / "_place/journal/journal.json", json.dumps(journal))
    write(ledger, after)
    write(staged, "half")
    image.agent_plugin("prune", "--yes", "--scope", "managed")
    assert not staged.exists()


@pytest.mark.parametrize("way", ["/../elsewhere/file", "/link/file"])
def test_journal_in_an_image_cannot_name_a_file_outside(
    image: Image, tmp_path: Path, way: str
) -> None:
    """The image may come from somebody else."""
    file = write(tmp_path / "elsewhere/file", "mine")
    (image.root / "link").symlink_to(tmp_path / "elsewhere")
    entry = {
        "path": way, "target": way, "group": "x", "staged": way, "spare": f"{way}.spare",
        "kept": "0.before", "mode": 0o644, "before": "0" * 64, "after": "1" * 64,
    }  # fmt: skip
    journal = {"phase": "staging", "entries": [entry], "new_folders": [], "drop_folders": [],
               "format": 1}  # fmt: skip
    write(image.root / STATE / "_place/journal/journal.json", json.dumps(journal))
    done = image.run("activate", "--yes")
    assert done.status == 1
    assert "leads out of the image" in done.err
    assert file.read_text() == "mine"
