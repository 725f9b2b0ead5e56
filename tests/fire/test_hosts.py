"""Seven hosts through the real launcher: no outcome, lost outcomes, payloads, shared entries.

The adapter kit tests every answer of every host.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.compiler.bundle import compile_bundle
from hatch_agentplugin.declaration import Declaration, Hook
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.hosts.payloads import cases
from hatch_agentplugin.plan import Plugin
from hatch_agentplugin.simulate import Bundle, Result, simulate
from hatch_agentplugin.words import EVENTS

SEVEN = ("claude-code", "cline", "codex", "copilot-cli", "cursor", "gemini-cli", "opencode")
HOSTS: dict[str, Host] = {name: built_in_hosts()[name] for name in SEVEN}
#: Answers to a tool call.
RESULTS: dict[str, dict[str, Any]] = {
    "ask": {"decision": "ask", "reason": "may it?"},
    "halt": {"decision": "halt", "reason": "stop"},
    "context": {"context": "be kind"},
    "message": {"message": "hello"},
    "modify-input": {"input": {"command": "ls"}},
    "deny": {"decision": "deny", "reason": "no"},
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
    """A plugin that returns the outcome in the variable ANSWER."""
    return lay(tmp_path_factory.mktemp("answer"), declared("answer"))


@pytest.fixture(scope="module")
def showing(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A plugin that returns its event as a message."""
    return lay(tmp_path_factory.mktemp("show"), declared("show"))


LOST = [
    (host, outcome)
    for host, facts in HOSTS.items()
    for outcome in RESULTS
    if outcome not in facts.natives("pre-tool-use")[0].can
]
"""Host and outcome of pre-tool-use that it can't express."""


@pytest.mark.parametrize(("host", "outcome"), LOST)
def test_what_the_host_can_not_say_is_told(bundle: Bundle, host: str, outcome: str) -> None:
    """The outcome becomes another one or none, with a note that says why."""
    answer = {"ANSWER": json.dumps(RESULTS[outcome])}
    result = simulate(bundle, host, "pre-tool-use", env=answer)
    result.check()
    assert list(result.said) == [outcome]
    (note,) = result.degraded
    assert (note["outcome"], bool(note["why"])) == (outcome, True)
    assert result.outcome == (note["as"] or "none")
    assert note["as"] or silent(result, host)


def silent(result: Result, host: str) -> bool:
    """Return True if the host gets its empty answer."""
    wanted = HOSTS[host].wire.silence
    return (result.status, result.stderr, result.document) == (0, "", wanted)


#: One host expects no output and the other an empty object if there is no outcome.
QUICK = ("claude-code", "cursor")


@pytest.mark.parametrize(
    "host", [pytest.param(one, marks=[pytest.mark.slow] * (one not in QUICK)) for one in HOSTS]
)
def test_nothing_to_say(bundle: Bundle, host: str) -> None:
    """Every event of every host may have no outcome."""
    for event in bundle.events(host):
        result = simulate(bundle, host, event)
        result.check()
        assert silent(result, host), event
        assert result.outcome == "none"


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
    """If Cursor runs Claude's entry, the answer has Cursor's form."""
    answer = {"ANSWER": json.dumps(RESULTS["deny"])}
    payload = cases("cursor")["pre-tool-use"]["payload"]
    result = simulate(bundle, "claude-code", "pre-tool-use", payload=payload, env=answer)
    assert result.host == "cursor"
    assert result.document["permission"] == "deny"
