"""The built example plugin, installed and activated by the real commands, in real host programs.

The model tries to delete the home folder, then runs a harmless command. The first must be refused
with the plugin's reason. If it ran after all, it could only reach the scratch home folder.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.built import Environment
from tests.end_to_end.homes import snapshot, without_times
from tests.hosts import _records
from tests.hosts.drivers import DRIVERS, Driver, run
from tests.hosts.model import Script
from tests.hosts.test_drivers import seen

pytestmark = pytest.mark.hosts

FORBIDDEN = "rm -rf ~"
GREETING = "example-plugin guards this session"
REASON = "example-plugin refuses to delete"


@dataclass(frozen=True)
class Expected:
    """The parts of the scenario that a host can show headless."""

    context: bool = True
    """Session-start context reaches the model."""
    goes_on: bool = True
    """A refusal reaches the model as the tool's result; else it ends the whole run."""
    ended: tuple[str, ...] = ("turn-end", "session-end")
    """Events whose portable command ran."""


EXPECTED = {
    "claude-code": Expected(),
    "opencode": Expected(),
    "codex": Expected(),
    "gemini-cli": Expected(),
    "qwen-code": Expected(ended=("turn-end",)),
    "cline": Expected(context=False, goes_on=False, ended=()),
    "copilot-cli": Expected(),
    "pi": Expected(),
    "kilo-cli": Expected(),
    "grok": Expected(context=False),
    "droid": Expected(),
    "kimi": Expected(context=False, ended=("turn-end",)),
    "kimi-cli-legacy": Expected(context=False),
    "hermes": Expected(context=False, ended=("turn-end",)),
    "mistral-vibe": Expected(context=False, ended=("turn-end",)),
    "omp": Expected(),
    "openclaw": Expected(ended=("turn-end",)),
    "auggie": Expected(context=False),
}
each_driver = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.id)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "it's hömе"
    folder.mkdir()
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def log(home: Path) -> list[str]:
    """Return the lines of the example's session log without their times."""
    file = home / ".agent-plugin/example-plugin/data/sessions.log"
    if not file.exists():
        return []
    return [line.split(" ", 1)[1] for line in file.read_text("utf-8").splitlines()]


def simulated(environment: Environment, home: Path, driver: Driver, *arguments: str) -> Any:
    """Return the output of ``agent-plugin simulate`` for an event of this host."""
    words = ("simulate", "example-plugin", "--host", driver.id, "--json", *arguments)
    (row,) = json.loads(environment.agent_plugin(*words, home=home))
    return row


@each_driver
def test_the_plugin_works_in_the_real_program(
    driver: Driver, environment: Environment, home: Path, project: Path
) -> None:
    """Context, a refusal, an allowed command, the portable command; after deactivate nothing."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    expected = EXPECTED[driver.id]
    driver.prepare(home, project)
    environment.agent_plugin("activate", "--yes", "--host", driver.id, home=home)
    allowed = f"echo allowed-ran; touch '{project}/made'"
    calls = (driver.shell(FORBIDDEN), driver.shell(allowed))
    script = Script.of(*(calls if expected.goes_on else calls[::-1]), final="all-done")

    result = run(driver, home, project, "please work", script)

    assert not result.timed_out, seen(result)
    assert (home / ".agent-plugin").exists(), "the forbidden command ran"
    if expected.goes_on:
        assert result.rc == 0, seen(result)
        assert REASON in "\n".join(result.requests.results()), seen(result)
    else:
        assert len(result.requests.results()) == 1, seen(result)
        assert "all-done" not in result.out, seen(result)
    assert (project / "made").exists(), seen(result)
    assert "allowed-ran" in "\n".join(result.requests.results()), seen(result)
    assert (GREETING in result.requests) == expected.context, seen(result)
    for event in expected.ended:
        assert f"{driver.id} {event}" in log(home), seen(result)
    events = _records.fired(home, "example-plugin", driver.id)
    tool = ("--tool", "shell", "--input", json.dumps({"command": FORBIDDEN}))
    denied = simulated(environment, home, driver, "--event", "pre-tool-use", *tool)
    assert denied["outcome"] == "deny"
    assert not expected.goes_on or denied["outcomes"]["deny"] in "".join(result.requests.results())
    if "session-start" in events:
        started = simulated(environment, home, driver, "--event", "session-start")
        assert ("context" in started["outcomes"]) == expected.context
    rows = environment.agent_plugin("status", home=home)
    assert "pre-tool-use" in rows
    outcomes = {"pre-tool-use": ["deny"], "session-start": ["context"] * expected.context}
    assert {"pre-tool-use", *expected.ended} <= events
    _records.note(driver, {event: outcomes.get(event, ()) for event in events})


@each_driver
def test_nothing_fires_after_deactivate(
    driver: Driver, environment: Environment, home: Path, project: Path
) -> None:
    """The host runs as if the plugin had never been installed, and its files are as before."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    driver.prepare(home, project)
    before = without_times(snapshot(home))
    environment.agent_plugin("activate", "--yes", "--host", driver.id, home=home)
    environment.agent_plugin("deactivate", "--yes", home=home)
    assert without_times(snapshot(home)) == before
    script = Script.of(driver.shell(f"touch '{project}/made'"), final="all-done")

    result = run(driver, home, project, "please work", script)

    assert (result.rc, result.timed_out) == (0, False), seen(result)
    assert (project / "made").exists(), seen(result)
    assert GREETING not in result.requests, seen(result)
    assert not (home / ".agent-plugin").exists()
