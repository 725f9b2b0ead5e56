"""Seven hosts, every event and outcome, through the real launcher, with payloads as recorded."""

from __future__ import annotations

import importlib
import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.compiler.bundle import compile_bundle
from hatch_agentplugin.declaration import Declaration, Hook
from hatch_agentplugin.events import EVENTS
from hatch_agentplugin.plan import Plugin
from hatch_agentplugin.simulate import Bundle, Result, simulate

SEVEN = ("claude_code", "cline", "codex", "copilot_cli", "cursor", "gemini_cli", "opencode")
HOSTS: dict[str, Host] = {
    host.id: host
    for name in SEVEN
    for host in importlib.import_module(f"agentplugin_adapters.{name}").agent_plugin_hosts()
}
PAYLOADS = {
    host: json.loads((Path(__file__).parent / "payloads" / f"{host}.json").read_text("utf-8"))
    for host in HOSTS
}
#: What the handler answers, by name of the outcome.
RESULTS: dict[str, dict[str, Any]] = {
    "allow": {"decision": "allow"},
    "deny": {"decision": "deny", "reason": 'The "reason", 日本 😀'},
    "ask": {"decision": "ask", "reason": 'The "reason", 日本 😀'},
    "keep-going": {"decision": "keep-going", "reason": 'The "reason", 日本 😀'},
    "halt": {"decision": "halt", "reason": 'The "reason", 日本 😀'},
    "context": {"context": "Line one\nline 'two' $input"},
    "message": {"message": "Line one\nline 'two' $input"},
    "modify-input": {"input": {"command": "ls 'a b'", "nested": [1, None, True]}},
    "modify-output": {"output": "other output"},
}
HANDLERS = """
    import json, os, posix
    def answer(event):
        wanted = posix.environ.get(b"ANSWER")
        if wanted:
            return json.loads(wanted)
    def show(event):
        names = [name for name in event.__slots__ if name not in ("raw", "root", "data")]
        return {"message": json.dumps({name: getattr(event, name) for name in names})}
"""


def declared(handler: str) -> Declaration:
    """A plugin with one handler for every event."""
    hooks = tuple(
        Hook(key=f"hooks.{event}[1]", event=event, handler=f"acme_hooks:{handler}")
        for event in EVENTS
    )
    return Declaration(plugin=Plugin("acme", "acme", "1"), hooks=hooks)


def lay(root: Path, declaration: Declaration) -> Bundle:
    """The plugin as if it were installed."""
    made = compile_bundle(declaration, HOSTS.values(), lambda package, template, context: "")
    folder = root / "acme_agent_plugin"
    for name, data in made.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (root / "acme_hooks.py").write_text(textwrap.dedent(HANDLERS), "utf-8")
    return Bundle(folder, made.plan)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A plugin that answers what the test asks for."""
    return lay(tmp_path_factory.mktemp("answer"), declared("answer"))


@pytest.fixture(scope="module")
def showing(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A plugin that tells what it saw."""
    return lay(tmp_path_factory.mktemp("show"), declared("show"))


def recorded(host: str, event: str) -> Any:
    """The recorded payload for an event, or None, which makes one from the table."""
    return PAYLOADS[host].get(event, {}).get("payload")


CASES = [
    pytest.param(host, event, outcome, id=f"{host}-{event}-{outcome}")
    for host, facts in HOSTS.items()
    for event in facts.events
    for outcome in EVENTS[event].outcomes
]


def fill(template: Any, outcome: str, shape: Any = "$output") -> Any:
    """The reply by the adapter's own template, filled in here by other means."""
    result = RESULTS[outcome]
    text = result.get("reason") or result.get("context") or result.get("message")
    text = text or "allow, says the plugin acme"
    values = {"$reason": text, "$text": text, "$input": result.get("input")}
    values |= dict.fromkeys(("$output", "$output-text"), result.get("output"))
    if template == "$output" != shape:
        return fill(shape, outcome)
    if isinstance(template, dict):
        return {key: fill(value, outcome, shape) for key, value in template.items()}
    return values.get(template, template) if isinstance(template, str) else template


@pytest.mark.parametrize(("host", "event", "outcome"), CASES)
def test_every_outcome_in_the_hosts_own_words(
    bundle: Bundle, host: str, event: str, outcome: str
) -> None:
    """Said as the adapter says, or degraded with a note; always one document and status as told."""
    answer = {"ANSWER": json.dumps(RESULTS[outcome])}
    result = simulate(bundle, host, event, payload=recorded(host, event), env=answer)
    result.check()
    native = HOSTS[host].natives(event)[0]
    assert result.native == native.name
    assert list(result.said) == [outcome]
    if native.detached:
        assert (result.reply, result.status, result.outcome) == ("", 0, "none")
        return
    if outcome not in native.can:
        assert result.degraded
        assert result.degraded[0]["outcome"] == outcome
        assert result.degraded[0]["why"]
        became = result.degraded[0]["as"]
        assert result.outcome == (became or "none")
        if not became:
            assert silent(result, host)
        return
    assert result.degraded == []
    assert result.outcome == outcome
    shape = native.shapes.get(outcome, {}).get(str(result.payload.get("tool_name")), "$output")
    wanted = fill(native.can[outcome], outcome, shape)
    wanted = json.loads(json.dumps(wanted).replace('"$event"', json.dumps(native.name)))
    status, stderr = wanted.pop("$exit", 0), wanted.pop("$stderr", "")
    assert (result.status, result.stderr) == (status, stderr)
    if "$stdout" in wanted:
        assert result.reply == wanted["$stdout"]
        return
    assert result.document == (wanted or None)


def silent(result: Result, host: str) -> bool:
    """Whether the host sees what it takes for nothing."""
    wanted = HOSTS[host].wire.silence
    return (result.status, result.stderr, result.document) == (0, "", wanted)


@pytest.mark.parametrize("host", HOSTS)
def test_nothing_to_say(bundle: Bundle, host: str) -> None:
    """Every event of every host knows silence."""
    for event in bundle.events(host):
        result = simulate(bundle, host, event, payload=recorded(host, event))
        result.check()
        assert silent(result, host), event
        assert result.outcome == "none"


@pytest.mark.parametrize(
    ("host", "case"),
    [pytest.param(host, case, id=f"{host}-{case}") for host in HOSTS for case in PAYLOADS[host]],
)
def test_recorded_payload_is_understood(showing: Bundle, host: str, case: str) -> None:
    """The event has what the host has told, under our names."""
    row = PAYLOADS[host][case]
    event = case.partition(" ")[0]
    table = showing.table(host, event)
    shown: dict[str, Any]
    if "message" in EVENTS[event].outcomes:
        result = simulate(showing, host, event, payload=row["payload"])
        result.check()
        shown = json.loads(result.said["message"])
    else:  # an event that has no answer
        from hatch_agentplugin.fire import incoming

        seen = incoming.event_of(row["payload"], table, "", "")
        shown = {name: getattr(seen, name) for name in seen.__slots__}
    assert shown["host"] == host
    assert {name: shown[name] for name in row["event"]} == row["event"]


@pytest.mark.parametrize("host", HOSTS)
def test_made_payloads_say_what_was_asked(showing: Bundle, host: str) -> None:
    """A payload made from the table carries tool, input and prompt to the handler."""
    events = showing.events(host)
    result = simulate(showing, host, "pre-tool-use", tool="shell", input={"command": "make"})
    result.check()
    shown = json.loads(result.said["message"])
    assert (shown["selector"], shown["input"]) == ("shell", {"command": "make"})
    if "turn-start" in events:
        result = simulate(showing, host, "turn-start", prompt="Hi ü")
        assert json.loads(result.said["message"])["prompt"] == "Hi ü"


def test_an_event_that_two_hosts_run_fires_once(bundle: Bundle) -> None:
    """Cursor runs Claude's entry: answered in Cursor's words."""
    answer = {"ANSWER": json.dumps(RESULTS["deny"])}
    payload = recorded("cursor", "pre-tool-use")
    result = simulate(bundle, "claude-code", "pre-tool-use", payload=payload, env=answer)
    assert result.host == "cursor"
    assert result.document["permission"] == "deny"
