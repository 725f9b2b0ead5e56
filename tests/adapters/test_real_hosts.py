"""What the tables say a host can do, the real program does.

Every driven host runs a plugin that answers each event. A case asks only for what the table of the
host promises, so the tests hold the tables to their word.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.hosts import payloads
from tests.adapters._probe import Probe
from tests.adapters.test_tables import HOSTS
from tests.hosts._sandbox import Run
from tests.hosts.drivers import DRIVERS, Driver
from tests.hosts.model import Script

pytestmark = [pytest.mark.hosts, pytest.mark.slow]

each_driver = pytest.mark.parametrize(
    "driver", [one for one in DRIVERS if one.id in HOSTS], ids=lambda driver: driver.id
)
#: Events that a run with one shell call goes through.
ORDINARY = (
    "session-start",
    "turn-start",
    "pre-tool-use",
    "post-tool-use",
    "turn-end",
    "session-end",
)
#: Where an answer is right and still can't be seen in a run without a terminal.
HEADLESS = {
    ("opencode", "turn-end", "keep-going"): "the process ends before the next turn",
    ("kilo-cli", "turn-end", "keep-going"): "the process ends before the next turn",
    ("openclaw", "turn-end", "keep-going"): "not after a tool that may have changed something",
    ("droid", "turn-start", "context"): "the event does not fire",
}


def can(driver: Driver, event: str, outcome: str) -> bool:
    """Tell whether the adapter claims the outcome for a headless run."""
    natives = HOSTS[driver.id].natives(event)
    return (
        bool(natives) and outcome in natives[0].can and (driver.id, event, outcome) not in HEADLESS
    )


def go(
    driver: Driver, tmp_path: Path, answers: dict[str, Any], script: Script
) -> tuple[Probe, Run]:
    if reason := driver.skip_reason():
        pytest.skip(reason)
    probe = Probe.make(tmp_path, HOSTS[driver.id], driver, answers)
    return probe, probe.run(script)


def folder(probe: Probe) -> Path:
    """Return the folder in which the host's tools work."""
    if probe.host.id == "openclaw":  # its agent has a workspace of its own
        return probe.world.home / ".openclaw/workspace"
    return probe.world.project


def told(probe: Probe, result: Run) -> str:
    """Return everything that helps to explain an unexpected run."""
    events = [(one["event"], one["tool"], one["reason"]) for one in probe.seen()]
    texts = "\n".join(f"{r.path} {list(r.results)}" for r in result.requests)
    return (
        f"{events}\n{probe.log()}\n{result.rc}\n{texts}\n{result.out[-900:]}\n{result.err[-900:]}"
    )


@each_driver
def test_contexts_reach_the_model_and_the_turn_goes_on(driver: Driver, tmp_path: Path) -> None:
    """Context of start, prompt and tool; one more round; every ordinary event once."""
    answers: dict[str, Any] = {
        event: {"context": f"ctx-of-{event}"} for event in ORDINARY if can(driver, event, "context")
    }
    if can(driver, "turn-end", "keep-going"):
        answers["turn-end"] = {"decision": "keep-going", "reason": "not-done-yet"}
    script = Script.of(driver.shell("echo tool-out; touch made"), final="all-done")
    probe, result = go(driver, tmp_path, answers, script)

    assert not result.timed_out, told(probe, result)
    assert (folder(probe) / "made").exists(), told(probe, result)
    for event, answer in answers.items():
        text = answer.get("context") or answer["reason"]
        assert text in result.requests, (event, told(probe, result))
    fired = [one["event"] for one in probe.seen()]
    for event in ORDINARY:
        natives = HOSTS[driver.id].natives(event)
        if natives and not natives[0].near and not natives[0].evidence:
            assert event in fired, told(probe, result)
    rounds = 2 if "turn-end" in answers else 1
    assert fired.count("session-start") <= 1, told(probe, result)
    assert fired.count("turn-end") <= rounds, told(probe, result)
    assert fired.count("pre-tool-use") == fired.count("post-tool-use") == 1, told(probe, result)
    assert "internal" not in probe.log()


@each_driver
def test_events_carry_what_a_handler_needs(driver: Driver, tmp_path: Path) -> None:
    """The wire table finds session, folder, tool, kind of tool, input, output and prompt."""
    script = Script.of(driver.shell("echo tool-out"), final="all-done")
    probe, result = go(driver, tmp_path, {}, script)
    events = {one["event"]: one for one in probe.seen()}

    before, after = events["pre-tool-use"], events["post-tool-use"]
    assert before["selector"] == "shell", before
    assert "echo tool-out" in str(before["input"]), before
    assert "tool-out" in str(after["output"]), after
    assert before["session_id"], before
    project = str(folder(probe))
    assert all(one["cwd"] in (None, project) for one in events.values()), told(probe, result)
    if "turn-start" in events and not HOSTS[driver.id].natives("turn-start")[0].near:
        assert "please make the file" in events["turn-start"]["prompt"], events["turn-start"]


@each_driver
def test_payloads_are_as_recorded(driver: Driver, tmp_path: Path) -> None:
    """The recorded payloads have every key that the host sends."""
    known = {
        name: set(case["payload"])
        for name, case in payloads.cases(driver.id).items()
        if case["basis"] == "witnessed"
    }
    assert known
    script = Script.of(driver.shell("echo tool-out"), final="all-done")
    probe, result = go(driver, tmp_path, {}, script)
    first = {one["event"]: set(one["sent"]) for one in reversed(probe.seen())}
    assert known.keys() & first.keys(), told(probe, result)
    gone = {event: known[event] - sent for event, sent in first.items() if event in known}
    assert {event: keys for event, keys in gone.items() if keys} == {}


@each_driver
def test_refused_call_does_not_run(driver: Driver, tmp_path: Path) -> None:
    """And the reason reaches the model, unless a refusal ends the run."""
    answers = {"pre-tool-use": {"decision": "deny", "reason": "probe-refuses"}}
    script = Script.of(driver.shell("touch made"), final="all-done")
    probe, result = go(driver, tmp_path, answers, script)
    assert not result.timed_out, told(probe, result)
    assert not (folder(probe) / "made").exists(), told(probe, result)
    if not HOSTS[driver.id].natives("pre-tool-use")[0].near:
        assert "probe-refuses" in "\n".join(result.requests.results()), told(probe, result)


@each_driver
def test_asking_where_nobody_answers_does_not_run(driver: Driver, tmp_path: Path) -> None:
    """If the host cannot ask, the call is refused."""
    answers = {"pre-tool-use": {"decision": "ask", "reason": "probe-asks"}}
    script = Script.of(driver.shell("touch made"), final="all-done")
    probe, result = go(driver, tmp_path, answers, script)
    assert not result.timed_out, told(probe, result)
    assert not (folder(probe) / "made").exists(), told(probe, result)


@each_driver
def test_input_and_output_are_changed(driver: Driver, tmp_path: Path) -> None:
    """Another command runs, and the model sees another result."""
    answers: dict[str, Any] = {}
    if can(driver, "pre-tool-use", "modify-input"):
        answers["pre-tool-use"] = {"swap": ["old-name", "new-name"]}
    if can(driver, "post-tool-use", "modify-output"):
        answers["post-tool-use"] = {"output": "quite-other-output"}
    if not answers:
        pytest.skip("the host changes neither")
    script = Script.of(driver.shell("echo tool-out; touch old-name"), final="all-done")
    probe, result = go(driver, tmp_path, answers, script)
    if "pre-tool-use" in answers:
        assert (folder(probe) / "new-name").exists(), told(probe, result)
        assert not (folder(probe) / "old-name").exists(), told(probe, result)
    if "post-tool-use" in answers:
        results = "\n".join(result.requests.results())
        assert "quite-other-output" in results, told(probe, result)
        assert "tool-out" not in results, told(probe, result)


@each_driver
def test_refused_prompt_does_not_reach_the_model(driver: Driver, tmp_path: Path) -> None:
    if not can(driver, "turn-start", "deny") or HOSTS[driver.id].natives("turn-start")[0].near:
        pytest.skip("the host refuses no prompts")
    answers = {"turn-start": {"decision": "deny", "reason": "probe-refuses"}}
    script = Script.of(driver.shell("touch made"), final="all-done")
    probe, result = go(driver, tmp_path, answers, script)
    assert not result.timed_out, told(probe, result)
    assert "please make the file" not in result.requests, told(probe, result)
    assert not (folder(probe) / "made").exists(), told(probe, result)


@each_driver
def test_halt_ends_the_run(driver: Driver, tmp_path: Path) -> None:
    """The tool does not run and the model is not asked again."""
    if not can(driver, "pre-tool-use", "halt"):
        pytest.skip("the host halts for no tool call")
    answers = {"pre-tool-use": {"decision": "halt", "reason": "probe-halts"}}
    script = Script.of(driver.shell("touch made"), final="all-done")
    probe, result = go(driver, tmp_path, answers, script)
    assert not result.timed_out, told(probe, result)
    assert not (folder(probe) / "made").exists(), told(probe, result)
    assert "all-done" not in result.out, told(probe, result)
