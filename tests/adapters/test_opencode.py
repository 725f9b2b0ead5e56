"""The code module of OpenCode's dialect, run in node by a fake host."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from agentplugin_adapters import mimo_code, opencode

from tests.adapters._node import Fake, needs_node, rendered, slots

pytestmark = needs_node

SHELL = {"tool": "bash", "sessionID": "s1", "callID": "c1"}
CREATED = {"event": {"type": "session.created", "properties": {"info": {"id": "s1"}}}}
CHILD = {
    "event": {
        "type": "session.created",
        "properties": {"sessionID": "k1", "info": {"id": "k1", "parentID": "s1"}},
    }
}


def idle(session: str) -> dict[str, Any]:
    return {"event": {"type": "session.idle", "properties": {"sessionID": session}}}


def prompt(session: str, text: str) -> dict[str, Any]:
    parts = [{"type": "text", "text": text}]
    output = {"message": {"id": "m1"}, "parts": parts}
    return {"member": "chat.message", "input": {"sessionID": session}, "output": output}


def before(args: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"member": "tool.execute.before", "input": SHELL, "output": {"args": args}, **more}


def system(*texts: str) -> dict[str, Any]:
    return {
        "member": "experimental.chat.system.transform",
        "input": {"sessionID": "s1"},
        "output": {"system": list(texts)},
    }


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path, opencode.HOST, "opencode.mjs")


def load(fake: Fake, *events: str, **changes: Any) -> dict[str, Any]:
    return {"load": str(fake.module(*events, **changes)), "directory": str(fake.folder)}


def test_one_default_export_that_gives_an_object(fake: Fake) -> None:
    """Old releases call every export as a plugin, and a plugin must return an object."""
    ran = fake.run(load(fake, "pre-tool-use"))
    assert ran["results"][0]["exports"] == ["default"]
    assert "event" in ran["results"][0]["members"]


def test_refusal_is_thrown_word_for_word(fake: Fake) -> None:
    """The reason is the tool's result, so it is exactly the handler's text."""
    reason = "no: 'x' \"y\" $z `w` \\ \u2028 \U0001f980 </script>"
    fake.replies = {"pre-tool-use": {"json": {"decision": "deny", "reason": reason}}}
    ran = fake.run(load(fake, "pre-tool-use"), before({"command": "rm -rf /"}))
    assert ran["results"][1]["error"] == reason
    assert ran["results"][1]["kind"] == "Error"


def test_payload_of_a_tool_call(fake: Fake) -> None:
    """The launcher gets host, slot and the bridge's payload, in the project's folder."""
    args = {"command": "echo 'ä' \"$x\" \u2029 \U0001f980"}
    fake.run(load(fake, "pre-tool-use"), before(args))
    [(argv, payload, cwd)] = fake.calls()
    assert argv == ["opencode", "pre-tool-use"]
    assert cwd == payload["cwd"] == str(fake.folder)
    assert payload["tool_input"] == args
    assert (payload["tool_name"], payload["session_id"], payload["call_id"]) == ("bash", "s1", "c1")
    assert payload["raw"] == SHELL


def test_changed_input_goes_into_the_same_object(fake: Fake) -> None:
    """The object is changed in place, because the host ignores a new one; missing keys go."""
    fake.replies = {"pre-tool-use": {"json": {"input": {"command": "ls", "new": [1]}}}}
    ran = fake.run(load(fake, "pre-tool-use"), before({"command": "rm", "old": 1}))
    assert ran["results"][1]["output"]["args"] == {"command": "ls", "new": [1]}
    assert ran["results"][1]["sameArgs"]


def test_missing_launcher_does_nothing(fake: Fake) -> None:
    """An uninstalled plugin blocks and prints nothing."""
    step = load(fake, "pre-tool-use", "turn-end")
    fake.launcher.unlink()
    ran = fake.run(step, before({"command": "ls"}), idle("s1"), {"member": "dispose"})
    assert [result.get("error") for result in ran["results"]] == [None] * 4
    assert ran["uncaught"] == []


def test_launcher_that_reads_nothing(fake: Fake) -> None:
    """Three megabytes into a pipe without a reader: no uncaught EPIPE, and the call continues."""
    fake.replies = {"pre-tool-use": {"deaf": True}}
    ran = fake.run(load(fake, "pre-tool-use"), before({"content": "x" * 3_000_000}))
    assert ran["uncaught"] == []
    assert "error" not in ran["results"][1]


def test_large_payload_arrives(fake: Fake) -> None:
    """Three megabytes of input reach a launcher that reads."""
    fake.run(load(fake, "pre-tool-use"), before({"content": "ä" * 3_000_000}))
    assert len(fake.calls()[0][1]["tool_input"]["content"]) == 3_000_000


def test_hanging_launcher_is_killed(fake: Fake) -> None:
    """After the timeout the call continues, and the launcher and its children are gone."""
    fake.replies = {"pre-tool-use": {"sleep": 30, "json": {"decision": "deny"}}}
    step = load(fake, "pre-tool-use", timeout_ms=500)
    ran = fake.run(step, before({"command": "ls"}))
    assert "error" not in ran["results"][1]
    assert ran["results"][1]["took"] < 5000
    time.sleep(0.2)
    assert not (fake.home / "slept").exists()


@pytest.mark.parametrize("text", ["", "{", "null", "7", '"x"', "noise {}", "[]"])
def test_odd_answers_mean_nothing(fake: Fake, text: str) -> None:
    """Only a JSON object is a decision."""
    fake.replies = {"pre-tool-use": {"text": text or " "}}
    ran = fake.run(load(fake, "pre-tool-use"), before({"command": "ls"}))
    assert "error" not in ran["results"][1]


def test_endless_answer_is_cut_off(fake: Fake) -> None:
    """A reply of more than a mebibyte is ignored."""
    fake.replies = {"pre-tool-use": {"text": '{"decision":"deny","x":"' + "x" * 2_000_000 + '"}'}}
    ran = fake.run(load(fake, "pre-tool-use"), before({"command": "ls"}))
    assert "error" not in ran["results"][1]


def test_session_start_context_is_in_every_request_but_the_title(fake: Fake) -> None:
    """The start fires once; its context goes into every prompt, which the host rebuilds."""
    fake.replies = {"session-start": {"json": {"context": "be kind"}}}
    ran = fake.run(
        load(fake, "session-start"),
        CREATED,
        prompt("s1", "hello"),
        system("You are a title generator. Only a title."),
        system("base"),
        system("base"),
    )
    systems = [result["output"]["system"] for result in ran["results"][3:]]
    assert systems == [
        ["You are a title generator. Only a title."],
        ["base", "be kind"],
        ["base", "be kind"],
    ]
    assert len(fake.calls()) == 1
    assert fake.calls()[0][1]["reason"] == "startup"


def test_continued_session_starts_with_its_first_prompt(fake: Fake) -> None:
    """The host announces new sessions only."""
    fake.replies = {"session-start": {"json": {"context": "hi"}}}
    ran = fake.run(load(fake, "session-start"), prompt("s1", "hello"), system("base"))
    assert ran["results"][2]["output"]["system"] == ["base", "hi"]
    assert fake.calls()[0][1]["reason"] == "resume"


def test_prompt_context_becomes_a_part(fake: Fake) -> None:
    """The context of a prompt travels with its message, marked as not the user's."""
    fake.replies = {"turn-start": {"json": {"context": "it is Monday"}}}
    ran = fake.run(load(fake, "turn-start"), prompt("s1", "hello"))
    part = ran["results"][1]["output"]["parts"][1]
    assert part.pop("id").startswith("prt_")
    assert part == {
        "sessionID": "s1",
        "messageID": "m1",
        "type": "text",
        "text": "it is Monday",
        "synthetic": True,
    }
    assert fake.calls()[0][1]["prompt"] == "hello"


def test_refused_prompt(fake: Fake) -> None:
    """A throw keeps the prompt from the model. A toast shows the reason, which the host hides."""
    fake.replies = {"turn-start": {"json": {"decision": "deny", "reason": "secret in it"}}}
    ran = fake.run(load(fake, "turn-start"), prompt("s1", "hello"))
    assert ran["results"][1]["error"] == "secret in it"
    assert ran["toasts"] == [{"message": "secret in it", "variant": "error"}]


def test_subagents_have_their_own_events(fake: Fake) -> None:
    """A child session fires no session start, prompt or turn end."""
    events = ("session-start", "turn-start", "turn-end", "subagent-start", "subagent-stop")
    fake.run(
        load(fake, *events),
        CREATED,
        prompt("s1", "hello"),
        CHILD,
        prompt("k1", "task"),
        idle("k1"),
        idle("s1"),
        {"member": "dispose"},
    )
    seen = sorted((argv[1], payload["session_id"]) for argv, payload, _ in fake.calls())
    assert seen == [
        ("session-start", "s1"),
        ("subagent-start", "k1"),
        ("subagent-stop", "k1"),
        ("turn-end", "s1"),
        ("turn-start", "s1"),
    ]


def test_turn_end_outlives_a_host_that_does_not_wait(fake: Fake) -> None:
    """Only teardown waits for the event; the call is complete when the host exits."""
    fake.replies = {"turn-end": {"sleep": 1}}
    ran = fake.run(load(fake, "turn-end"), idle("s1"), {"member": "dispose"})
    assert (fake.home / "slept").exists()
    assert ran["results"][1]["took"] < 500


def test_session_end_once(fake: Fake) -> None:
    """A session ends when it is deleted or when the host exits."""
    other = {"event": {"type": "session.created", "properties": {"info": {"id": "s2"}}}}
    deleted = {"event": {"type": "session.deleted", "properties": {"sessionID": "s1"}}}
    dispose = {"member": "dispose"}
    fake.run(load(fake, "session-end"), CREATED, other, deleted, {"wait": 300}, dispose, dispose)
    ends = [(payload["session_id"], payload["reason"]) for _, payload, _ in fake.calls()]
    assert ends == [("s1", "deleted"), ("s2", "exit")]


def test_output_changed_and_context_added(fake: Fake) -> None:
    """Context given before a call reaches the model with the result."""
    fake.replies = {
        "pre-tool-use": {"json": {"context": "before"}},
        "post-tool-use": {"json": {"output": "changed", "context": "after"}},
    }
    after = {"member": "tool.execute.after", "input": {**SHELL, "args": {"command": "ls"}}}
    ran = fake.run(
        load(fake, "pre-tool-use", "post-tool-use"),
        before({"command": "ls"}),
        {**after, "output": {"title": "ls", "output": "original"}},
        {**after, "output": {"content": [{"type": "text", "text": "a"}, {"type": "image"}]}},
    )
    outputs = [result["output"] for result in ran["results"][2:]]
    assert outputs[0]["output"] == "changed\n\nbefore\n\nafter"
    assert outputs[1]["content"] == [
        {"type": "text", "text": "changed\n\nafter"},
        {"type": "image"},
    ]
    assert fake.calls()[1][1]["tool_output"] == "original"


def test_failure_is_reported_once_and_not_for_our_own_refusal(fake: Fake) -> None:
    """The host turns a refusal into a failed call, which is no failure of the tool."""

    def failed(call: str) -> dict[str, Any]:
        state = {"status": "error", "input": {"command": "x"}, "error": "boom"}
        part = {"type": "tool", "tool": "bash", "sessionID": "s1", "callID": call, "state": state}
        return {"event": {"type": "message.part.updated", "properties": {"part": part}}}

    fake.replies = {"pre-tool-use": {"json": {"decision": "deny", "reason": "no"}}}
    step = load(fake, "pre-tool-use", "post-tool-use-failure")
    fake.run(step, before({}), failed("c1"), failed("c2"), failed("c2"), {"member": "dispose"})
    failures = [payload for argv, payload, _ in fake.calls() if argv[1] == "post-tool-use-failure"]
    assert [(one["call_id"], one["error"]) for one in failures] == [("c2", "boom")]


@pytest.mark.parametrize(("decision", "response"), [("allow", "once"), ("deny", "reject")])
def test_permission_is_answered_by_the_client(fake: Fake, decision: str, response: str) -> None:
    """The host asks with an event; the answer goes to its client."""
    fake.replies = {"permission-request": {"json": {"decision": decision, "reason": "r"}}}
    asked = {"id": "p1", "sessionID": "s1", "permission": "bash", "patterns": ["ls"]}
    event = {"event": {"type": "permission.asked", "properties": asked}}
    ran = fake.run(load(fake, "permission-request"), event, {"wait": 500})
    assert ran["replies"] == [
        {"path": {"id": "s1", "permissionID": "p1"}, "body": {"response": response}}
    ]


def test_loaded_twice_fires_once(fake: Fake) -> None:
    """Two folders of the host may have the same file; only the copy loaded last acts."""
    first, second = (
        load(fake, "pre-tool-use", "turn-end"),
        load(fake, "pre-tool-use", "turn-end", name="copy.mjs"),
    )
    fake.run(first, second, before({"command": "ls"}), idle("s1"), {"member": "dispose"})
    assert sorted(argv[1] for argv, _, _ in fake.calls()) == ["pre-tool-use", "turn-end"]


def test_only_the_tools_of_the_hooks(fake: Fake) -> None:
    """A tool without a hook starts no process."""
    step = load(fake, "pre-tool-use", tools=["write", "srv_*_x"])
    others = [
        {**before({}), "input": {**SHELL, "tool": tool}}
        for tool in ("bash", "write", "srv_a_x", "srv_x", "srv_a_y", "writer")
    ]
    fake.run(step, *others)
    assert [payload["tool_name"] for _, payload, _ in fake.calls()] == ["write", "srv_a_x"]


def test_hook_inside_a_hook(fake: Fake) -> None:
    """A host started by a hook of this plugin fires nothing."""
    fake.run(load(fake, "pre-tool-use"), before({}), env={"AGENT_PLUGIN_FIRING": "other acme"})
    assert fake.calls() == []


def test_raw_object_that_is_no_json(fake: Fake) -> None:
    """A host object with a cycle is left out, and nothing breaks."""
    fake.run(load(fake, "pre-tool-use"), {**before({"command": "ls"}), "cycle": True})
    assert fake.calls()[0][1]["raw"] is None


def test_kept_going_by_a_prompt_that_is_no_turn_start(fake: Fake) -> None:
    """The host continues only by a prompt, which comes back to the module like any other."""
    fake.replies = {"turn-end": {"json": {"decision": "keep-going", "reason": "tests fail"}}}
    ran = fake.run(
        load(fake, "turn-start", "turn-end"),
        idle("s1"),
        {"wait": 500},
        prompt("s1", "tests fail"),
        idle("s1"),
        {"wait": 500},
    )
    parts = [{"type": "text", "text": "tests fail"}]
    assert ran["prompts"] == [{"path": {"id": "s1"}, "body": {"parts": parts}}] * 2
    ends = [(argv[1], payload["stop_active"]) for argv, payload, _ in fake.calls()]
    assert ends == [("turn-end", False), ("turn-end", True)]


def test_subagent_of_mimocode_is_kept_going(tmp_path: Path) -> None:
    """The fork has its own event for it, so its idle event must not fire too."""
    fake = Fake(tmp_path, mimo_code.HOST, "opencode.mjs")
    fake.replies = {"subagent-stop": {"json": {"decision": "keep-going", "reason": "more"}}}
    stop = {"member": "actor.preStop", "input": {"sessionID": "k1", "agentType": "scout"}}
    ran = fake.run(load(fake, "subagent-stop"), CHILD, stop, idle("k1"), {"wait": 300})
    assert ran["results"][2]["output"] == {"continue": True, "reason": "more"}
    assert len(fake.calls()) == 1


def test_message_is_shown(fake: Fake) -> None:
    """A message for the user becomes a toast."""
    fake.replies = {"post-tool-use": {"json": {"message": "done"}}}
    after = {"member": "tool.execute.after", "input": SHELL, "output": {"output": ""}}
    assert fake.run(load(fake, "post-tool-use"), after)["toasts"] == [
        {"message": "done", "variant": "info"}
    ]


def test_project_scope_finds_the_launcher_at_run_time(fake: Fake, tmp_path: Path) -> None:
    """A module in a project contains no path of a machine."""
    text = rendered(opencode.HOST, "project", slots(opencode.HOST, "pre-tool-use"))
    assert "AGENT_PLUGIN_LAUNCHER" not in text
    path = fake.module("pre-tool-use", scope="project")
    home = tmp_path / "state"
    (home / "acme").mkdir(parents=True)
    for file in ("launch", "replies.json"):
        (fake.home / file).rename(home / "acme" / file)
    fake.run(
        {"load": str(path), "directory": str(tmp_path)},
        before({}),
        env={"AGENT_PLUGIN_HOME": str(home)},
    )
    assert '["opencode", "pre-tool-use", "--project"]' in (home / "acme/calls.jsonl").read_text()


def test_text_is_the_same_for_every_version_of_the_plugin() -> None:
    """An upgrade without new events, tools or timeouts changes nothing in it."""
    rows = slots(opencode.HOST, "pre-tool-use")
    text = rendered(opencode.HOST, "user", rows)
    assert text == rendered(opencode.HOST, "user", rows)
    assert text.count("@AGENT_PLUGIN_LAUNCHER@") == 1
