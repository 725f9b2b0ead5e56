"""How JSON is edited: the exact text, and what is refused."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from hatch_agentplugin import codec
from hatch_agentplugin.edit import (
    MISSING,
    Batch,
    DocumentError,
    Entry,
    Found,
    Patch,
    Splice,
    json_document,
    read,
    rewrite,
    splices,
)

from ._documents import entries_of
from ._editing import Editing
from ._oracle import comments_of, value_of

JSON = Editing("json")
STOP = ("hooks", "Stop")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", '{\n  "a": [\n    {\n      "n": 1\n    }\n  ]\n}\n', id="no bytes"),
        pytest.param("\r\n", '\r\n{\r\n  "a": [\r\n    {\r\n      "n": 1\r\n    }\r\n  ]\r\n}\r\n',
                     id="a blank line"),
        pytest.param("{}", '{\n  "a": [\n    {\n      "n": 1\n    }\n  ]\n}', id="empty object"),
        pytest.param('{"a": []}', '{"a": [{"n": 1}]}', id="one line"),
        pytest.param('{"a":[{"m":2}]}', '{"a":[{"m":2},{"n":1}]}', id="tight"),
        pytest.param('{ "a": [ { "m": 2 } ] }', '{ "a": [ { "m": 2 }, { "n": 1 } ] }', id="padded"),
        pytest.param('{\n\t"a": [\n\t\t0\n\t]\n}', '{\n\t"a": [\n\t\t0,\n\t\t{\n\t\t\t"n": 1\n\t\t}\n\t]\n}',
                     id="tabs"),
        pytest.param('{\n "a": [\n  {"m": 2}\n ]\n}', '{\n "a": [\n  {"m": 2},\n  {"n": 1}\n ]\n}',
                     id="one line each"),
        pytest.param('{\n  "a": [\n    0, // zero\n  ],\n}',
                     '{\n  "a": [\n    0, // zero\n    {\n      "n": 1\n    },\n  ],\n}',
                     id="trailing comma and comment"),
        pytest.param('{\n  "a": [\n    0 // zero\n  ]\n}',
                     '{\n  "a": [\n    0, // zero\n    {\n      "n": 1\n    }\n  ]\n}',
                     id="comment after the last"),
        pytest.param('{\n  "a": [\n    // none yet\n  ]\n}',
                     '{\n  "a": [\n    // none yet\n    {\n      "n": 1\n    }\n  ]\n}',
                     id="only a comment"),
        pytest.param('{"a": [1], "a": [2]}', '{"a": [1], "a": [2, {"n": 1}]}', id="equal keys"),
    ],
)  # fmt: skip
def test_new_text_looks_like_its_neighbours(before: str, after: str) -> None:
    """Indentation, line ends, spacing and commas follow what is there."""
    edit = JSON.item(before.encode(), ("a",), {"n": 1})
    assert edit.data.decode() == after
    assert JSON.remove(edit.data, edit.batch) == before.encode()


def test_escapes_follow_the_file() -> None:
    """Beyond ASCII we write raw, unless the file escapes."""
    assert "é".encode() in JSON.key(b'{"a": 1}', ("b",), "é").data
    assert b'"\\u00e9"' in JSON.key(b'{"a": "\\u00fc"}', ("b",), "é").data


def test_a_lone_surrogate_is_escaped() -> None:
    """Half a character cannot be UTF-8, but JSON can say it."""
    assert b'"\\ud800"' in JSON.key(b"{}", ("b",), "\ud800").data


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        pytest.param(b'{"a": 1\n', 2, "too early", id="cut short"),
        pytest.param(b'{"a": 1\n"b": 2}', 2, "delimiter", id="missing comma"),
        pytest.param(b"{,}", 1, "property name", id="lone comma"),
        pytest.param(b'{"a": [1,,]}', 1, "value", id="two commas"),
        pytest.param(b"\n/* a", 2, "comment without end", id="open comment"),
        pytest.param(b"null", 1, "not an object", id="null"),
        pytest.param(b"[]", 1, "not an object", id="array"),
        pytest.param(b"{}\n{}", 2, "more text", id="two documents"),
        pytest.param(b'{"a": "\xff"}', 1, "not UTF-8", id="latin"),
        pytest.param("{}".encode("utf-16"), 1, "not UTF-8", id="utf-16"),
        pytest.param(b'{\n"a": "\0"}', 2, "NUL", id="nul"),
        pytest.param(b'{"b": "NaN",\n"a": NaN}', 2, "NaN is not JSON", id="nan"),
        pytest.param(b'{"hooks": []}', 1, "is an array, not an object", id="hooks is an array"),
        pytest.param(b'{"hooks":\n null}', 2, "is null, not an object", id="hooks is null"),
        pytest.param(b'{"hooks": {"Stop": 1}}', 1, "not an array", id="event is a number"),
        pytest.param(b'{"a": ' + b"[" * 600 + b"]" * 600 + b"}", None, "deep", id="deep"),
        pytest.param(b'{"a": ' + b"[" * 99999 + b"]" * 99999 + b"}", None, "deep", id="very deep"),
    ],
)
def test_refused(data: bytes, line: int | None, reason: str) -> None:
    """A document that cannot be edited safely is refused with line and reason."""
    with pytest.raises(DocumentError, match=reason) as caught:
        JSON.item(data, STOP, 1)
    if line == 2 and b"null" in data:
        line = 1  # the line of the key that has the wrong value
    assert caught.value.line == line
    assert str(caught.value) == (f"line {line}: " if line else "") + caught.value.reason


def test_a_key_that_is_there_is_refused() -> None:
    """`insert_key` never replaces what others wrote."""
    with pytest.raises(DocumentError, match="already exists"):
        JSON.key(b'{"version": 1}', ("version",), 1)


def test_get() -> None:
    """A null is a value, a missing key is not."""
    data = b'{"a": {"b": null}} // x'
    assert JSON.get(data, ("a",)) == {"b": None}
    assert JSON.get(data, ("a", "b")) is None
    assert JSON.get(data, ("a", "c")) is MISSING
    assert JSON.get(data, ("a", "b", "c")) is MISSING
    assert JSON.get(b"", ("a",)) is MISSING


def test_huge_numbers_do_not_hurt() -> None:
    """Longer integers than Python converts are no reason to refuse."""
    data = b'{"n": ' + b"1" * 5000 + b"}"
    edit = JSON.key(data, ("b",), 1)
    assert JSON.remove(edit.data, edit.batch) == data


def test_an_edited_entry_is_changed_and_stays() -> None:
    """The user's edit of our entry wins."""
    edit = JSON.item(b"{}", STOP, {"command": "/launch a", "timeout": 10})
    edited = edit.data.replace(b"10", b"20")
    assert JSON.find(edited, edit.batch) is Found.CHANGED
    assert JSON.remove(edited, edit.batch) == edited
    gone = edit.data.replace(b"/launch a", b"/other")
    assert JSON.find(gone, edit.batch) is Found.ABSENT
    key = JSON.key(b"{}", ("v",), True)
    assert JSON.find(b'{"v": 1}', key.batch) is Found.CHANGED, "true and 1 are two things"


def test_what_the_host_wrote_anew_is_found_by_value() -> None:
    """Other layout, other order of keys, other escapes: still ours, and taken out clean."""
    edit = JSON.item(b'{"model": "x"}', STOP, {"é": 1, "b": "/"})
    rewritten = b'{\n    "hooks": {"Stop": [{"b": "\\/", "\\u00e9": 1.0}]},\n    "model": "x"\n}\n'
    assert JSON.find(rewritten, edit.batch) is Found.PRESENT
    assert JSON.remove(rewritten, edit.batch) == b'{\n    "model": "x"\n}\n'


def test_the_users_own_empty_containers_stay() -> None:
    """Only what we created goes when it is empty."""
    edit = JSON.item(b'{"hooks": {}}', STOP, 1)
    assert JSON.remove(b'{ "hooks": { "Stop": [ 1 ] } }', edit.batch) == b'{ "hooks": {} }'


def test_a_container_of_ours_with_a_comment_stays() -> None:
    """Somebody has written into it, so it is not empty."""
    edit = JSON.item(b"{}", STOP, 1)
    assert b"// mine" in JSON.remove(edit.data.replace(b"[", b"[ // mine"), edit.batch)


def test_a_document_that_we_made_ends_as_it_began() -> None:
    """Rewritten by the host meanwhile, a file that was blank is blank again, to the byte."""
    for before in (b"", b"\n\n", b"\xef\xbb\xbf", b" \t"):
        edit = JSON.item(before, STOP, 1)
        assert JSON.remove(b'{"hooks": {"Stop": [1]}}\n', edit.batch) == before


def test_foreign_entries_keep_their_index() -> None:
    """Where somebody has appended after us, taking one of ours out moves no other needlessly."""
    first = JSON.item(b'{"hooks": {"Stop": [0]}}', STOP, "first")
    second = JSON.item(first.data, STOP, "second")
    foreign = JSON.item(second.data, STOP, "foreign").data
    data, batches = JSON.take_out(foreign, [first.batch, second.batch], [0])
    assert data == b'{"hooks": {"Stop": [0, "second", "foreign"]}}'
    assert entries_of(batches) == [Entry("item", STOP, "second")]


def test_the_last_one_out_removes_the_containers() -> None:
    """The containers that the first plugin made go with the second, if that one leaves last."""
    first = JSON.item(b'{"m": 1}', STOP, "first")
    second = JSON.item(first.data, STOP, "second")
    foreign = JSON.key(second.data, ("other",), 2).data
    data, batches = JSON.take_out(foreign, [first.batch, second.batch], [0])
    assert json.loads(data) == {"m": 1, "hooks": {"Stop": ["second"]}, "other": 2}
    assert JSON.take_out(data, batches, [0]) == (b'{"m": 1, "other": 2}', [])


def test_a_comma_is_never_left_in_a_comment() -> None:
    """Our text may stand and yet not be cut as it is: the comma after it must go, too."""
    edit = JSON.key(b"{ // mine\n}", ("a",), 1)
    foreign = JSON.key(edit.data, ("b",), 2).data
    assert JSON.remove(foreign, edit.batch) == b'{ // mine\n  "b": 2\n}'


def test_a_batch_from_another_version_is_refused() -> None:
    """An unknown operation is an error, not a guess."""
    stored = codec.encode(JSON.key(b"{}", ("a",), 1).batch).replace(b'"key"', b'"move"')
    with pytest.raises(codec.Malformed, match="move"):
        codec.decode(Batch, codec.parse(stored))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_comment_never_swallows_the_neighbour(end: str) -> None:
    """Cutting between a line comment and an entry on the same line keeps the line end."""
    data = f'{{"hooks": {{"Stop": [1, // a{end} 2, 3 // b{end}]}}}}'.encode()
    left = JSON.remove(data, Batch((Entry("item", STOP, 2),)))
    assert value_of(left) == {"hooks": {"Stop": [1, 3]}}
    assert comments_of(left) == ["// a", "// b"]


@pytest.mark.parametrize("blanks", ["", " ", "\t "])
def test_blanks_after_an_entry_do_not_lengthen_the_comment_before(blanks: str) -> None:
    """They go with the entry; otherwise the removal would be refused."""
    text = '{ "a": 1,// one\n"b": ["x"]' + blanks + "\n// two\n}"
    batch = Batch((Entry("item", ("b",), "x"),), Patch((), (("b",),)))
    result = rewrite(read(text.encode(), "jsonc"), [batch], {(0, 0): MISSING})
    assert result.document.text == '{ "a": 1// one\n// two\n}'


def test_a_removal_that_would_lose_a_comment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every removal is checked: by its text, in place of others, and by its value."""
    edit = JSON.insert(b'{"a": [0]}', Entry("item", ("a",), 1), Entry("item", ("a",), 2))
    data = edit.data.replace(b"0", b"0 /* mine */")
    monkeypatch.setattr(splices, "undo", losing_comments(splices.undo))
    monkeypatch.setattr(json_document, "cut_entry", losing_comments(json_document.cut_entry))
    with pytest.raises(DocumentError, match="cannot take the entry out"):
        JSON.remove(data, edit.batch)
    document = read(data, "json")
    with pytest.raises(DocumentError, match="cannot take the entry out"):
        rewrite(document, [edit.batch], {(0, 0): MISSING})


def losing_comments(function: Any) -> Any:
    """A faulty version of a function that returns a text, alone or in a pair."""

    def faulty(*args: Any) -> Any:
        result = function(*args)
        if isinstance(result, tuple):
            return result[0].replace("/* mine */", ""), result[1]
        return None if result is None else result.replace("/* mine */", "")

    return faulty


def test_a_comma_that_would_move_into_a_comment_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An insertion is checked for comments, too."""
    place = json_document.JsonDocument.place

    def faulty(self: Any, entries: Any) -> Any:
        return [Splice(5, (" x",)), *place(self, entries)]

    monkeypatch.setattr(json_document.JsonDocument, "place", faulty)
    with pytest.raises(DocumentError, match="without changing the rest"):
        JSON.key(b"{ /* */ }", ("a",), 1)


def test_two_megabytes_are_no_trouble() -> None:
    """The cost grows with the size and not with its square, comments or not."""
    line = '"p{}": {{"a": [1, "x // y, }}"], "b": "z"}}{}'
    many = ",\n".join(line.format(i, "" if i % 10 else " /* c */") for i in range(40000))
    data = f'{{"projects": {{{many}}}, "hooks": {{}}}}'.encode()
    start = time.process_time()
    edit = JSON.item(data, STOP, 1)
    assert JSON.remove(edit.data, edit.batch) == data
    # About one second on an idle machine; 40,000 squared would take much longer.
    assert time.process_time() - start < 20
