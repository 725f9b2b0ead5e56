"""The names that plugin authors import."""

from __future__ import annotations

import subprocess
import sys

import hatch_agentplugin
from hatch_agentplugin import (
    Event,
    allow,
    ask,
    context,
    deny,
    halt,
    keep_going,
    message,
    modify,
    modify_output,
)
from hatch_agentplugin.fire import api
from tests.fire.rig import RUNTIME


def test_outcomes_are_plain_dicts() -> None:
    """A handler may return the same dict itself."""
    assert allow() == {"decision": "allow"}
    assert deny("x") == {"decision": "deny", "reason": "x"}
    assert ask("x") == {"decision": "ask", "reason": "x"}
    assert keep_going("x") == {"decision": "keep-going", "reason": "x"}
    assert halt("x") == {"decision": "halt", "reason": "x"}
    assert context("x") == {"context": "x"}
    assert message("x") == {"message": "x"}
    assert modify({"a": 1}) == {"input": {"a": 1}}
    assert modify_output("x") == {"output": "x"}


def test_outcomes_are_joined_by_a_bar() -> None:
    """A handler can return several outcomes at once."""
    assert deny("no") | context("c") == {"decision": "deny", "reason": "no", "context": "c"}


def test_event_has_none_for_what_is_not_told() -> None:
    """Every event has every attribute."""
    event = Event(event="turn-start", host="acme-code", prompt="hi")
    assert event.prompt == "hi"
    assert event.tool is None
    assert event.stop_active is False
    assert repr(event) == "Event(event='turn-start', host='acme-code')"


def test_every_slot_is_documented_by_its_type() -> None:
    """Every attribute has a type in the class."""
    assert set(Event.__annotations__) == set(Event.__slots__)


def test_package_exports_all_of_the_api() -> None:
    """Authors import everything from ``hatch_agentplugin``."""
    for name in hatch_agentplugin.__all__:
        assert getattr(hatch_agentplugin, name) is getattr(api, name)


def test_importing_the_api_imports_nothing_else() -> None:
    """Importing the outcomes loads one small module."""
    code = (
        f"import sys; sys.path.append({str(RUNTIME)!r}); before = set(sys.modules)\n"
        "from hatch_agentplugin import deny, Event\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == [
        "__future__",
        "hatch_agentplugin",
        "hatch_agentplugin.fire",
        "hatch_agentplugin.fire.api",
    ]
