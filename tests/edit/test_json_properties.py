"""What holds for every JSON document, however odd."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from hatch_agentplugin.edit import (
    MISSING,
    Batch,
    Document,
    DocumentError,
    Entry,
    Found,
    insert,
    json_writer,
    read,
    rewrite,
)

from ._documents import addresses, documents, entries_of, examples, insert_each, json_entries
from ._editing import Editing
from ._oracle import comments_of, gaps_of, value_of

JSON = Editing("jsonc")


def insert_some(document: Document, wanted: list[Entry], rng: Random) -> tuple[bytes, list[Batch]]:
    """Insert what the document can take, in one write or in many."""
    after, batches = insert_each(document, wanted)
    if rng.random() < 0.5:
        after, batch = insert(document, entries_of(batches))
        batches = [batch] if batches else []
    return after.data, batches


def remove_one(data: bytes, batches: list[Batch], rng: Random) -> tuple[bytes, list[Batch]]:
    """Remove one entry."""
    gone = rng.choice(addresses(batches))
    result = rewrite(read(data, "jsonc"), batches, {gone: MISSING})
    return result.document.data, list(result.batches)


def expected(value: Any, entry: Entry) -> Any:
    """Make the same insertion in the parsed value."""
    op, path, content = entry.op, entry.path, entry.value
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
@given(documents, json_entries)
def test_insertion_moves_nothing_and_adds_exactly_ours(data: bytes, entry: Entry) -> None:
    """Parsed, the result is the old value plus ours; as text it is the old text plus ours."""
    try:
        edit = JSON.insert(data, entry)
    except DocumentError:
        return
    assert value_of(edit.data) == expected(value_of(data), entry)
    assert comments_of(edit.data) == comments_of(data)
    (splice,) = edit.batch.patch.splices
    text, at = data.decode(), splice.offset
    assert text.startswith(splice.kept, at)
    assert edit.data.decode() == text[:at] + splice.whole + text[at + len(splice.kept) :]
    assert JSON.find(edit.data, edit.batch) is Found.PRESENT
    assert JSON.find(data, edit.batch) is Found.ABSENT
    assert JSON.remove(data, edit.batch) == data


@examples(50)
@given(documents, st.lists(json_entries, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_a_rewrite_by_the_host_leaves_nothing_of_ours_behind(
    data: bytes, wanted: list[Entry], rng: Random
) -> None:
    """The host parses and prints the file again; we find ours by value and take only that."""
    document = read(data, "jsonc")
    current, batches = insert_some(document, wanted, rng)
    assume(batches)
    value = value_of(current)
    if rng.random() < 0.5:
        value = dict(reversed(value.items()))
    text = json.dumps(value, indent=rng.choice([None, 1, 4, "\t"]), ensure_ascii=rng.random() < 0.5)
    current = text.replace("Infinity", "1e999").encode()
    host = read(current, "jsonc")
    assert all(host.find(entry) is Found.PRESENT for entry in entries_of(batches))
    while batches:
        current, batches = remove_one(current, batches, rng)
    assert without_empties(value_of(current)) == without_empties(value_of(data))


@examples(70)
@given(documents, st.lists(json_entries, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_comments_written_later_survive(data: bytes, wanted: list[Entry], rng: Random) -> None:
    """Comments put anywhere, into our own entries too, are all there in the end."""
    current, batches = insert_some(read(data, "jsonc"), wanted, rng)
    gaps = gaps_of(current)
    assume(batches and gaps)
    for number, gap in enumerate(sorted(rng.sample(gaps, min(3, len(gaps))), reverse=True)):
        text = current.decode()
        comment = rng.choice(
            [f"/* new {number} */", f"// new {number}\n", f"\n// new {number}\r\n"]
        )
        current = (text[:gap] + comment + text[gap:]).encode()
    comments = sorted(comments_of(current))
    while batches:
        current, batches = remove_one(current, batches, rng)
        assert sorted(comments_of(current)) == comments
    assert without_empties(value_of(current)) == without_empties(value_of(data))


@examples(100)
@given(documents, st.randoms(use_true_random=False))
def test_damaged_text_is_refused_or_read_like_the_oracle(data: bytes, rng: Random) -> None:
    """A file cut short or with a character gone is never edited into something else."""
    text = data.decode()
    assume(len(text) > 2)
    at = rng.randrange(len(text))
    damaged = (text[:at] if rng.random() < 0.5 else text[:at] + text[at + 1 :]).encode()
    try:
        edit = JSON.item(damaged, ("hooks", "Stop"), 1)
    except DocumentError as caught:
        error = caught
    else:
        assert value_of(edit.data) == expected(
            value_of(damaged), Entry("item", ("hooks", "Stop"), 1)
        )
        return
    lines = damaged.count(b"\n") + damaged.count(b"\r") + 1
    assert error.line is None or 1 <= error.line <= lines


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
