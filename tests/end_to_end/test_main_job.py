"""The main job as users do it: build, install, activate, fire, upgrade, uninstall, deactivate."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.built import Environment, build, copy_example, example, user_environment
from tests.end_to_end.homes import CASES, HostCase, fill, fire, snapshot, without_times

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("end-to-end")]

ALL = [case.id for case in CASES] + ["opencode"]
each_host = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
FORBIDDEN = "rm -rf /"


@pytest.fixture(params=["plain", 'it\'s "my" $HOME ünd `ça`'], ids=["plain", "odd"])
def user(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A home folder with existing settings of all seven hosts; once with an odd name."""
    folder = tmp_path / request.param
    folder.mkdir()
    fill(folder)
    return folder


def comes_true(condition: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait for the effect of a program that a hook has started in the background."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def activate(environment: Environment, home: Path, *more: str) -> str:
    return environment.agent_plugin("activate", "--yes", *more, home=home)


def test_base_install_is_light(environment: Environment) -> None:
    """A plugin's user gets none of the packages that only a build needs."""
    rows = json.loads(environment.pip("list", "--format", "json"))
    names = {row["name"].lower() for row in rows}
    assert "hatch-agentplugin" in names
    assert not names & {"hatchling", "pydantic", "pydantic-core", "pluggy", "jinja2"}


@each_host
def test_every_placed_hook_answers(environment: Environment, user: Path, case: HostCase) -> None:
    """The host gets a refusal with a reason, silence for a harmless call, and context."""
    activate(environment, user)
    event, payload = case.pre
    (pre,) = case.commands(user, event)

    denied = fire(pre, payload(FORBIDDEN), user)
    assert denied.status == 0
    assert case.denied(denied), denied
    allowed = fire(pre, payload("ls -l"), user)
    assert (allowed.status, case.denied(allowed)) == (0, "")

    (start,) = case.commands(user, case.start)
    started = fire(start, {"session_id": "s", "cwd": str(user)}, user)
    assert started.status == 0
    assert bool(case.context(started)) == case.takes_context, started

    (end,) = case.commands(user, case.end)
    ended = fire(end, {"session_id": "s", "cwd": str(user)}, user)
    assert (ended.status, ended.err) == (0, "")
    log = user / ".agent-plugin/example-plugin/data/sessions.log"
    assert comes_true(lambda: log.exists() and f"{case.id} turn-end" in log.read_text("utf-8"))


def test_second_activate_changes_nothing(environment: Environment, user: Path) -> None:
    """No byte and no modification time of any file, ours or a host's."""
    activate(environment, user)
    before = snapshot(user)
    activate(environment, user)
    assert snapshot(user) == before


def test_deactivate_restores_every_byte(environment: Environment, user: Path) -> None:
    """No file or folder of ours is left, and every other byte and mode is as it was."""
    before = snapshot(user)
    activate(environment, user)
    changed = snapshot(user)
    assert {".codex/config.toml", ".config/opencode/opencode.jsonc"} <= {
        path for path in before if before[path] == changed[path]
    }, "files that need no entry are not written"
    for case in CASES:
        event, payload = case.pre
        fire(case.commands(user, event)[0], payload(FORBIDDEN), user)
        fire(case.commands(user, case.end)[0], {"session_id": "s", "cwd": str(user)}, user)
    log = user / ".agent-plugin/example-plugin/data/sessions.log"
    assert comes_true(lambda: log.exists() and len(log.read_text("utf-8").splitlines()) == 6)
    environment.agent_plugin("deactivate", "--yes", home=user)
    assert without_times(snapshot(user)) == without_times(before)


def test_foreign_executable_is_never_overwritten(environment: Environment, user: Path) -> None:
    """If the user already has a file under the name that Cline looks for, ours goes beside it."""
    foreign = user / "Documents/Cline/Hooks/PreToolUse"
    before = foreign.read_bytes()
    activate(environment, user, "--host", "cline")
    assert foreign.read_bytes() == before
    assert [file.name for file in foreign.parent.iterdir() if file.stem == "PreToolUse"] != [
        "PreToolUse"
    ]


def test_dry_run_shows_a_diff_and_writes_nothing(environment: Environment, user: Path) -> None:
    before = snapshot(user)
    out = environment.agent_plugin("activate", "--dry-run", home=user)
    assert "+++" in out
    assert "PreToolUse" in out
    assert snapshot(user) == before


def test_status_names_hosts_and_last_fired(environment: Environment, user: Path) -> None:
    activate(environment, user)
    case = CASES[0]
    event, payload = case.pre
    fire(case.commands(user, event)[0], payload("ls"), user)
    rows = environment.agent_plugin("status", home=user)
    assert all(host in rows for host in ALL)
    assert environment.agent_plugin("status", "--json", home=user).startswith(("{", "["))


def test_codex_user_is_told_to_review(environment: Environment, user: Path) -> None:
    """Codex runs no hook before the user has reviewed it, and `activate` says so."""
    done = subprocess.run(
        [str(environment.bin / "agent-plugin"), "activate", "--yes", "--host", "codex"],
        env=user_environment(user),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "/hooks" in done.stdout + done.stderr


def test_uninstalled_plugin_is_silent(wheels: Path, tmp_path: Path, user: Path) -> None:
    """After pip uninstall without deactivate, every command exits at once with status 0."""
    environment = Environment.make(tmp_path / "venv", wheels, example(wheels))
    activate(environment, user)
    environment.pip("uninstall", "--yes", "example-plugin")
    for case in CASES:
        event, payload = case.pre
        for name in (event, case.start, case.end):
            for command in case.commands(user, name):
                reply = fire(command, payload(FORBIDDEN), user)
                assert (reply.status, reply.out, reply.err) == (0, "", ""), (case.id, name)
    environment.agent_plugin("deactivate", "--yes", "example-plugin", home=user)


def test_removed_environment_is_silent(wheels: Path, tmp_path: Path, user: Path) -> None:
    """The same applies if the whole virtual environment is gone."""
    environment = Environment.make(tmp_path / "venv", wheels, example(wheels))
    activate(environment, user)
    shutil.rmtree(environment.folder)
    for case in CASES:
        event, payload = case.pre
        reply = fire(case.commands(user, event)[0], payload(FORBIDDEN), user)
        assert (reply.status, reply.out, reply.err) == (0, "", ""), case.id


def test_upgrade_takes_effect_without_touching_host_files(
    wheels: Path, tmp_path: Path, user: Path
) -> None:
    """pip install -U changes the effect of hooks; no host file is written."""
    environment = Environment.make(tmp_path / "venv", wheels, example(wheels))
    activate(environment, user)
    before = snapshot(user)
    newer = copy_example(tmp_path / "newer", **{'version = "': 'version = "9'})
    hooks = next(newer.rglob("hooks.py"))
    hooks.write_text(
        hooks.read_text("utf-8")
        + "\n\ndef _refuse(event):\n    return deny('newer says no')\n\n\n"
        + "guard_shell = guard_files = greet = _refuse\n",
        "utf-8",
    )
    outdir = tmp_path / "dist"
    outdir.mkdir()
    environment.pip("install", "--upgrade", build(newer, wheels, outdir))

    case = CASES[0]
    event, payload = case.pre
    reply = fire(case.commands(user, event)[0], payload("ls"), user)
    assert case.denied(reply) == "newer says no"
    after = snapshot(user)
    hosts = [path for path in before if not path.startswith(".agent-plugin")]
    assert {path: after[path] for path in hosts} == {path: before[path] for path in hosts}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_opencode_module_denies_in_node(environment: Environment, user: Path) -> None:
    """The placed JavaScript module refuses with an exception, as OpenCode expects."""
    activate(environment, user, "--host", "opencode")
    (module,) = [
        file
        for file in (user / ".config/opencode").rglob("*.js")
        if b"agent-plugin" in file.read_bytes()
    ]
    script = """
        const { pathToFileURL } = require('node:url');
        import(pathToFileURL(process.argv[1])).then(async (loaded) => {
          const make = loaded.default.server ?? loaded.default;
          const hooks = await make({ directory: process.cwd(), client: {} });
          for (const command of [process.argv[2], 'ls']) {
            const input = { tool: 'bash', sessionID: 's', callID: 'c' };
            try {
              await hooks['tool.execute.before'](input, { args: { command } });
              console.log('allowed');
            } catch (error) { console.log('denied: ' + error.message); }
          }
        });
    """
    done = subprocess.run(
        ["node", "--input-type=commonjs", "-e", script, str(module), FORBIDDEN],
        env=user_environment(user),
        cwd=user,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, second = done.stdout.splitlines()
    assert first.startswith("denied: ")
    assert second == "allowed"


def test_deactivating_one_of_two_plugins(wheels: Path, tmp_path: Path, user: Path) -> None:
    """The documents are then as if only the other one had ever been activated."""
    second = copy_example(tmp_path / "second", **{'name = "example-plugin"': 'name = "second"'})
    outdir = tmp_path / "dist"
    outdir.mkdir()
    environment = Environment.make(tmp_path / "venv", wheels, example(wheels))
    environment.pip("install", build(second, wheels, outdir))
    start = snapshot(user)
    activate(environment, user, "second")
    alone = without_times(snapshot(user))
    environment.agent_plugin("deactivate", "--yes", "second", home=user)
    assert without_times(snapshot(user)) == without_times(start)

    activate(environment, user, "example-plugin")
    activate(environment, user, "second")
    environment.agent_plugin("deactivate", "--yes", "example-plugin", home=user)
    after = without_times(snapshot(user))
    # Cline's files keep the names that they got beside the other plugin's.
    documents = [path for case in CASES for path in case.foreign if path.endswith(".json")]
    assert {path: after[path] for path in documents} == {path: alone[path] for path in documents}
    environment.agent_plugin("deactivate", "--yes", "second", home=user)
    assert without_times(snapshot(user)) == without_times(start)
