"""Handlers that record every event and answer by `plan.json` in the plugin's data folder.

The plan has a list per event: a text that must be in the tool's input (or empty), and the outcome.
The outcome `{"swap": [old, new]}` changes the input.
"""

from __future__ import annotations

import json
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hatch_agentplugin import Event, Outcome


def answer(event: Event) -> Outcome | None:
    """Record the event and give the planned answer."""
    given = json.dumps(event.input, ensure_ascii=False) if event.input is not None else ""
    with open(os.path.join(event.data, "seen.jsonl"), "a", encoding="utf-8") as log:
        log.write(json.dumps([event.event, given, event.message or ""]) + "\n")
    try:
        with open(os.path.join(event.data, "plan.json"), encoding="utf-8") as file:
            plan = json.load(file)
    except FileNotFoundError:
        return None
    for marker, told in plan.get(event.event, []):
        if marker in given:
            outcome: Outcome = told
            if "swap" in told:
                outcome = {"input": json.loads(given.replace(*told["swap"]))}
            return outcome
    return None


def misbehave(event: Event) -> Outcome | None:
    """Crash, hang or print too much, depending on the tool's input."""
    given = json.dumps(event.input)
    if "please-crash" in given:
        raise RuntimeError("as told")
    if "please-hang" in given:
        time.sleep(60)
    if "please-chatter" in given:
        print('{"decision": "deny", "permissionDecision": "deny"}' * 2000, flush=True)
        print("noise" * 2000, file=sys.stderr, flush=True)
        os.system("echo from-a-child; echo noise >&2")
    return None
