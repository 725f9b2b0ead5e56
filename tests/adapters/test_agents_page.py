"""``docs/reference/agents.md`` is generated from the adapters and their records.

``pytest --agent-plugin-update-golden`` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.hosts.matrix import Row, rows
from hatch_agentplugin.hosts.records import read_records
from hatch_agentplugin.testing.adapter_kit import UPDATE_OPTION
from hatch_agentplugin.words import CONTENT_KINDS, EVENTS
from tests.built import TREE

PAGE = TREE / "docs" / "reference" / "agents.md"
MARK = "<!-- tests/adapters/test_agents_page.py writes the rest of this page. -->\n"
#: Column -> event and outcome.
ANSWERS = {
    "context at start": ("session-start", "context"),
    "context per prompt": ("turn-start", "context"),
    "refuse a tool call": ("pre-tool-use", "deny"),
    "change its input": ("pre-tool-use", "modify-input"),
    "answer a permission": ("permission-request", "deny"),
    "keep going": ("turn-end", "keep-going"),
}


def cell(found: Iterable[Row], outcome: str) -> str:
    """Return "seen", "yes" or an empty cell."""
    able = [row for row in found if outcome in row.can]
    if any(outcome in row.seen for row in able):
        return "**seen**"
    return "yes" if able else ""


def line(host: Host, mine: Sequence[Row]) -> list[str]:
    """Return the cells of one agent."""
    hooks = [row for row in mine if row.event in EVENTS]
    basis = next((row for row in hooks if row.basis == "witnessed"), mine[0] if mine else None)
    return [
        f"{host.name} (`{host.id}`)",
        str(len({row.event for row in hooks})) if hooks else "",
        *(
            cell([row for row in hooks if row.event == event], outcome)
            for event, outcome in ANSWERS.values()
        ),
        ", ".join(kind for kind in CONTENT_KINDS if any(row.event == kind for row in mine)),
        f"{basis.basis} {basis.version}" if basis else "",
    ]


def generated() -> str:
    """Return the generated part of the page."""
    hosts = built_in_hosts()
    every = rows(hosts.values(), read_records(hosts))
    head = ["agent", "events", *ANSWERS, "also takes", "evidence"]
    table = [head, ["---"] * len(head)]
    table += [
        line(host, [row for row in every if row.host == name]) for name, host in hosts.items()
    ]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in table) + "\n"


def test_page_is_what_the_adapters_say(agent_plugin_update_golden: bool) -> None:
    """The page follows every change of an adapter."""
    head, mark, rest = PAGE.read_text("utf-8").partition(MARK)
    assert mark
    if agent_plugin_update_golden:
        PAGE.write_text(f"{head}{MARK}\n{generated()}", "utf-8")
        return
    assert rest.strip() == generated().strip(), f"run pytest {UPDATE_OPTION}"
