"""How YAML is edited: block mappings and lists by lines, those in brackets in place."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from hatch_agentplugin.edit import MISSING, DocumentError, Entry, Found

from ._documents import DOCUMENTS, ENTRIES, examples, insert_each, read_or_none, take_out
from ._editing import Editing

YAML = Editing("yaml")


@pytest.mark.parametrize(
    ("before", "op", "path", "value", "after"),
    [
        pytest.param("", "key", "a", {"b": "c"}, 'a:\n  b: "c"\n', id="no bytes"),
        pytest.param("# mine\n", "item", "a", 1, "# mine\na:\n  - 1\n", id="only a comment"),
        pytest.param("a: 1", "key", "b", 2, "a: 1\nb: 2", id="no last line end"),
        pytest.param("a:\r\n    b: 1\r\nc: 2\r\n", "key", "a.d", 3,
                     "a:\r\n    b: 1\r\n    d: 3\r\nc: 2\r\n", id="CRLF and indent"),
        pytest.param("a:\n- 1 # one\n# end\n", "item", "a", {"b": 1, "c": [2]},
                     "a:\n- 1 # one\n- b: 1\n  c:\n    - 2\n# end\n", id="list at the key's indent"),
        pytest.param("a: [1]\n", "item", "a", "x", 'a: [1, "x"]\n', id="list in brackets"),
        pytest.param("a: {}\n", "key", "a.b", 1, 'a: {"b": 1}\n', id="empty braces"),
        pytest.param("a: |\n  x\n  b: 1\nc: 2\n", "key", "d", 3, "a: |\n  x\n  b: 1\nc: 2\nd: 3\n",
                     id="block text"),
        pytest.param("a:\n  t: |\n    x\nc: 2\n", "key", "a.d", 3,
                     "a:\n  t: |\n    x\n  d: 3\nc: 2\n", id="after a block text"),
        pytest.param("a: 1\n", "key", "yes", "no", 'a: 1\n"yes": "no"\n', id="words of YAML"),
    ],
)  # fmt: skip
def test_new_text(before: str, op: str, path: str, value: Any, after: str) -> None:
    """The text stands where a person would put it, and goes without a trace."""
    insert = YAML.item if op == "item" else YAML.key
    edit = insert(before.encode(), tuple(path.split(".")), value)
    assert edit.data.decode() == after
    assert YAML.remove(edit.data, edit.batch) == before.encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"a: [1\n", "expected", id="cut short"),
        pytest.param(b"- 1\n", "not a mapping", id="list"),
        pytest.param(b"a: 1\n---\na: 2\n", "document", id="two documents"),
        pytest.param(b"x: &a {}\na: *a\n", "alias", id="alias"),
        pytest.param(b"a: &a [*a]\n", "contains itself", id="endless"),
        pytest.param(b"a:\n", "null, not an object", id="null"),
        pytest.param(b"a: {b: 1 # c\n}\n", "comment", id="comment in braces"),
    ],
)
def test_refused(data: bytes, reason: str) -> None:
    """Nothing is guessed about a file that cannot be read or does not fit."""
    with pytest.raises(DocumentError, match=reason):
        YAML.key(data, ("a", "z"), 1)


def test_get() -> None:
    """Dates are strings, and what is not there is missing."""
    assert YAML.get(b"d: 2026-01-02\nn: .nan\n", ("d",)) == "2026-01-02"
    assert YAML.get(b"a: {b: null}", ("a", "b")) is None
    assert YAML.get(b"a: 1", ("b",)) is MISSING


def test_what_the_host_wrote_anew_is_found_by_value() -> None:
    """Other quotes, order and indent: still ours, and taken out with our containers."""
    edit = YAML.key(b"a: 1\n", ("e", "acme"), {"cmd": "x # y", "on": True})
    rewritten = b"# new\ne:\n    acme:\n        'on': true\n        cmd: 'x # y'\na: 1\n"
    assert YAML.find(rewritten, edit.batch) is Found.PRESENT
    assert YAML.remove(rewritten, edit.batch) == b"# new\na: 1\n"
    both = rewritten.replace(b"a: 1", b"    other: 2\na: 1")
    assert YAML.remove(both, edit.batch) == b"# new\ne:\n    other: 2\na: 1\n"


def test_a_comment_in_our_entry_is_not_thrown_away() -> None:
    """Then the person who wrote it is asked to take the entry out."""
    edit = YAML.key(b"a: 1\n", ("e",), {"x": 1, "y": 2})
    with pytest.raises(DocumentError, match="comment"):
        YAML.remove(edit.data.replace(b"x: 1", b"x: 1 # why"), edit.batch)


def test_plugins_leave_in_any_order() -> None:
    """The first to come may be the first to go."""
    before = b"a: 1\n"
    first = YAML.key(before, ("e", "one"), {"x": 1})
    second = YAML.key(first.data, ("e", "two"), {"x": 2})
    data, batches = YAML.take_out(second.data, [first.batch, second.batch], [0])
    assert data == YAML.key(before, ("e", "two"), {"x": 2}).data
    assert YAML.take_out(data, batches, [0]) == (before, [])


def test_a_byte_order_mark_is_no_column() -> None:
    """PyYAML counts it, other readers do not; a key in its column would not be at the root."""
    edit = YAML.key("\ufeffa: 1\n".encode(), ("b",), 2)
    assert edit.data.decode() == "\ufeffa: 1\nb: 2\n"
    assert YAML.remove(edit.data, edit.batch).decode() == "\ufeffa: 1\n"


def test_what_only_one_of_the_loaders_accepts_is_accepted() -> None:
    """PyYAML has two, of which one is written in C and refuses a colon without a space."""
    assert YAML.get(b"m: {a: 1, b:[1, 2]}\n", ("m", "b")) == [1, 2]
    assert YAML.get(b"t:\tx\n", ("t",)) == "x"


@pytest.mark.parametrize("loader", ["both", "python"])
def test_both_loaders_place_entries_alike(loader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where PyYAML was built without C, the offsets of nodes are the same."""
    if loader == "python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)

    @examples(60)
    @given(DOCUMENTS["yaml"], st.lists(ENTRIES["yaml"], min_size=1, max_size=3))
    def check(data: bytes, wanted: list[Entry]) -> None:
        document = read_or_none(data, "yaml")
        assume(document is not None)
        assert document is not None
        after, batches = insert_each(document, wanted)
        assert len(batches) < len(wanted) or after.root != document.root
        assert take_out(after, batches).data == data if batches else True

    check()
