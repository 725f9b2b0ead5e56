"""Amp's code module, run in node by a fake host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agentplugin_adapters import amp

from tests.adapters._node import Fake, needs_node

pytestmark = needs_node

THREAD = {"thread": {"id": "T-1"}}
CALL = {**THREAD, "tool": "Bash", "toolUseID": "c1", "input": {"cmd": "rm"}}


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path, amp.HOST, "emitter.mjs")


def load(fake: Fake, *events: str) -> dict[str, Any]:
    return {"load": str(fake.module(*events))}


def emit(name: str, event: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"emit": name, "event": {**THREAD, **(event or {})}, **more}


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        ({}, {"action": "allow"}),
        ({"decision": "deny", "reason": "no"}, {"action": "reject-and-continue", "message": "no"}),
        ({"decision": "ask", "reason": "?"}, {"action": "reject-and-continue", "message": "?"}),
        ({"input": {"cmd": "ls"}}, {"action": "modify", "input": {"cmd": "ls"}}),
    ],
    ids=["nothing", "deny", "ask-nobody", "change"],
)
def test_tool_call_always_has_a_result(
    fake: Fake, reply: dict[str, Any], result: dict[str, Any]
) -> None:
    """The host requires an explicit answer."""
    fake.replies = {"pre-tool-use": {"json": reply}}
    ran = fake.run(load(fake, "pre-tool-use"), emit("tool.call", CALL))
    assert ran["results"][1]["value"] == result


def test_user_allows(fake: Fake) -> None:
    fake.replies = {"pre-tool-use": {"json": {"decision": "ask", "reason": "?"}}}
    ran = fake.run(load(fake, "pre-tool-use"), emit("tool.call", CALL, answer=True))
    assert ran["results"][1]["value"] == {"action": "allow"}


def test_missing_launcher_allows(fake: Fake) -> None:
    step = load(fake, *amp.HOST.events)
    fake.launcher.unlink()
    ran = fake.run(
        step, emit("tool.call", CALL), emit("agent.start", {"message": "x"}), emit("tool.result")
    )
    assert [result.get("value") for result in ran["results"][1:]] == [{"action": "allow"}, {}, None]
    assert ran["uncaught"] == []


def test_start_context_goes_with_the_first_prompt_of_its_thread(fake: Fake) -> None:
    """The process serves many threads at once."""
    fake.replies = {"session-start": {"json": {"context": "be kind"}}}
    other = {"thread": {"id": "T-2"}, "message": "x"}
    ran = fake.run(
        load(fake, "session-start", "turn-start"),
        emit("session.start"),
        emit("agent.start", other),
        emit("agent.start", {"message": "hello"}),
        emit("agent.start", {"message": "again"}),
    )
    values = [result["value"] for result in ran["results"][2:]]
    assert values == [{}, {"message": {"content": "be kind", "display": False}}, {}]


def test_refused_prompt_cancels_the_thread(fake: Fake) -> None:
    fake.replies = {"turn-start": {"json": {"decision": "deny", "reason": "secret"}}}
    ran = fake.run(load(fake, "turn-start"), emit("agent.start", {"message": "hello"}))
    assert (ran["cancelled"], ran["shown"]) == (1, ["secret"])


def test_result_changed_and_context_added(fake: Fake) -> None:
    fake.replies = {
        "pre-tool-use": {"json": {"context": "before"}},
        "post-tool-use": {"json": {"output": "changed"}},
    }
    done = {**CALL, "status": "done", "output": "original"}
    ran = fake.run(
        load(fake, "pre-tool-use", "post-tool-use"),
        emit("tool.call", CALL),
        emit("tool.result", done),
        emit("tool.result", done),
    )
    assert ran["results"][2]["value"] == {"status": "done", "output": "changed\n\nbefore"}
    assert ran["results"][3]["value"] == {"status": "done", "output": "changed"}
    assert fake.calls()[1][1]["tool_output"] == "original"


def test_kept_going_and_its_own_prompt_is_no_turn_start(fake: Fake) -> None:
    """The host sends the text that keeps a turn going back as a prompt."""
    fake.replies = {"turn-end": {"json": {"decision": "keep-going", "reason": "tests fail"}}}
    end = emit("agent.end", {"status": "done", "message": "x"})
    ran = fake.run(
        load(fake, "turn-start", "turn-end"),
        end,
        emit("agent.start", {"message": "tests fail"}),
        end,
    )
    assert ran["results"][1]["value"] == {"action": "continue", "userMessage": "tests fail"}
    assert fake.slots_called() == ["turn-end", "turn-end"]
    assert [payload["stop_active"] for _, payload, _ in fake.calls()] == [False, True]


def test_cancelled_turn_is_not_kept_going(fake: Fake) -> None:
    fake.replies = {"turn-end": {"json": {"decision": "keep-going", "reason": "more"}}}
    ran = fake.run(load(fake, "turn-end"), emit("agent.end", {"status": "cancelled"}))
    assert "value" not in ran["results"][1]


def test_teardown_waits_for_calls_under_way(fake: Fake) -> None:
    fake.replies = {"session-start": {"sleep": 1}}
    fake.run(load(fake, "session-start"), emit("session.start"), {"emit": "dispose"})
    assert (fake.home / "slept").exists()
