"""Arbitrary payloads and results: a call never fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hatch_agentplugin.fire import incoming
from hatch_agentplugin.fire.answer import InvalidResult, Outcomes, degrade, render
from tests.fire.rig import TOOL_CALL, Rig, command, handler, table

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)
KEYS = ["session_id", "cwd", "tool_name", "tool_input", "tool_use_id", "x"]
PAYLOADS = st.dictionaries(st.sampled_from(KEYS), JSON) | st.fixed_dictionaries(
    {"tool_name": st.sampled_from(["Bash", "Write", "mcp__a", "Bash\ud800"]), "tool_input": JSON}
)
ECHO = """
    def handle(event):
        assert event.tool is None or isinstance(event.tool, str)
        assert event.cwd is None or isinstance(event.cwd, str)
        if isinstance(event.input, dict):
            return {"input": event.input, "context": repr(event.input)}
        if event.input:
            return {"decision": "deny", "reason": str(event.input)}
"""


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Rig:
    """A handler that returns its input, with and without a tool filter."""
    rig = Rig(tmp_path_factory.mktemp("echo"))
    return rig.slot(
        table(hooks=[handler(timeout=20.0)]),
        table(event="post-tool-use", hooks=[handler(tools=["Bash", "mcp__*"])], exact=False),
        table(event="notification", hooks=[command("true", tools=["Bash"])], exact=False),
    ).handlers(ECHO)


@given(st.binary(max_size=400) | PAYLOADS.map(lambda value: json.dumps(value).encode()))
@settings(max_examples=settings.default.max_examples, deadline=None)
@pytest.mark.parametrize("slot", ["pre-tool-use", "post-tool-use", "notification"])
def test_any_bytes_through_the_launcher(echo: Rig, slot: str, data: bytes) -> None:
    """The status is 0, standard error is empty, and the reply is one JSON document or empty."""
    result = echo.fire(data, slot)
    assert (result.status, result.err) == (0, b"")
    if result.out:
        assert result.out.decode("utf-8").count("\n") == 1
        assert isinstance(result.reply, dict)
        json.dumps(result.reply, allow_nan=False)


RESULTS = JSON | st.dictionaries(
    st.sampled_from(["decision", "reason", "context", "input", "output", "message"]),
    JSON | st.sampled_from(["allow", "deny", "ask", "keep-going", "halt"]),
)


@given(st.lists(RESULTS, max_size=4))
@settings(max_examples=3 * settings.default.max_examples, deadline=None)
def test_any_result_of_a_handler(results: list[Any]) -> None:
    """A result is refused as a whole, or the reply is JSON."""
    made, outcomes = table(), Outcomes()
    notes: list[dict[str, str]] = []
    for result in results:
        try:
            outcomes.add(result, made)
        except InvalidResult:
            continue
    reply = render(degrade(outcomes.merged(), made, notes), made)
    assert reply.status == 0
    if reply.out:
        assert isinstance(json.loads(reply.out), dict)


@given(PAYLOADS)
@settings(max_examples=3 * settings.default.max_examples, deadline=None)
def test_any_payload_is_an_event(payload: dict[str, Any]) -> None:
    """Text attributes are text or None, whatever the host sends."""
    event = incoming.event_of(payload, table(input_is_text=True), "/r", "/d")
    for name in ("session_id", "cwd", "tool", "call_id"):
        assert isinstance(getattr(event, name), str | None)
    assert event.raw is payload


def test_shell_and_dispatcher_agree(tmp_path: Path) -> None:
    """The shell's text search never ends a call that the dispatcher would answer."""
    rig = Rig(tmp_path)
    rig.slot(table(hooks=[handler(tools=["Bash", "mcp__*"])], exact=False)).handlers(
        "def handle(e): return {'decision': 'deny', 'reason': 'no'}"
    )
    spellings = [
        ('{"tool_name":"Bash"}', True),
        ('{ "tool_name" : "Bash" }', True),
        ('{"a":"\\"Bash\\"","tool_name":"Bash"}', True),
        ('{"tool_name":"mcp__","x":[]}', True),
        ('{"tool_name":"Bash\\u0000"}', False),
        ('{"tool_name":"bash"}', False),
        (json.dumps({**TOOL_CALL, "big": "x" * 200_000}), True),
    ]
    for text, fires in spellings:
        assert (rig.fire(text.encode()).decision == "deny") is fires, text[:80]
