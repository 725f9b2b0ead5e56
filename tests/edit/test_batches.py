"""What holds for every document of every format, whatever plugins insert and remove."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hatch_agentplugin import codec
from hatch_agentplugin.edit import (
    MISSING,
    Batch,
    Document,
    DocumentError,
    Entry,
    Found,
    Patch,
    insert,
    read,
    rewrite,
)
from hatch_agentplugin.edit.lines import newline_of

from ._documents import (
    DOCUMENTS,
    ENTRIES,
    addresses,
    entries_of,
    examples,
    insert_each,
    read_or_none,
    take_out,
)

FORMATS = sorted(DOCUMENTS)
each_format = pytest.mark.parametrize("format", FORMATS)


@st.composite
def insertions(draw: st.DrawFn, format: str, most: int = 6) -> tuple[Document, list[Entry]]:
    """A document, and entries that fit into it in their order."""
    document = read_or_none(draw(DOCUMENTS[format]), format)
    assume(document is not None)
    assert document is not None
    wanted = draw(st.lists(ENTRIES[format], min_size=1, max_size=most))
    entries = entries_of(insert_each(document, wanted)[1])
    assume(entries)
    return document, entries


@each_format
def test_a_batch_gives_the_bytes_of_one_by_one(format: str) -> None:
    """So it does not matter how many entries one command inserts."""

    @examples(60)
    @given(insertions(format))
    def check(made: tuple[Document, list[Entry]]) -> None:
        document, entries = made
        after, batch = insert(document, entries)
        assert after.text == insert_each(document, entries)[0].text
        assert batch.entries == tuple(entries)
        assert read(after.data, format).root == after.root
        old = iter(after.text)
        assert all(character in old for character in document.text)
        assert all(after.find(entry) is Found.PRESENT for entry in entries)

    check()


@each_format
def test_removing_everything_gives_back_the_bytes(format: str) -> None:
    """Whether the entries came in one write or in many, also from the ledger's JSON."""

    @examples(40)
    @given(insertions(format))
    def check(made: tuple[Document, list[Entry]]) -> None:
        document, entries = made
        after, batch = insert(document, entries)
        stored = codec.decode(Batch, codec.parse(codec.encode(batch)))
        assert stored == batch
        assert take_out(after, [stored]).data == document.data
        assert take_out(after, insert_each(document, entries)[1]).data == document.data

    check()


def inserted(document: Document, batches: list[list[Entry]]) -> bytes:
    """What these writes make of a document, one after the other."""
    for entries in batches:
        document, _ = insert(document, entries)
    return document.data


@each_format
def test_what_stays_gives_the_bytes_that_it_alone_would_give(format: str) -> None:
    """Several plugins insert, change and remove entries in any order."""

    @examples(40)
    @given(insertions(format), st.data())
    def check(made: tuple[Document, list[Entry]], data: st.DataObject) -> None:
        document, entries = made
        current, batches = document, list[Batch]()
        for entry in entries:
            new = [entry] if data.draw(st.integers(0, 3)) else []
            known = addresses(batches)
            touched = data.draw(st.sets(st.sampled_from(known), max_size=2)) if known else set()
            values: list[Any] = [{"new": "value"}, "text"]
            changes = {a: data.draw(st.sampled_from([MISSING, *values])) for a in touched}
            try:
                result = rewrite(current, batches, changes, new)
            except DocumentError:
                continue  # The entry already exists, or depends on one that is removed.
            kept = [entry for a in known if a not in changes for entry in [at(batches, a)]]
            assert [at(result.batches, result.moved[a]) for a in known if a not in changes] == kept
            for address, value in changes.items():
                assert (address in result.moved) is (value is not MISSING)
            current, batches = result.document, list(result.batches)
            assert current.data == insert(document, entries_of(batches))[0].data
        assert take_out(current, batches).data == document.data if batches else True

    check()


def at(batches: Any, address: tuple[int, int]) -> Entry:
    entry: Entry = batches[address[0]].entries[address[1]]
    return entry


@each_format
def test_entries_of_others_survive(format: str) -> None:
    """Others insert before, between and after ours; only ours go, and theirs keep their order."""

    @examples(60)
    @given(insertions(format), st.randoms(use_true_random=False))
    def check(made: tuple[Document, list[Entry]], rng: Random) -> None:
        document, entries = made
        current, batches, theirs = document, list[Batch](), list[Entry]()
        for entry in entries:
            current, batch = insert(current, [entry])
            if rng.random() < 0.5:
                batches.append(batch)
            else:
                theirs.append(entry)
        assume(batches and theirs)
        ours = entries_of(batches)
        assume(not any(entry in ours for entry in theirs))
        while batches:
            try:
                result = rewrite(current, batches, {rng.choice(addresses(batches)): MISSING})
            except DocumentError:
                assert format == "yaml", "only YAML refuses what shares its line"
                return
            current, batches = result.document, list(result.batches)
        assert all(current.find(entry) is Found.PRESENT for entry in theirs)
        wanted = insert_each(document, theirs)[0]
        assert without_empties(current.root) == without_empties(wanted.root)
        assert current.comments() == document.comments()

    check()


def without_empties(value: Any) -> Any:
    """Drop empty containers, which a removal may leave if somebody else has written into them."""
    if isinstance(value, dict):
        inner = {key: without_empties(child) for key, child in value.items()}
        return {key: child for key, child in inner.items() if child not in ({}, [])}
    return [without_empties(child) for child in value] if isinstance(value, list) else value


@each_format
def test_an_edit_elsewhere_survives_to_the_byte(format: str) -> None:
    """A comment or a line at the very top moves our text, which is found all the same."""
    line = {"json": "// mine", "text": "mine", "toml": "# mine", "yaml": "# mine"}[format]

    @examples(40)
    @given(insertions(format))
    def check(made: tuple[Document, list[Entry]]) -> None:
        document, entries = made
        assume(not document.is_blank and not document.text.startswith("\ufeff"))
        assume(format != "text" or document.text.strip())
        after, batch = insert(document, entries)
        above = line + newline_of(document.text)
        edited = read_or_none((above + after.text).encode(), format)
        assume(edited is not None)
        assert edited is not None
        assert take_out(edited, [batch]).text == above + document.text
        some = rewrite(edited, [batch], {(0, 0): MISSING})
        assert some.document.text.startswith(above)
        assert take_out(some.document, some.batches).text == above + document.text

    check()


@each_format
def test_a_refused_batch_inserts_nothing(format: str) -> None:
    """One entry that does not fit refuses the others, too; no value is changed in place."""
    wrong = Entry("item", ("a",), "x") if format == "text" else Entry("key", ("a", "b"), 1)
    data = {"json": b'{"a": [1]}', "text": b"a\n", "toml": b"a = [1]\n", "yaml": b"a: [1]\n"}
    document = read(data[format], format)
    root = copy.deepcopy(document.root)
    with pytest.raises(DocumentError):
        insert(document, [Entry("key", ("z",), "z"), Entry("item", ("a",), 2), wrong])
    assert document.root == root
    assert document.data == data[format]


def test_an_entry_inside_another_one_is_refused() -> None:
    """Both together would be one entry; nothing tells which text belongs to which."""
    outer, inner = Entry("key", ("a",), {"b": 1}), Entry("key", ("a", "c"), 2)
    with pytest.raises(DocumentError, match=r'"a\.c" is inside "a"'):
        insert(read(b"{}", "json"), [outer, inner])
    assert outer.value == {"b": 1}


def test_the_root_is_no_entry() -> None:
    """A mistake of the caller's, not of the document's."""
    with pytest.raises(ValueError, match="root"):
        insert(read(b"{}", "json"), [Entry("key", (), {})])


def test_nothing_to_do_changes_nothing() -> None:
    """Neither the document nor the batches."""
    document, batch = insert(read(b"{}", "json"), [Entry("key", ("a",), 1)])
    result = rewrite(document, [batch], {})
    assert (result.document, result.batches) == (document, (batch,))
    assert result.moved == {(0, 0): (0, 0)}
    same, empty = insert(document, [])
    assert (same, empty) == (document, Batch(()))
    assert rewrite(document, [batch, empty], {(0, 0): MISSING}).document.data == b"{}"


def test_an_adopted_entry_is_removed_by_its_value() -> None:
    """It stood in the document before us, so that no patch knows its text."""
    document = read(b'{"a": [1, 2]}', "json")
    adopted = Batch((Entry("item", ("a",), 1),))
    after, batch = insert(document, [Entry("item", ("a",), 3)])
    result = rewrite(after, [adopted, batch], {(0, 0): MISSING})
    assert result.document.data == b'{"a": [2, 3]}'
    result = rewrite(after, [adopted, batch], {(1, 0): MISSING})
    assert (result.document, result.batches) == (document, (adopted,))


def test_a_changed_value_of_an_edited_entry_is_not_written() -> None:
    """The user's edit wins: the entry is dropped from the batches, not inserted again."""
    document, batch = insert(
        read(b"{}", "json"), [Entry("key", ("a",), 1), Entry("key", ("b",), 1)]
    )
    edited = read(document.data.replace(b'"a": 1', b'"a": 7'), "json")
    result = rewrite(edited, [batch], {(0, 0): 2, (0, 1): 3})
    assert result.document.root == {"a": 7, "b": 3}
    assert result.moved == {(0, 1): (0, 0)}
    assert take_out(result.document, result.batches).root == {"a": 7}


def test_the_last_one_out_knows_the_text_of_before() -> None:
    """A document that the first plugin created ends as it began, whoever leaves last."""
    document, first = insert(read(b"\n", "json"), [Entry("key", ("a",), 1)])
    document, second = insert(document, [Entry("key", ("b",), 1)])
    host = read(b'{"b":1,"a":1}', "json")  # The host has written it anew.
    result = rewrite(host, [first, second], {(0, 0): MISSING})
    assert result.document.data == b'{"b":1}'
    (batch,) = result.batches
    assert batch.patch.created == ((),)
    assert take_out(result.document, [batch]).data == b"\n"


def test_a_patch_that_does_not_stand_is_not_undone() -> None:
    """Not even where the text of another entry is the same."""
    document, batch = insert(read(b'{"a": [1, 1], "b": [1]}', "json"), [Entry("item", ("b",), 1)])
    edited = read(document.data.replace(b'"b": [1, 1]', b'"b": [1,1]'), "json")
    assert take_out(edited, [batch]).data == b'{"a": [1, 1], "b": [1]}'
    assert batch.patch != Patch()
