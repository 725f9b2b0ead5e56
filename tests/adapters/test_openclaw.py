"""OpenClaw's module and its two manifests, run in node by a fake host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agentplugin_adapters import openclaw

from hatch_agentplugin.testing.adapter_kit import Sample
from hatch_agentplugin.testing.adapter_kit.machine import Scratch
from tests.adapters._node import Fake, needs_node, rendered, slots

pytestmark = needs_node

CALL = {"toolName": "exec", "toolCallId": "c1", "params": {"command": "rm"}}


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path, openclaw.HOST, "emitter.mjs")


def load(fake: Fake, *events: str) -> dict[str, Any]:
    return {"load": str(fake.module(*events, template="openclaw.mjs.j2"))}


def emit(name: str, event: dict[str, Any] | None = None, run: str = "r1") -> dict[str, Any]:
    return {"emit": name, "event": event or {}, "run": run, "cwd": "/"}


def test_manifests_are_json_for_any_name() -> None:
    """The host reports a missing or broken manifest."""
    for template in ("openclaw_package.json.j2", "openclaw_manifest.json.j2"):
        rows = slots(openclaw.HOST, "pre-tool-use")
        document = json.loads(rendered(openclaw.HOST, "user", rows, template, plugin="a-b.c_d"))
        assert document["name"] == "a-b.c_d"


def test_users_allow_list_gets_the_plugin(tmp_path: Path) -> None:
    """If ``plugins.allow`` is set, OpenClaw loads only the plugins in it."""
    scratch = Scratch(tmp_path, Sample.make(openclaw.HOST, tmp_path / "site"))
    file = scratch.home / ".openclaw/openclaw.json"
    file.parent.mkdir()
    text = '{\n  "plugins": { "allow": ["mine"] } // mine\n}\n'
    file.write_text(text)
    scratch.activate("user")
    assert '"allow": ["mine", "sample"]' in file.read_text()
    scratch.deactivate()
    assert file.read_text() == text


def test_only_needed_hooks_are_subscribed_to_with_time_enough(fake: Fake) -> None:
    """The host's default timeout is 15 seconds, after which it refuses."""
    loaded = fake.run(load(fake, "pre-tool-use", "turn-end"))["results"][0]
    assert sorted(loaded["names"]) == ["agent_end", "before_agent_finalize", "before_tool_call"]
    assert loaded["options"]["before_tool_call"]["timeoutMs"] > 9000


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        ({}, {}),
        ({"decision": "deny", "reason": "no"}, {"block": True, "blockReason": "no"}),
        ({"input": {"command": "ls"}}, {"params": {"command": "ls"}}),
        (
            {"decision": "ask", "reason": "sure?"},
            {
                "requireApproval": {
                    "title": "acme: exec",
                    "description": "sure?",
                    "severity": "warning",
                }
            },
        ),
    ],
    ids=["nothing", "deny", "change", "ask"],
)
def test_tool_call(fake: Fake, reply: dict[str, Any], result: dict[str, Any]) -> None:
    fake.replies = {"pre-tool-use": {"json": reply}}
    ran = fake.run(load(fake, "pre-tool-use"), emit("before_tool_call", CALL))
    assert ran["results"][1]["value"] == result


def test_refused_call_is_no_call(fake: Fake) -> None:
    """The host reports a refused call with the refusal as its result."""
    fake.replies = {"pre-tool-use": {"json": {"decision": "deny", "reason": "no"}}}
    fake.run(
        load(fake, "pre-tool-use", "post-tool-use"),
        emit("before_tool_call", CALL),
        emit("after_tool_call", CALL),
        emit("after_tool_call", {**CALL, "toolCallId": "c2", "result": "ok"}),
    )
    assert fake.slots_called() == ["pre-tool-use", "post-tool-use"]


def test_context_of_start_and_prompt(fake: Fake) -> None:
    """Without the gateway there is no session start, so the first prompt counts as one."""
    fake.replies = {
        "session-start": {"json": {"context": "start"}},
        "turn-start": {"json": {"context": "prompt"}},
    }
    build = emit("before_prompt_build", {"prompt": "hello"})
    ran = fake.run(load(fake, "session-start", "turn-start"), build, build)
    assert [result["value"] for result in ran["results"][1:]] == [
        {"appendSystemContext": "start", "prependContext": "prompt"}
    ] * 2
    assert sorted(fake.slots_called()) == ["session-start", "turn-start"]


def test_refused_prompt(fake: Fake) -> None:
    """The handler is called once, when the prompt is built; the run reads the answer later."""
    fake.replies = {"turn-start": {"json": {"decision": "deny", "reason": "secret"}}}
    event = {"prompt": "hello"}
    ran = fake.run(
        load(fake, "turn-start"),
        emit("before_prompt_build", event),
        emit("before_agent_run", event),
    )
    assert ran["results"][2]["value"] == {
        "outcome": "block",
        "reason": "secret",
        "message": "secret",
    }
    assert fake.slots_called() == ["turn-start"]


def test_turn_end_fires_once_a_run(fake: Fake) -> None:
    """A failed run is never finalised, but it ends."""
    fake.replies = {"turn-end": {"json": {"decision": "keep-going", "reason": "more"}}}
    ran = fake.run(
        load(fake, "turn-end"),
        emit("before_agent_finalize", {"stopHookActive": False}),
        emit("agent_end", {"success": True}),
        emit("agent_end", {"success": False, "error": "boom"}, run="r2"),
    )
    assert ran["results"][1]["value"] == {"action": "revise", "reason": "more"}
    assert [payload.get("error") for _, payload, _ in fake.calls()] == [None, "boom"]


def test_missing_launcher_blocks_nothing(fake: Fake) -> None:
    step = load(fake, *openclaw.HOST.events)
    fake.launcher.unlink()
    ran = fake.run(step, emit("before_tool_call", CALL), emit("before_agent_run"))
    assert [result.get("value") for result in ran["results"][1:]] == [{}, None]
    assert ran["uncaught"] == []
