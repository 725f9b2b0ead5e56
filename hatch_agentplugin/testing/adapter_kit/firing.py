"""Fires the sample plugin, and checks the handler's events and the replies."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hatch_agentplugin.fire import answer, incoming
from hatch_agentplugin.fire.text import first
from hatch_agentplugin.hosts.payloads import Case
from hatch_agentplugin.simulate.payloads import ANY_TEXT, EVENT_FIELDS, carry, payload
from hatch_agentplugin.testing.adapter_kit import replies
from hatch_agentplugin.testing.adapter_kit.sample import ANSWER, SEEN
from hatch_agentplugin.words import SELECTORS

#: Field -> attribute of an event, if it has another name.
_ATTRIBUTES = {"session": "session_id"}
#: Field -> a value that needs escaping.
_SAID: dict[str, Any] = {
    **dict.fromkeys(("session", "prompt", "message", "error", "agent"), replies.TEXT),
    "reason": "startup",
    "call_id": "call-1",
    "output": replies.TEXT,
    "transcript": '/tmp/a "b".jsonl',
    "stop_active": True,
}


def kinds(table: Mapping[str, Any]) -> Iterator[str | None]:
    """Yield the kinds of tool that the event can be about; None for an event without a tool."""
    kinds = {row[1] for row in table["tools"]}
    if kinds:
        yield from (selector for selector in SELECTORS if selector in kinds)
    else:
        yield None


def said(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for each field that the payload of this event has."""
    usual = {"session", "transcript", *EVENT_FIELDS.get(table["event"], ())}
    usual |= {"call_id"} if table["tool_event"] else set()
    fields = table["fields"]
    shared = [name for name in fields if name != "input" and fields[name] == fields.get("input")]
    said = {name: _SAID[name] for name in _SAID if name in fields and name in usual}
    return {**said, **dict.fromkeys(shared)}


def check_event(
    event: Any, sent: Mapping[str, Any], table: Mapping[str, Any], selector: str | None, where: str
) -> None:
    """Check that the event has the values of the payload."""
    assert (event.host, event.event) == (table["host"], table["event"]), where
    for name, value in {**said(table), "cwd": "/tmp/a b"}.items():
        paths = table["fields"].get(name)
        if paths and first(dict(sent), paths) == value:
            assert getattr(event, _ATTRIBUTES.get(name, name)) == value, f"{where}: {name}"
    if table["tool_event"] and "tool" in table["fields"]:
        assert event.selector == selector, f"{where}: {event.tool} is not of the kind {selector}"
        if "input" in table["fields"]:
            assert isinstance(event.input, dict), f"{where}: input"


def tool_for(table: Mapping[str, Any], outcome: str) -> str | None:
    """Return a tool for which the host accepts the outcome as text; None if any tool will do."""
    shapes = table["answers"].get(outcome, {}).get("shapes") or ()
    return next((name.replace("*", ANY_TEXT) for name, _ in shapes), None)


def check_recorded(case: str, row: Case, table: dict[str, Any]) -> None:
    """Check that a recorded payload fires, is not ascribed to another host, and is understood."""
    sent = row["payload"]
    assert incoming.fires(sent, table), f"{case}: does not fire"
    for reader, signatures in table["readers"].items():
        fields = [one["field"] for one in signatures if "field" in one]
        assert first(sent, fields) is None, f"{case}: it has a signature of {reader}"
    event = incoming.event_of(sent, table, "", "")
    seen = {name: getattr(event, name) for name in row["event"]}
    assert seen == row["event"], case


def reply(table: dict[str, Any], outcome: str) -> answer.Reply:
    """Return the reply to one outcome."""
    said = answer.Outcomes()
    said.add(replies.ANSWERS[outcome], table)
    tool = tool_for(table, outcome)
    return answer.render(answer.degrade(said.merged(), table, [], tool), table, tool)


def fire(
    host: str,
    launcher: Path,
    folder: Path,
    slot: str,
    table: dict[str, Any],
    outcome: str,
    known: Mapping[str, Case] | None = None,
) -> None:
    """Fire one slot with the real launcher; check the handler's event and the host's reply."""
    seen = folder / f"seen-{slot}-{outcome}"
    tool = tool_for(table, outcome) or next((row[1] for row in table["tools"]), None)
    values = {**said(table), "stop_active": False}
    sent = payload(table, cwd=str(folder), slot=slot, known=known, tool=tool, **values)
    answers = json.dumps(replies.ANSWERS.get(outcome))
    variables = carry(sent, table["environment"], folder)
    done = subprocess.run(
        [str(launcher), host, slot],
        input=json.dumps(sent).encode() if not variables else b"",
        capture_output=True,
        cwd=folder,
        env={**os.environ, **variables, ANSWER: answers, SEEN: str(seen)},
        timeout=60,
        check=False,
    )
    end = time.monotonic() + (10 if table["detached"] else 0)
    while not seen.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert seen.exists(), f"{slot}: the handler was not called: {done}"
    event = json.loads(seen.read_text("utf-8"))
    assert (event["host"], event["event"]) == (host, table["event"])
    if outcome and not table["detached"]:
        out, error = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        wrong = list(replies.problems(table, outcome, done.returncode, out, error))
        assert not wrong, f"{slot}: {outcome}: {wrong}"
