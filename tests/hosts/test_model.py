"""The scripted model, tested through its wire dialects; no host program is needed."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.hosts.model import Call, Log, Model, Script, Step

CALL = Call("Bash", {"command": "true"})


def post(model: Model, path: str, body: dict[str, Any]) -> str:
    request = urllib.request.Request(model.url + path, json.dumps(body).encode())
    with urllib.request.urlopen(request) as response:
        return str(response.read().decode())


def anthropic(results: int, tools: bool = True, **more: Any) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "hello model"}]
    for number in range(results):
        block = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "result text"}
        messages.append({"role": "user", "content": [block]})
    offered = [{"name": "Bash"}] if tools else []
    return {"model": "m", "messages": messages, "tools": offered, **more}


def chat(results: int, **more: Any) -> dict[str, Any]:
    tools = [{"type": "function", "function": {"name": "Bash"}}]
    told = [{"role": "tool", "tool_call_id": "c", "content": "result text"}] * results
    return {"messages": [{"role": "user", "content": "hi"}, *told], "tools": tools, **more}


def responses(results: int, **more: Any) -> dict[str, Any]:
    told = [{"type": "function_call_output", "call_id": "c", "output": "result text"}] * results
    user = {"role": "user", "content": [{"type": "input_text", "text": "hi"}]}
    return {"input": [user, *told], "tools": [{"type": "function", "name": "Bash"}], **more}


def gemini(results: int) -> dict[str, Any]:
    part = {"functionResponse": {"name": "Bash", "response": {"output": "result text"}}}
    told = [{"role": "user", "parts": [part]}] * results
    contents = [{"role": "user", "parts": [{"text": "hi"}]}, *told]
    return {"contents": contents, "tools": [{"functionDeclarations": [{"name": "Bash"}]}]}


VERTEX = "/v1beta1/publishers/google/models/gemini-2.5-pro"
WIRES = [
    pytest.param("/v1/messages", anthropic, {}, id="anthropic"),
    pytest.param("/v1/messages", anthropic, {"stream": True}, id="anthropic-stream"),
    pytest.param("/v1/chat/completions", chat, {}, id="chat"),
    pytest.param("/v1/chat/completions", chat, {"stream": True}, id="chat-stream"),
    pytest.param("/v1/responses", responses, {}, id="responses"),
    pytest.param("/v1/responses", responses, {"stream": True}, id="responses-stream"),
    pytest.param("/v1beta/models/m:generateContent", gemini, {}, id="gemini"),
    pytest.param(f"{VERTEX}:streamGenerateContent?alt=sse", gemini, {}, id="vertex-stream"),
]


@pytest.mark.parametrize(("path", "make", "more"), WIRES)
def test_a_call_first_and_the_final_text_after_its_result(
    path: str, make: Any, more: dict[str, Any]
) -> None:
    """One result in the request means that the only step is over, in every dialect."""
    with Model(Script.of(CALL, final="all over")) as model:
        first = post(model, path, {**make(0), **more})
        last = post(model, path, {**make(1), **more})
    assert "Bash" in first
    assert "command" in first
    assert "all over" not in first
    assert "all over" in last
    assert "Bash" not in last
    assert model.log.results() == ["result text"]
    assert "result text" in model.log


def test_a_side_request_eats_no_step() -> None:
    """A request without tools (a title, a summary) gets a plain text."""
    with Model(Script.of(CALL)) as model:
        title = post(model, "/v1/messages", anthropic(0, tools=False))
        first = post(model, "/v1/messages", anthropic(0))
    assert json.loads(title)["content"] == [{"type": "text", "text": "ok"}]
    assert json.loads(first)["stop_reason"] == "tool_use"


def test_calls_of_one_step_are_one_answer() -> None:
    """Parallel calls are one step, which is over when all their results are there."""
    script = Script((Step((CALL, CALL)), Step((CALL,))))
    assert script.answer(["Bash"], 0, "") == script.steps[0]
    assert script.answer(["Bash"], 2, "") == script.steps[1]
    assert script.answer(["Bash"], 3, "") == Step(text="done")


def test_a_subagent_has_a_script_of_its_own() -> None:
    """The prompt distinguishes a subagent's conversation from the main one."""
    child = Script(final="child over")
    script = Script((Step((CALL,)),), branches={"look around": child})
    assert script.answer(["Bash"], 0, "please look around").text == "child over"
    assert script.answer(["Bash"], 0, "please start").calls == (CALL,)


def test_a_script_survives_the_way_to_another_process() -> None:
    script = Script((Step((CALL, Call("patch", "*** text")), "t", 200, 5),), "f", {"k": Script()})
    assert Script.loads(script.dumps()) == script


def test_a_scripted_error_is_an_http_error() -> None:
    script = Script((Step(status=400),))
    with Model(script) as model, pytest.raises(urllib.error.HTTPError, match="400"):
        post(model, "/v1/messages", anthropic(0))


def test_the_log_of_another_process_reads_as_our_own(tmp_path: Any) -> None:
    """The log file contains each request as soon as it is answered."""
    with Model(Script(), log_file=tmp_path / "log") as model:
        post(model, "/v1/messages", anthropic(1))
    assert Log.read(tmp_path / "log").requests == model.log.requests


def test_only_what_went_to_the_model_counts_as_text() -> None:
    """Telemetry contains prompts too, but a text in it has not reached the model."""
    with Model(Script()) as model:
        with pytest.raises(urllib.error.HTTPError):
            post(model, "/telemetry", {"event": "secret reason"})
        post(model, "/v1/messages", anthropic(0))
    assert "secret reason" not in model.log
    assert "hello model" in model.log
    assert len(model.log) == 2


def test_a_heavy_step_is_reported_once() -> None:
    """A compacted conversation starts over, and must not be compacted again forever."""
    heavy = Script((Step((CALL,), tokens=900_000),))
    with Model(heavy) as model:
        told = [post(model, "/v1/messages", anthropic(0)) for _ in range(2)]
    assert ['"input_tokens": 900000' in text for text in told] == [True, False]
    assert all('"name": "Bash"' in text for text in told)


def test_a_call_of_a_grouped_tool_names_its_group() -> None:
    group = {"type": "namespace", "name": "agents", "tools": [{"name": "Bash"}]}
    with Model(Script.of(CALL)) as model:
        told = json.loads(post(model, "/v1/responses", {**responses(0), "tools": [group]}))
    assert told["output"][0]["namespace"] == "agents"
