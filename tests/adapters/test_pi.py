"""The code module of Pi's dialect, run in node by a fake host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agentplugin_adapters import omp, pi

from hatch_agentplugin.adapter import Host
from tests.adapters._node import Fake, needs_node

pytestmark = needs_node

CALL = {"toolName": "bash", "toolCallId": "c1", "input": {"command": "rm", "old": 1}}
RESULT = {"toolName": "bash", "toolCallId": "c1", "input": {}, "isError": False}


@pytest.fixture(params=[pi.HOST, omp.HOST], ids=lambda host: host.id)
def fake(request: pytest.FixtureRequest, tmp_path: Path) -> Fake:
    return Fake(tmp_path, request.param, "emitter.mjs")


def load(fake: Fake, *events: str, **changes: Any) -> dict[str, Any]:
    return {"load": str(fake.module(*events, **changes))}


def emit(name: str, event: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"emit": name, "event": event or {}, "cwd": "/", **more}


def text(content: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}]


def test_refusal_is_returned(fake: Fake) -> None:
    """A throw would block too, but with another text."""
    fake.replies = {"pre-tool-use": {"json": {"decision": "deny", "reason": "no 'x' \u2028"}}}
    ran = fake.run(load(fake, "pre-tool-use"), emit("tool_call", CALL))
    assert ran["results"][1]["value"] == {"block": True, "reason": "no 'x' \u2028"}
    [(argv, payload, _)] = fake.calls()
    assert argv == [fake.host.id, "pre-tool-use"]
    assert (payload["session_id"], payload["tool_input"]) == ("s1", CALL["input"])


def test_changed_input_is_both_put_in_place_and_returned(fake: Fake) -> None:
    """Pi reads the changed object, OMP the returned one."""
    fake.replies = {"pre-tool-use": {"json": {"input": {"command": "ls"}}}}
    result = fake.run(load(fake, "pre-tool-use"), emit("tool_call", CALL))["results"][1]
    assert result["value"] == {"input": {"command": "ls"}}
    assert result["event"]["input"] == {"command": "ls"}
    assert result["sameInput"]


@pytest.mark.parametrize(
    ("answer", "blocked"), [(True, False), (False, True), (None, True)], ids=["yes", "no", "nobody"]
)
def test_asking(fake: Fake, answer: bool | None, blocked: bool) -> None:
    """The user decides; without a user the call is refused."""
    fake.replies = {"pre-tool-use": {"json": {"decision": "ask", "reason": "sure?"}}}
    more = {} if answer is None else {"answer": answer}
    ran = fake.run(load(fake, "pre-tool-use"), emit("tool_call", CALL, **more))
    value = ran["results"][1].get("value")
    assert value == ({"block": True, "reason": "sure?"} if blocked else None)


def test_result_changed_and_context_added(fake: Fake) -> None:
    """Blocks that are not text stay; context given before the call comes with the result."""
    fake.replies = {
        "pre-tool-use": {"json": {"context": "before"}},
        "post-tool-use": {"json": {"output": "changed", "context": "after"}},
    }
    result = {**RESULT, "content": [*text("a"), {"type": "image"}]}
    ran = fake.run(
        load(fake, "pre-tool-use", "post-tool-use"),
        emit("tool_call", CALL),
        emit("tool_result", result),
    )
    value = ran["results"][2]["value"]
    assert value == {"content": [*text("changed\n\nbefore\n\nafter"), {"type": "image"}]}


def test_failed_tool_has_its_own_event(fake: Fake) -> None:
    failed = {**RESULT, "isError": True, "content": text("boom")}
    fake.run(load(fake, "post-tool-use", "post-tool-use-failure"), emit("tool_result", failed))
    [(argv, payload, _)] = fake.calls()
    assert (argv[1], payload["error"]) == ("post-tool-use-failure", "boom")


def test_context_of_start_and_prompt_go_once_with_the_prompt(fake: Fake) -> None:
    """The host keeps a returned message, so the module returns it once."""
    fake.replies = {
        "session-start": {"json": {"context": "start"}},
        "turn-start": {"json": {"context": "prompt"}},
    }
    started = emit("before_agent_start", {"prompt": "hello"})
    ran = fake.run(
        load(fake, "session-start", "turn-start"),
        emit("session_start", {"reason": "startup"}),
        emit("input", {"text": "hello", "source": "interactive"}),
        started,
        started,
    )
    contents = [result["value"]["message"]["content"] for result in ran["results"][3:]]
    assert contents == ["start\n\nprompt", "prompt"]
    assert fake.slots_called() == ["session-start", "turn-start", "turn-start"]


def test_prompt_fires_where_the_host_leaves_the_input_event_out(fake: Fake) -> None:
    fake.run(load(fake, "turn-start"), emit("before_agent_start", {"prompt": "hello"}))
    assert [payload["prompt"] for _, payload, _ in fake.calls()] == ["hello"]


def test_refused_prompt_answers_both_hosts(fake: Fake) -> None:
    fake.replies = {"turn-start": {"json": {"decision": "deny", "reason": "secret"}}}
    event = {"text": "hello", "source": "interactive"}
    ran = fake.run(load(fake, "turn-start"), emit("input", event, answer=True))
    assert ran["results"][1]["value"] == {"action": "handled", "handled": True}
    assert ran["shown"] == ["secret"]


def test_reload_is_no_start_and_no_end(fake: Fake) -> None:
    reload = {"reason": "reload"}
    fake.run(
        load(fake, "session-start", "session-end"),
        emit("session_shutdown", reload),
        emit("session_start", reload),
        emit("session_shutdown", {"reason": "quit"}),
    )
    assert fake.slots_called() == ["session-end"]


def test_pi_is_kept_going_once_more(tmp_path: Path) -> None:
    """The second end of the turn has stop_active, because a hook has kept it going."""
    fake = Fake(tmp_path, pi.HOST, "emitter.mjs")
    fake.replies = {"turn-end": {"json": {"decision": "keep-going", "reason": "tests fail"}}}
    settle = emit("agent_before_settle", {"outcome": "completed", "entries": [{"type": "x"}]})
    ran = fake.run(load(fake, "turn-end"), settle, settle)
    value = ran["results"][1]["value"]
    assert value["continue"] is True
    assert value["entries"][0] == {"type": "x"}
    assert value["entries"][1]["content"] == "tests fail"
    assert [payload["stop_active"] for _, payload, _ in fake.calls()] == [False, True]


def test_pi_turn_end_fires_once(tmp_path: Path) -> None:
    """Older versions lack the event before settling, newer ones have both."""
    fake = Fake(tmp_path, pi.HOST, "emitter.mjs")
    settle = emit("agent_before_settle", {"outcome": "completed", "entries": []})
    settled = emit("agent_settled", {"aborted": False})
    fake.run(
        load(fake, "turn-end"), settle, settled, settled, emit("agent_settled", {"aborted": True})
    )
    assert fake.slots_called() == ["turn-end", "turn-end"]


def test_omp_is_kept_going(tmp_path: Path) -> None:
    fake = Fake(tmp_path, omp.HOST, "emitter.mjs")
    fake.replies = {"turn-end": {"json": {"decision": "keep-going", "reason": "tests fail"}}}
    ran = fake.run(load(fake, "turn-end"), emit("session_stop", {"stop_hook_active": True}))
    assert ran["results"][1]["value"] == {"decision": "block", "reason": "tests fail"}
    assert fake.calls()[0][1]["stop_active"] is True


def test_compaction(fake: Fake) -> None:
    fake.replies = {"pre-compact": {"json": {"context": "keep this"}}}
    ran = fake.run(
        load(fake, "pre-compact"), emit("session_before_compact"), emit("session.compacting")
    )
    assert "value" not in ran["results"][1]
    assert ran["results"][2]["value"] == {"context": ["keep this"]}


def test_missing_launcher_blocks_nothing(fake: Fake) -> None:
    """On Pi a throw would block the tool, and a broken module the whole host."""
    step = load(fake, *fake.host.events)
    fake.launcher.unlink()
    ran = fake.run(step, emit("tool_call", CALL), emit("session_shutdown"), emit("input"))
    assert all("value" not in result and "error" not in result for result in ran["results"][1:])
    assert ran["uncaught"] == []


def test_event_of_an_unknown_shape_breaks_nothing(fake: Fake) -> None:
    """Unknown payloads of later versions throw nothing into the host."""
    host: Host = fake.host
    names = fake.run(load(fake, *host.events))["results"][0]["names"]
    ran = fake.run(load(fake, *host.events), *[emit(name) for name in names])
    assert [result.get("error") for result in ran["results"]] == [None] * (len(names) + 1)
