"""How TOML is edited: tables as blocks of lines, the rest in place."""

from __future__ import annotations

from typing import Any

import pytest

from hatch_agentplugin.edit import MISSING, Batch, DocumentError, Entry, Found

from ._documents import TOML_ENTRIES, TOML_PARTS, insert_each, read_or_none
from ._editing import Editing

TOML = Editing("toml")


@pytest.mark.parametrize(
    ("before", "op", "path", "value", "after"),
    [
        pytest.param("", "item", "hooks", {"e": 1}, "[[hooks]]\ne = 1\n", id="no bytes"),
        pytest.param("a = 1\n", "item", "hooks", {"e": 1}, "a = 1\n\n[[hooks]]\ne = 1\n", id="end"),
        pytest.param("a = 1", "item", "hooks", {"e": 1}, "a = 1\n\n[[hooks]]\ne = 1",
                     id="no last line end"),
        pytest.param("[[hooks]]\r\ne = 0\r\n\r\n[z]\r\n", "item", "hooks", {"e": 1},
                     "[[hooks]]\r\ne = 0\r\n\r\n[[hooks]]\r\ne = 1\r\n\r\n[z]\r\n",
                     id="behind its siblings, CRLF"),
        pytest.param('h = """\n[[hooks]]\n"""\n', "item", "hooks", {"e": 1},
                     'h = """\n[[hooks]]\n"""\n\n[[hooks]]\ne = 1\n', id="header in a string"),
        pytest.param("[f]\na = 1 # x\n\n[z]\n", "key", "f.b", True,
                     "[f]\na = 1 # x\nb = true\n\n[z]\n", id="key in a table"),
        pytest.param("[f]\n  a = 1\n", "key", "f.b", "c", '[f]\n  a = 1\n  b = "c"\n', id="indent"),
        pytest.param("[z]\n", "key", "b", 1, "b = 1\n\n[z]\n", id="root key before a table"),
        pytest.param("a = 1\n[z]\n", "key", "b", 1, "a = 1\nb = 1\n[z]\n", id="root key"),
        pytest.param("[m.x]\nc = 1\n\n[z]\n", "key", "m.y", {"c": "d", "env": {"K": "v"}},
                     '[m.x]\nc = 1\n\n[m.y]\nc = "d"\n\n[m.y.env]\nK = "v"\n\n[z]\n',
                     id="table with a table"),
        pytest.param("[z]\n", "key", "f.b", 1, "[z]\n\n[f]\nb = 1\n", id="table created"),
        pytest.param("f.a = 1\n", "key", "f.b", 2, "f.a = 1\nf.b = 2\n", id="dotted keys"),
        pytest.param("f = { a = 1 }\n", "key", "f.b", 2, "f = { a = 1, b = 2 }\n", id="inline table"),
        pytest.param("p = []\n", "item", "p", "x", 'p = ["x"]\n', id="empty array"),
        pytest.param("p = [\n  1, # one\n]\n", "item", "p", 2, "p = [\n  1,\n  2, # one\n]\n",
                     id="array of many lines"),
        pytest.param("p = [1]\n", "item", "p", {"a": None is None}, "p = [1, { a = true }]\n",
                     id="table in an array"),
        pytest.param("", "item", "p", "x", 'p = ["x"]\n', id="array created"),
        pytest.param("\ufeffa = 1\n", "key", "b", 2, "\ufeffa = 1\nb = 2\n", id="byte order mark"),
    ],
)  # fmt: skip
def test_new_text(before: str, op: str, path: str, value: Any, after: str) -> None:
    """The text stands where a person would put it, and goes without a trace."""
    insert = TOML.item if op == "item" else TOML.key
    edit = insert(before.encode(), tuple(path.split(".")), value)
    assert edit.data.decode() == after
    assert TOML.remove(edit.data, edit.batch) == before.encode()


@pytest.mark.parametrize(
    ("data", "path", "line", "reason"),
    [
        pytest.param(b"a = 1\nb =\n", "h", 2, "Invalid value", id="syntax"),
        pytest.param(b'a = "', "h", 1, "too early", id="cut short"),
        pytest.param(b"\nh = 1\n", "h", 2, "not an array", id="wrong type"),
        pytest.param(b"f = { h = { i = 1 } }\n", "f.h.j", None, "inline table", id="deep inline"),
        pytest.param(b"a = '\xff'", "h", 1, "UTF-8", id="latin"),
    ],
)
def test_refused(data: bytes, path: str, line: int | None, reason: str) -> None:
    """Nothing is guessed about a file that cannot be read or does not fit."""
    with pytest.raises(DocumentError, match=reason) as caught:
        TOML.item(data, tuple(path.split(".")), {"e": 1})
    assert caught.value.line == line


def test_null_is_refused() -> None:
    """TOML has none."""
    with pytest.raises(DocumentError, match="no null"):
        TOML.key(b"", ("a",), None)


def test_get() -> None:
    """Dates are strings, and what is not there is missing."""
    data = b"d = 2026-01-02\n[[h]]\nn = nan\n"
    assert TOML.get(data, ("d",)) == "2026-01-02"
    assert TOML.get(data, ("h",)) == [{"n": "nan"}]
    assert TOML.get(data, ("x",)) is MISSING


def test_what_the_host_wrote_anew_is_found_by_value() -> None:
    """Other quotes and another order of keys: still ours."""
    edit = TOML.item(b"a = 1\n", ("hooks",), {"event": "Stop", "command": "x"})
    rewritten = b"a = 1\n\n[[hooks]]\ncommand = 'x'\nevent = 'Stop' # theirs\n\n[z]\nb = 2\n"
    assert TOML.find(rewritten, edit.batch) is Found.PRESENT
    assert TOML.remove(rewritten, edit.batch) == b"a = 1\n# theirs\n\n[z]\nb = 2\n"


def test_neighbours_in_the_same_array_stay() -> None:
    """Only our table goes, with the tables in it."""
    edit = TOML.item(b"", ("h", "E"), {"m": "x", "hooks": [{"c": 1}]})
    text = (
        b"[[h.E]]\nm = 'a'\n\n[[h.E]]\nm = 'x'\n[[h.E.hooks]]\nc = 1\n\n# note\n[[h.E]]\nm = 'b'\n"
    )
    assert TOML.remove(text, edit.batch) == (
        b"[[h.E]]\nm = 'a'\n\n# note\n[[h.E]]\nm = 'b'\n"
    )  # fmt: skip


def test_a_changed_entry_stays() -> None:
    """The user's edit wins."""
    edit = TOML.key(b"", ("mcp", "acme"), {"command": "x"})
    edited = edit.data.replace(b'"x"', b'"y"')
    assert TOML.find(edited, edit.batch) is Found.CHANGED
    assert TOML.remove(edited, edit.batch) == edited


def test_a_table_that_we_made_goes_when_it_is_empty() -> None:
    """The user's own empty table stays."""
    edit = TOML.key(b"a = 1\n", ("f", "b"), 2)
    assert TOML.remove(b"a = 1\n[f]\nb=2\n", edit.batch) == b"a = 1\n"
    edit = TOML.key(b"a = 1\n[f]\n", ("f", "b"), 2)
    assert TOML.remove(b"a = 1\n[f]\nb=2\n", edit.batch) == b"a = 1\n[f]\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("p = [1, 9, 2]", "p = [1, 2]", id="middle"),
        pytest.param("p = [9, 2]", "p = [2]", id="first"),
        pytest.param("p = [ 1,9 ]", "p = [ 1 ]", id="last"),
        pytest.param("p = [\n 1, # a\n 9, # b\n]", "p = [\n 1, # a\n  # b\n]", id="comments"),
    ],
)
def test_one_element_is_cut_from_an_array(text: str, left: str) -> None:
    """With one comma, and no comment."""
    adopted = Batch((Entry("item", ("p",), 9),))
    assert TOML.remove(text.encode(), adopted).decode() == left


def test_the_generated_documents_take_most_entries() -> None:
    """Each part alone takes each entry, or `test_batches` would test little."""
    taken = [
        document is not None and bool(insert_each(document, [entry])[1])
        for part in TOML_PARTS
        for document in [read_or_none(part.encode(), "toml")]
        for entry in TOML_ENTRIES
    ]
    assert taken.count(True) > 0.95 * len(taken)


def test_half_a_character_is_refused() -> None:
    """TOML cannot say it; nothing is written."""
    with pytest.raises(DocumentError, match="cannot insert"):
        TOML.key(b"", ("a",), "\ud800")
