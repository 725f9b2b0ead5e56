"""The report is short: a table of host × event, and each reason once."""

from __future__ import annotations

import json

from hatch_agentplugin import report as _report
from hatch_agentplugin.plan import Cell, Plan, Plugin
from hatch_agentplugin.words import EVENTS

PLUGIN = Plugin("acme", "Acme", "1.2")


def report(*cells: Cell) -> str:
    return _report.render(Plan(PLUGIN, "", {}, cells))


def test_table_and_reasons() -> None:
    """The worst native event counts; hosts with the same reason share a line."""
    text = report(
        Cell("a", "session-start", "Start", "native"),
        Cell("a", "pre-tool-use", "Before", "filtered", "filtered at run time"),
        Cell("b", "session-start", "", "skipped", "no such event"),
        Cell("b", "pre-tool-use", "Pre", "native"),
        Cell("b", "pre-tool-use", "PreMcp", "approximated", "late; filtered at run time"),
        Cell("c", "session-start", "", "skipped", "no such event"),
        Cell("c", "pre-tool-use", "Pre", "filtered", "can't ask; filtered at run time"),
    )
    assert text == (
        "agent-plugin: Acme 1.2: 2 events for 3 hosts\n"
        "     session-start  pre-tool-use\n"
        "  a  native         filtered\n"
        "  b  skipped        approximated\n"
        "  c  skipped        filtered\n"
        "  session-start, skipped: b, c: no such event\n"
        "  pre-tool-use, approximated: b: late; filtered at run time\n"
        "  pre-tool-use, filtered: c: can't ask"
    )


def test_many_events_are_broken_into_tables() -> None:
    text = report(*(Cell("some-host", event, "X", "native") for event in EVENTS))
    assert f"{len(EVENTS)} events for 1 host\n" in text
    assert max(map(len, text.splitlines())) <= _report.WIDTH
    assert all(event in text for event in EVENTS)


def test_stored_cells_leave_out_what_is_empty() -> None:
    plan = Plan(PLUGIN, "", {}, (Cell("a", "turn-end", "", "skipped", "why"),))
    assert json.loads(_report.to_bytes(plan)) == {
        "format": 1,
        "plugin": "acme",
        "version": "1.2",
        "cells": [{"host": "a", "event": "turn-end", "state": "skipped", "reason": "why"}],
    }
