"""What holds for every JSON document, however odd."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hatch_agentplugin.edit import (
    DocumentError,
    Edit,
    Found,
    Record,
    editor,
    json_writer,
    replay,
    take_out,
    unwind,
)

from ._documents import Step, documents, examples, hook, steps
from ._oracle import comments_of, gaps_of, value_of

JSON = editor("jsonc")


def insert(data: bytes, step: Step) -> Edit:
    op, path, value = step
    return (JSON.insert_item if op == "item" else JSON.insert_key)(data, path, value)


def insert_all(data: bytes, wanted: list[Step]) -> tuple[bytes, list[Record]]:
    """Insert what the document can take."""
    records = []
    for step in wanted:
        try:
            edit = insert(data, step)
        except DocumentError:
            continue
        data = edit.data
        records.append(edit.record)
    return data, records


def expected(value: Any, step: Step) -> Any:
    """Make the same insertion in the parsed value."""
    op, path, content = step
    value = copy.deepcopy(value)
    parent = value
    for key in path[:-1]:
        parent = parent.setdefault(key, {})
    if op == "key":
        parent[path[-1]] = content
    else:
        parent.setdefault(path[-1], []).append(content)
    return value


def without_empties(value: Any) -> Any:
    """Drop the empty containers at the places of our steps, so that the rest can be compared."""
    value = copy.deepcopy(value)
    for path in [("hooks", "Stop"), ("hooks", "PreToolUse"), ("a", "b", "c"), ("plugin",)]:
        for end in range(len(path), 0, -1):
            parent = value
            for key in path[: end - 1]:
                parent = parent.get(key) if isinstance(parent, dict) else None
            if isinstance(parent, dict) and parent.get(path[end - 1]) in ([], {}):
                del parent[path[end - 1]]
    if value.get("mcpServers") == {}:
        del value["mcpServers"]
    return value


@examples(70)
@given(documents, steps)
def test_insertion_moves_nothing_and_adds_exactly_ours(data: bytes, step: Step) -> None:
    """Parsed, the result is the old value plus ours; as text it is the old text plus ours."""
    try:
        edit = insert(data, step)
    except DocumentError:
        return
    assert value_of(edit.data) == expected(value_of(data), step)
    assert comments_of(edit.data) == comments_of(data)
    text, at = data.decode(), edit.record.offset
    kept = edit.record.kept
    assert text.startswith(kept, at)
    whole = "".join(edit.record.pieces)
    assert edit.data.decode() == text[:at] + whole + text[at + len(kept) :]
    assert JSON.find(edit.data, edit.record) is Found.PRESENT


@examples(70)
@given(documents, steps)
def test_removal_gives_back_the_bytes_of_before(data: bytes, step: Step) -> None:
    """Insert and remove leave no trace, also with a record that has been through the ledger."""
    try:
        edit = insert(data, step)
    except DocumentError:
        return
    record = Record.from_json(json.loads(json.dumps(edit.record.to_json())))
    assert record == edit.record
    assert JSON.remove(edit.data, record) == data
    assert JSON.undo(edit.data, record) == data
    assert JSON.find(data, record) is Found.ABSENT
    assert JSON.remove(data, record) == data


@examples(50)
@given(documents, st.lists(steps, max_size=6), st.randoms(use_true_random=False))
def test_any_order_of_plugins_ends_in_the_bytes_of_those_that_stay(
    data: bytes, wanted: list[Step], rng: Random
) -> None:
    """Coming and going in any order gives what inserting the rest alone would have given."""
    current, records = data, list[Record]()
    for step in wanted:
        try:
            edit = insert(current, step)
        except DocumentError:
            pass
        else:
            current, records = edit.data, [*records, edit.record]
        if records and rng.random() < 0.4:
            current, records = take_out(current, records, rng.randrange(len(records)))
        assert current == replay(data, records)[0]
        assert unwind(current, records) == data
    everything = range(len(records))
    assert take_out(current, records, everything) == (data, [])


@examples(50)
@given(documents, st.lists(steps, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_a_rewrite_by_the_host_leaves_nothing_of_ours_behind(
    data: bytes, wanted: list[Step], rng: Random
) -> None:
    """The host parses and prints the file again; we find ours by value and take only that."""
    current, records = insert_all(data, wanted)
    assume(records)
    value = value_of(current)
    if rng.random() < 0.5:
        value = dict(reversed(value.items()))
    text = json.dumps(value, indent=rng.choice([None, 1, 4, "\t"]), ensure_ascii=rng.random() < 0.5)
    current = text.replace("Infinity", "1e999").encode()
    for record in records:
        assert JSON.find(current, record) is Found.PRESENT
    while records:
        current, records = take_out(current, records, rng.randrange(len(records)))
    assert without_empties(value_of(current)) == without_empties(value_of(data))


@examples(70)
@given(documents, st.lists(steps, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_comments_written_later_survive(data: bytes, wanted: list[Step], rng: Random) -> None:
    """Comments put anywhere, into our own entries too, are all there in the end."""
    current, records = insert_all(data, wanted)
    gaps = gaps_of(current)
    assume(records and gaps)
    for number, gap in enumerate(sorted(rng.sample(gaps, min(3, len(gaps))), reverse=True)):
        text = current.decode()
        comment = rng.choice(
            [f"/* new {number} */", f"// new {number}\n", f"\n// new {number}\r\n"]
        )
        current = (text[:gap] + comment + text[gap:]).encode()
    comments = sorted(comments_of(current))
    while records:
        current, records = take_out(current, records, rng.randrange(len(records)))
        assert sorted(comments_of(current)) == comments
    assert without_empties(value_of(current)) == without_empties(value_of(data))


@examples(50)
@given(documents, st.lists(steps, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_entries_of_others_survive_and_keep_their_order(
    data: bytes, wanted: list[Step], rng: Random
) -> None:
    """Others append between and after ours; taking ours out leaves theirs, in their order."""
    foreign: list[Step] = [
        ("item", ("hooks", "Stop"), hook("other", "Stop")),
        ("key", ("otherKey",), {"n": 1}),
        ("item", ("hooks", "PreToolUse"), hook("other", "PreToolUse")),
        ("item", ("hooks", "Stop"), {"second": True}),
    ]
    value, current, records = value_of(data), data, list[Record]()
    mixed = [(step, True) for step in wanted]
    for step in foreign:
        mixed.insert(rng.randrange(len(mixed) + 1), (step, False))
    mixed.sort(key=lambda pair: pair[0] in foreign and foreign.index(pair[0]))
    rng.shuffle(mixed)
    for step, ours in mixed:
        try:
            edit = insert(current, step)
        except DocumentError:
            continue
        current = edit.data
        if ours:
            records.append(edit.record)
        else:
            value = expected(value, step)
    while records:
        current, records = take_out(current, records, rng.randrange(len(records)))
    assert without_empties(value_of(current)) == without_empties(value)
    assert comments_of(current) == comments_of(data)


@examples(100)
@given(documents, st.randoms(use_true_random=False))
def test_damaged_text_is_refused_or_read_like_the_oracle(data: bytes, rng: Random) -> None:
    """A file cut short or with a character gone is never edited into something else."""
    text = data.decode()
    assume(len(text) > 2)
    at = rng.randrange(len(text))
    damaged = (text[:at] if rng.random() < 0.5 else text[:at] + text[at + 1 :]).encode()
    try:
        edit = JSON.insert_item(damaged, ("hooks", "Stop"), 1)
    except DocumentError as caught:
        error = caught
    else:
        assert value_of(edit.data) == expected(value_of(damaged), ("item", ("hooks", "Stop"), 1))
        return
    lines = damaged.count(b"\n") + damaged.count(b"\r") + 1
    assert error.line is None or 1 <= error.line <= lines


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_comment_never_swallows_the_neighbour(end: str) -> None:
    """Cutting between a line comment and an entry on the same line keeps the line end."""
    data = f'{{"hooks": {{"Stop": [1, // a{end} 2, 3 // b{end}]}}}}'.encode()
    record = Record("json", "item", ("hooks", "Stop"), 2, ("?",))
    left = JSON.remove(data, record)
    assert value_of(left) == {"hooks": {"Stop": [1, 3]}}
    assert comments_of(left) == ["// a", "// b"]


MARKS = {
    ":": r'"( *: *)["{\[\w-]',
    ",": r'["\w}\]](, *)["{\[\w-]',
    "{": r'(\{ *)"',
    "[": r'(\[ *)["{\[\w-]',
}


@examples(200)
@given(
    st.lists(
        st.text(st.sampled_from(' :,{}[]"\n\r\t-_aé1²٣—'), max_size=12)
        | documents.map(lambda data: data.decode()[:80]),
        max_size=3,
    ),
    st.sampled_from(sorted(MARKS)),
)
def test_spaces_around_a_mark_are_those_of_its_first_place(samples: list[str], mark: str) -> None:
    """Which is what a pattern finds, that would take longer to compile than a run may take."""
    matches = (re.search(MARKS[mark], sample) for sample in samples)
    expected = next((match.group(1) for match in matches if match), "none")
    assert json_writer._first(samples, mark, "none") == expected
