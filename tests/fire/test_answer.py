"""Outcomes of handlers are merged, degraded and rendered in the host's form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin import (
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
from hatch_agentplugin.fire.answer import InvalidResult, Outcomes, degrade, render, truncate
from hatch_agentplugin.words import EVENTS
from tests.fire.rig import CLAUDE_ANSWERS, stop_table, table

TABLE = table()


def answer(*results: Any, table: dict[str, Any] = TABLE) -> tuple[dict[str, Any], list[Any]]:
    """Return the degraded outcomes of several handlers, and the notes about losses."""
    outcomes = Outcomes()
    notes: list[dict[str, str]] = []
    for result in results:
        outcomes.add(result, table)
    degraded = degrade(outcomes.merged(), table, notes)
    return degraded, notes


@pytest.mark.parametrize(
    ("results", "degraded"),
    [
        ([None, {}], {}),
        ([allow(), ask("a")], {"ask": "a"}),
        ([ask("a"), deny("d"), allow()], {"deny": "d"}),
        ([deny("one"), deny("two")], {"deny": "one\n\ntwo"}),
        ([deny("same"), deny("same")], {"deny": "same"}),
        ([context("a"), context("b")], {"context": "a\n\nb"}),
        ([message("a"), message("b")], {"message": "a\n\nb"}),
        ([modify({"n": 1}), modify({"n": 2})], {"modify-input": {"n": 2}}),
        ([modify({"n": 1}), deny("d")], {"deny": "d"}),
        ([modify({"n": 1}), ask("a")], {"modify-input": {"n": 1}, "ask": "a"}),
        ([allow(), halt("h")], {"halt": "h"}),
        ([deny("d"), halt("h")], {"deny": "d", "halt": "h"}),
        ([deny("d") | context("c")], {"context": "c", "deny": "d"}),
        ([context("")], {}),
        ([{"decision": "deny", "reason": None, "context": None}],
         {"deny": "the plugin acme decided: deny"}),
    ],
)  # fmt: skip
def test_combining(results: list[Any], degraded: dict[str, Any]) -> None:
    """deny beats ask beats allow; texts join; the last change wins; halt and deny are both kept."""
    assert answer(*results)[0] == degraded


def test_halt_beats_keep_going() -> None:
    """A run that ends does not continue."""
    assert answer(keep_going("k"), halt("h"), table=stop_table())[0] == {"halt": "h"}


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (True, "returned"),
        ("deny", "returned"),
        ([deny("x")], "returned"),
        ({"decision": "maybe"}, "returned"),
        ({"decision": ["deny"]}, "returned"),
        ({"reason": "because"}, "returned"),
        ({"permission": "deny"}, "returned"),
        ({1: 2}, "returned"),
        ({"context": 5}, "returned"),
        ({"input": {"a": {1, 2}}}, "returned"),
        ({"input": float("nan")}, "returned"),
        (keep_going("x"), "illegal"),
        ({"output": "x"}, "illegal"),
    ],
)
def test_wrong_results(result: Any, kind: str) -> None:
    """Unusable results and outcomes that the event does not allow have different kinds."""
    with pytest.raises(InvalidResult) as caught:
        answer(result)
    assert caught.value.kind == kind


def test_illegal_outcome_names_event_and_outcome() -> None:
    """The message names the event, the outcome and the allowed ones."""
    with pytest.raises(
        InvalidResult, match="pre-tool-use does not allow keep-going; allowed: allow, deny"
    ):
        answer(keep_going("x"))


def test_wrong_result_says_nothing_at_all() -> None:
    """A result is used as a whole or not at all."""
    outcomes = Outcomes()
    with pytest.raises(InvalidResult):
        outcomes.add(deny("x") | {"output": "y"}, TABLE)
    assert outcomes.merged() == {}


def test_circular_input_is_wrong() -> None:
    """A value that is no JSON is refused before the reply is rendered."""
    loop: dict[str, Any] = {}
    loop["loop"] = loop
    with pytest.raises(InvalidResult):
        answer(modify(loop))


def degrading(**rows: Any) -> dict[str, Any]:
    """Return the table with some answers replaced."""
    named = {key.replace("_", "-"): row for key, row in rows.items()}
    return table(answers={**CLAUDE_ANSWERS, **named})


def test_ask_becomes_deny() -> None:
    """On a host that can not ask, ask becomes deny; the note says why."""
    degraded, notes = answer(
        ask("sure?"), table=degrading(ask={"as": "deny", "why": "runs anyway"})
    )
    assert degraded == {"deny": "sure?"}
    assert notes == [{"outcome": "ask", "as": "deny", "why": "runs anyway"}]


def test_context_without_channel_is_dropped_with_a_note() -> None:
    """The other outcomes are still answered."""
    degraded, notes = answer(
        context("c") | message("m"), table=degrading(context={"drop": "no channel"})
    )
    assert degraded == {"message": "m"}
    assert notes == [{"outcome": "context", "as": "", "why": "no channel"}]


def test_modify_may_become_a_decision() -> None:
    """A degraded decision is compared like any other."""
    rows = degrading(modify_input={"as": "allow", "why": "can't rewrite"})
    assert answer(modify({"a": 1}), table=rows)[0] == {"allow": "can't rewrite"}
    assert answer(modify({"a": 1}), ask("a"), table=rows)[0] == {"ask": "a"}


def test_degrading_in_a_circle_ends() -> None:
    """A wrong table does not cause an endless loop."""
    rows = degrading(ask={"as": "halt", "why": ""}, halt={"as": "ask", "why": ""})
    assert answer(ask("a"), table=rows)[0] == {}


def reply(*results: Any, table: dict[str, Any] = TABLE) -> tuple[str, int, str]:
    """Return standard output, exit status and standard error."""
    made = render(answer(*results, table=table)[0], table)
    return made.out, made.status, made.error


def test_replies_are_merged_deeply() -> None:
    """Several outcomes of one event share one document."""
    out = reply(context("c"), deny("d"), message("m"))[0]
    assert out == (
        '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "c", '
        '"permissionDecision": "deny", "permissionDecisionReason": "d"}, "systemMessage": "m"}\n'
    )


def test_ask_has_the_last_word_over_an_allow_that_a_rewrite_needs() -> None:
    """Some hosts accept a changed input only together with allow."""
    specific = {"updatedInput": "$input", "permissionDecision": "allow"}
    rows = degrading(modify_input={"reply": {"hookSpecificOutput": specific}})
    assert '"permissionDecision": "ask"' in reply(modify({"a": 1}) | ask("a"), table=rows)[0]


def test_placeholders_stand_for_whole_strings_only() -> None:
    """A reason that looks like a placeholder stays as it is."""
    assert '"permissionDecisionReason": "$text"' in reply(deny("$text"))[0]


def test_exit_status_answers() -> None:
    """A host can read the decision from the exit status and the reason from standard error."""
    rows = degrading(deny={"reply": {"$exit": 2, "$stderr": "$reason"}})
    assert reply(deny("no"), table=rows) == ("", 2, "no")


def test_plain_text_gives_way_to_json() -> None:
    """A host reads either text or JSON."""
    rows = degrading(context={"reply": {"$stdout": "$text"}})
    assert reply(context("c"), table=rows) == ("c", 0, "")
    assert reply(context("c") | message("m"), table=rows)[0] == '{"systemMessage": "m"}\n'


def test_silence() -> None:
    """Without outcomes the reply is empty, or the document that the host expects then."""
    assert reply() == ("", 0, "")
    assert reply(table=table(silence={})) == ("{}\n", 0, "")


@given(st.text(max_size=300), st.integers(0, 120))
def test_truncate_keeps_the_limit_in_utf16_units(text: str, limit: int) -> None:
    """Hosts count UTF-16 units, as JavaScript does, and no character is cut in half."""
    short = truncate(text, limit, "acme")
    assert len(short.encode("utf-16-le", "surrogatepass")) // 2 <= limit
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 <= limit:
        assert short == text


def test_truncate_says_so() -> None:
    """The note tells the model that text is missing."""
    assert truncate("x" * 100, 50, "acme") == "x" * 14 + "\n[truncated by acme: 100 characters]"


def test_long_context_is_truncated_in_the_reply() -> None:
    """The host's limit applies to every text."""
    out = reply(context("😀" * 100), table=table(context_limit=60))[0]
    assert "truncated by acme: 100 characters" in out
    assert "\ufffd" not in out


@pytest.mark.parametrize("event", [name for name, info in EVENTS.items() if info.outcomes])
def test_every_outcome_of_every_event_has_one_name(event: str) -> None:
    """Fire tables and dispatcher use the same names of outcomes."""
    ways = {
        "allow": allow(),
        "deny": deny("r"),
        "ask": ask("r"),
        "context": context("t"),
        "modify-input": modify({}),
        "modify-output": {"output": "o"},
        "keep-going": keep_going("r"),
        "halt": halt("r"),
        "message": message("t"),
    }
    rows = {name: {"reply": {"outcomes": name}} for name in EVENTS[event].outcomes}
    made = table(event=event, answers=rows)
    for outcome, result in ways.items():
        if outcome in rows:
            assert list(answer(result, table=made)[0]) == [outcome]
        else:
            with pytest.raises(InvalidResult, match=event):
                answer(result, table=made)


SHAPED = {
    "event": "post-tool-use",
    "native": "PostToolUse",
    "plugin": "acme",
    "answers": {
        "modify-output": {
            "reply": {"updated": "$output"},
            "shapes": [["Bash", {"stdout": "$output", "stderr": ""}], ["mcp__*", ["$output"]]],
            "drop": "the host takes text only for Bash",
        },
    },
}


@pytest.mark.parametrize(
    ("tool", "output", "updated"),
    [
        pytest.param("Bash", "x", {"stdout": "x", "stderr": ""}, id="text-is-put-into-shape"),
        pytest.param("mcp__a__b", "x", ["x"], id="by-pattern"),
        pytest.param(
            "Bash", {"stdout": "y"}, {"stdout": "y"}, id="an-object-is-the-hooks-own-shape"
        ),
        pytest.param("Read", {"file": {}}, {"file": {}}, id="an-object-for-any-tool"),
        pytest.param("Read", "x", None, id="text-for-another-tool"),
        pytest.param(None, "x", None, id="no-tool"),
    ],
)
def test_output_in_the_shape_of_the_tools_own(tool: str | None, output: Any, updated: Any) -> None:
    """Text gets the shape of the tool's own output, or is dropped with a note."""
    outcomes = Outcomes()
    outcomes.add(modify_output(output), SHAPED)
    notes: list[dict[str, str]] = []
    degraded = degrade(outcomes.merged(), SHAPED, notes, tool)
    reply = render(degraded, SHAPED, tool).out
    assert (json.loads(reply) if reply else None) == (updated and {"updated": updated})
    lost = {"outcome": "modify-output", "as": "", "why": "the host takes text only for Bash"}
    assert notes == ([] if updated else [lost])


@pytest.mark.parametrize(("output", "text"), [("x ü", "x ü"), ({"a": ["ü"]}, '{"a": ["ü"]}')])
def test_output_for_a_host_that_wants_text(output: Any, text: str) -> None:
    """A value that is no text becomes JSON text."""
    table = {**SHAPED, "answers": {"modify-output": {"reply": {"reason": "$output-text"}}}}
    assert json.loads(render({"modify-output": output}, table).out) == {"reason": text}
