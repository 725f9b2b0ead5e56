"""A plugin that answers every event, beside the example, in real host programs.

A case asks only for what the host's table promises, so a run holds the table to its word; what it
saw goes into the records.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from hatch_agentplugin.hosts.adapters import built_in_hosts
from tests.built import Environment
from tests.hosts import _recorder, _records
from tests.hosts._sandbox import Run
from tests.hosts.conftest import copied
from tests.hosts.drivers import DRIVERS, Driver, run
from tests.hosts.drivers._driver import call
from tests.hosts.model import Call, Script
from tests.hosts.test_drivers import seen

pytestmark = [pytest.mark.hosts, pytest.mark.slow]

HOSTS = built_in_hosts()
PROBE = "probe-plugin"
#: The fire engine's bound: so often is a turn kept going.
ROUNDS = 5
#: Where an answer is right and still can't be seen in a run without a terminal.
UNSEEN = {
    ("opencode", "turn-end", "keep-going"): "the process ends before the next turn",
    ("kilo-cli", "turn-end", "keep-going"): "the process ends before the next turn",
    ("openclaw", "turn-end", "keep-going"): "not after a tool that may have changed something",
    ("droid", "turn-start", "context"): "the event does not fire in `droid exec`",
    ("droid", "turn-start", "deny"): "the event does not fire in `droid exec`",
    ("omp", "turn-start", "deny"): "a prompt can't be refused in `omp -p`",
}
each_driver = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.id)

Plan = Mapping[str, Sequence[Sequence[Any]]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def can(driver: Driver, event: str, outcome: str) -> bool:
    """Whether the table promises the outcome, and a headless run can show it."""
    natives = HOSTS[driver.id].natives(event)
    promised = bool(natives) and outcome in natives[0].can
    return promised and (driver.id, event, outcome) not in UNSEEN


def goes_on(driver: Driver) -> bool:
    """Whether the run goes on after a refused call."""
    return driver.id != "cline"


def plan(home: Path, answers: Plan) -> None:
    data = home / ".agent-plugin" / PROBE / "data"
    data.mkdir(parents=True, exist_ok=True)
    (data / "plan.json").write_text(json.dumps(answers), encoding="utf-8")


def noted(home: Path) -> list[tuple[str, str]]:
    """Events and tool inputs that the probe was called for."""
    return [(event, given) for event, given, _ in _notes(home)]


def notified(home: Path) -> str:
    """The texts of the notifications that the probe was called for."""
    return "\n".join(text for event, _, text in _notes(home) if event == "notification")


def _notes(home: Path) -> list[tuple[str, str, str]]:
    file = home / ".agent-plugin" / PROBE / "data/seen.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [tuple(json.loads(line)) for line in lines]


def logged(home: Path) -> str:
    """What the plugin's own log says."""
    log = home / ".agent-plugin" / PROBE / "log"
    return log.read_text("utf-8") if log.exists() else ""


def told(home: Path, result: Run) -> str:
    """All that helps to see why a run was not as expected."""
    return f"{noted(home)}\n{logged(home)}\n{seen(result)}"


def work(driver: Driver, home: Path, project: Path, *calls: Call, **how: Any) -> Run:
    """A run that must end by itself."""
    if driver.id == "openclaw":  # it would go on with the session of the run before
        how["args"] = ("--session-id", str(uuid4()))
    result = run(driver, home, project, "please work", Script.of(*calls, final="all-done"), **how)
    assert not result.timed_out, told(home, result)
    return result


@each_driver
def test_every_answer_beside_another_plugin_then_none(
    driver: Driver, both: Environment, home: Path, project: Path, tmp_path: Path
) -> None:
    """All answers in one session; the other plugin alone; nothing once the packages are gone."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    environment = copied(both, tmp_path / "environment")
    driver.prepare(home, project)
    environment.agent_plugin("activate", "--yes", "--host", driver.id, home=home)
    _session(driver, home, project)

    environment.agent_plugin("disable", PROBE, home=home)
    before = noted(home)
    refused, forbidden = driver.shell(f"touch '{project}/refused'"), driver.shell("rm -rf ~")
    result = work(driver, home, project, refused, forbidden)
    assert noted(home) == before, told(home, result)
    assert (project / "refused").exists(), told(home, result)
    assert (home / ".agent-plugin").exists(), "the other plugin's refusal was lost"

    environment.pip("uninstall", "--yes", PROBE, "example-plugin")
    result = work(driver, home, project, driver.shell(f"touch '{project}/gone'"))
    assert result.rc == 0, told(home, result)
    assert (project / "gone").exists(), told(home, result)
    assert "agent-plugin" not in result.out + result.err, told(home, result)
    assert "guards this session" not in result.requests
    assert noted(home) == before


def _session(driver: Driver, home: Path, project: Path) -> None:
    """One session in which every answer is given once, and every misbehaviour shown."""
    answers: dict[str, list[list[Any]]] = {
        "pre-tool-use": [["refused", {"decision": "deny", "reason": "probe-refuses"}]]
    }
    expected: dict[str, list[str]] = {}

    def ask_for(event: str, outcome: str, marker: str, answer: object) -> None:
        if can(driver, event, outcome):
            answers.setdefault(event, []).append([marker, answer])
            expected.setdefault(event, []).append(outcome)

    for event in ("session-start", "turn-start"):
        ask_for(event, "context", "", {"context": f"ctx-of-{event}"})
    ask_for("pre-tool-use", "context", "before-me", {"context": "ctx-before"})
    ask_for("pre-tool-use", "modify-input", "swap-old", {"swap": ["swap-old", "swap-new"]})
    # Where the host can't ask, the call is refused.
    answers["pre-tool-use"].append(["asked", {"decision": "ask", "reason": "probe-asks"}])
    if can(driver, "pre-tool-use", "ask"):
        expected.setdefault("pre-tool-use", []).append("ask")
    ask_for("post-tool-use", "context", "after-me", {"context": "ctx-after"})
    ask_for("post-tool-use", "modify-output", "change-me", {"output": "quite-other-output"})
    ask_for("turn-end", "keep-going", "", {"decision": "keep-going", "reason": "not-done-yet"})
    failure = {"context": "ctx-of-failure"}
    if can(driver, "post-tool-use-failure", "context"):
        answers["post-tool-use-failure"] = [["", failure]]
    plan(home, answers)
    shell = driver.shell
    calls = [
        shell(f"touch '{project}/swap-old'"),
        shell("echo before-me"),
        shell("echo after-me"),
        shell("echo change-me"),
        shell("exit 3"),
        shell(f"touch '{project}/please-crash'"),
        shell(f"touch '{project}/please-hang'"),
        shell(f"touch '{project}/please-chatter'"),
        *([shell(f"touch '{project}/asked'")] if goes_on(driver) else []),
        *([shell("rm -rf ~")] if goes_on(driver) else []),
        shell(f"touch '{project}/refused'"),
    ]

    result = work(driver, home, project, *calls)

    why = told(home, result)
    results = "\n".join(result.requests.results())
    for event in ("session-start", "turn-start"):
        if "context" in expected.get(event, ()):
            assert f"ctx-of-{event}" in result.requests, (event, why)
    if "context" in expected.get("pre-tool-use", ()):
        assert "ctx-before" in result.requests, why
    if "context" in expected.get("post-tool-use", ()):
        assert "ctx-after" in result.requests, why
    swapped = "modify-input" in expected.get("pre-tool-use", ())
    assert (project / "swap-new").exists() == swapped, why
    assert (project / "swap-old").exists() != swapped, why
    if "modify-output" in expected.get("post-tool-use", ()):
        assert "quite-other-output" in results, why
        assert "change-me" not in results, why
    for name in ("crash", "hang", "chatter"):
        assert (project / f"please-{name}").exists(), (name, why)
    # Else they would harm nothing only because none of them was called.
    assert "raised\tRuntimeError" in logged(home), why
    assert "timeout\tafter 2 s" in logged(home), why
    assert not (project / "asked").exists(), why
    assert not (project / "refused").exists(), why
    assert (home / ".agent-plugin").exists(), "the other plugin's refusal was lost"
    if goes_on(driver):
        assert result.rc == 0, why
        assert "probe-refuses" in results, why
        assert "example-plugin refuses" in results, why
    fired = [event for event, _ in noted(home)]
    if "keep-going" in expected.get("turn-end", ()):
        assert "not-done-yet" in result.requests, why
        assert fired.count("turn-end") <= ROUNDS + 1, why
    if "post-tool-use-failure" in fired and "post-tool-use-failure" in answers:
        assert "ctx-of-failure" in result.requests, why
        expected["post-tool-use-failure"] = ["context"]
    expected.setdefault("pre-tool-use", []).append("deny")
    _records.note(driver, {event: expected.get(event, ()) for event in set(fired)})


@pytest.mark.parametrize(
    "driver", [d for d in DRIVERS if d.id in _recorder.OF_PROJECT], ids=lambda driver: driver.id
)
def test_project_scope_alone_and_with_the_users_own(
    driver: Driver, both: Environment, home: Path, project: Path
) -> None:
    """Hooks of the project work alone; with the user's own beside them each fires once."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    scopes = HOSTS[driver.id].delivery.files  # type: ignore[union-attr]
    scope = "project" if "project" in scopes else "local"
    driver.prepare(home, project)
    place = ("activate", "--yes", "--host", driver.id, PROBE)
    both.agent_plugin(*place, "--scope", scope, "--project", str(project), home=home)
    plan(home, {"pre-tool-use": [["refused", {"decision": "deny", "reason": "probe-refuses"}]]})
    made, refused = f"touch '{project}/made'", f"touch '{project}/refused'"

    result = work(driver, home, project, driver.shell(made), driver.shell(refused), trust=True)

    assert (project / "made").exists(), told(home, result)
    assert not (project / "refused").exists(), told(home, result)
    if goes_on(driver):
        assert "probe-refuses" in "\n".join(result.requests.results()), told(home, result)
    fired = {event for event, _ in noted(home)}
    _records.note(driver, {event: ["deny"] * (event == "pre-tool-use") for event in fired})

    both.agent_plugin(*place, home=home)
    before = len(noted(home))
    result = work(driver, home, project, driver.shell("echo once-only"), trust=True)
    now = [event for event, given in noted(home)[before:] if "once-only" in given]
    assert now.count("pre-tool-use") == 1, told(home, result)
    _records.note(driver, {event: () for event, _ in noted(home)})


@each_driver
def test_refused_prompt_and_halt(
    driver: Driver, both: Environment, home: Path, project: Path
) -> None:
    """A refused prompt does not reach the model; a halt ends the run before the tool."""
    wanted = [
        (event, outcome)
        for event, outcome in (("turn-start", "deny"), ("pre-tool-use", "halt"))
        if can(driver, event, outcome)
    ]
    if not wanted:
        pytest.skip("the host has neither")
    if reason := driver.skip_reason():
        pytest.skip(reason)
    driver.prepare(home, project)
    both.agent_plugin("activate", "--yes", "--host", driver.id, PROBE, home=home)
    for event, outcome in wanted:
        plan(home, {event: [["", {"decision": outcome, "reason": "probe-stops"}]]})
        result = work(driver, home, project, driver.shell(f"touch '{project}/{event}'"))
        assert not (project / event).exists(), told(home, result)
        assert "all-done" not in result.out, told(home, result)
        if event == "turn-start":
            assert "please work" not in result.requests, told(home, result)
        _records.note(driver, {event: [outcome]})


@dataclass(frozen=True)
class Asking:
    """How a host is brought to ask for permission, where it does not by itself."""

    how: dict[str, Any] = field(default_factory=lambda: {"approve": False})
    shell: Callable[[str], Call] | None = None


def _escalated(command: str) -> Call:
    return call("exec_command", cmd=command, sandbox_permissions="require_escalated",
                justification="it is needed")  # fmt: skip


# OpenCode and Kilo answer themselves in a run without a terminal, and may be faster.
ASKING = {
    "claude-code": Asking(),
    "codex": Asking({"approve": False, "args": ("--approve-for-me",)}, _escalated),
    "copilot-cli": Asking({"approve": True}),
}


@pytest.mark.parametrize(
    "driver", [d for d in DRIVERS if d.id in ASKING], ids=lambda driver: driver.id
)
def test_permission_is_decided(
    driver: Driver, both: Environment, home: Path, project: Path
) -> None:
    """What would have been asked runs, or not, as the plugin says."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    asking = ASKING[driver.id]
    driver.prepare(home, project)
    both.agent_plugin("activate", "--yes", "--host", driver.id, PROBE, home=home)
    rules = [
        ["granted", {"decision": "allow"}],
        ["refused", {"decision": "deny", "reason": "probe-refuses"}],
    ]
    plan(home, {"permission-request": rules})
    shell = asking.shell or driver.shell
    calls = [shell(f"touch '{project}/{name}'") for name in ("granted", "refused")]

    result = work(driver, home, project, *calls, **asking.how)

    assert "permission-request" in {event for event, _ in noted(home)}, told(home, result)
    assert (project / "granted").exists(), told(home, result)
    assert not (project / "refused").exists(), told(home, result)
    assert "probe-refuses" in "\n".join(result.requests.results()), told(home, result)
    _records.note(driver, {"permission-request": ["allow", "deny"]})
