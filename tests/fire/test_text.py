"""JSON, payloads and tool patterns of the fire path."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from fnmatch import fnmatchcase
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.fire import text

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_json_round_trip(value: Any) -> None:
    """The scanner and the encoder agree with the json package."""
    assert text.parse(json.dumps(value)) == value
    assert json.loads(text.dump(value)) == value


@given(st.text())
def test_parse_gives_a_value_or_a_value_error(junk: str) -> None:
    """``parse`` raises no other exception."""
    with suppress(ValueError):
        text.parse(junk)


@pytest.mark.parametrize(
    "junk", ["", "[", "[NaN", '{"a"', "[" * 100_000, "1" * 5000, "{} x", "nul"]
)
def test_parse_refuses(junk: str) -> None:
    """Broken and deep documents raise the same error."""
    with pytest.raises(ValueError, match="JSON"):
        text.parse(junk)


def test_parse_takes_a_byte_order_mark() -> None:
    """Some hosts send one."""
    assert text.parse('\ufeff {"a": 1}\n') == {"a": 1}


def test_single_surrogates_are_replaced() -> None:
    """UTF-8 can't encode half a character, and hosts refuse its escape."""
    assert text.dump_bytes("a\ud800b") == '"a\ufffdb"'.encode()
    assert text.dump_bytes("\ud83d\ude00") == '"😀"'.encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, b"x"])
def test_dump_refuses_what_is_not_json(value: object) -> None:
    """Only JSON values are written."""
    with pytest.raises((ValueError, TypeError)):
        text.dump({"a": value})


@given(st.text("ab_", max_size=8), st.text("ab*", max_size=6))
def test_like_is_a_glob_with_stars_only(name: str, pattern: str) -> None:
    """Only ``*`` is special, and stands for any text."""
    assert text.like(name, pattern) == fnmatchcase(name, pattern)


@pytest.mark.parametrize(
    ("name", "pattern", "fits"),
    [
        pytest.param("aba", "ab*ba", False, id="start-and-end-overlap"),
        pytest.param("abba", "ab*ba", True, id="start-meets-end"),
        pytest.param("ab", "a*b*b", False, id="middle-overlaps-end"),
        pytest.param("ab", "a*a*b", False, id="middle-overlaps-start"),
        pytest.param("axbyc", "a*b*c", True, id="three-parts"),
        pytest.param("axc", "a*b*c", False, id="middle-missing"),
        pytest.param("abcb", "a*b*c*", True, id="middle-in-order"),
        pytest.param("acb", "a*b*c*", False, id="middle-out-of-order"),
        pytest.param("", "*", True, id="nothing"),
        pytest.param("a", "", False, id="empty-pattern"),
    ],
)
def test_like_uses_each_character_once(name: str, pattern: str, fits: bool) -> None:
    """The parts between the stars follow each other and do not overlap."""
    assert text.like(name, pattern) is fits


def test_like_knows_no_other_wildcards() -> None:
    """Question marks and brackets stand for themselves."""
    assert not text.like("ab", "a?")
    assert text.like("a[b]", "a[b]")


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        ([["a", "b"]], 1),
        ([["x"], ["a", "b"]], 1),
        ([["l", 0]], "first"),
        ([["l", 5]], None),
        ([["l", -1]], "first"),
        ([["l", -2]], None),
        ([["l", "0"]], None),
        ([["n"], ["a"]], {"b": 1}),
        ([["a", "b", "c"]], None),
        ([], None),
    ],
)
def test_first(paths: Any, found: object) -> None:
    """The first path that leads to a value wins; null does not count."""
    assert text.first({"a": {"b": 1}, "l": ["first"], "n": None}, paths) == found


def _read(data: bytes, close: bool = True) -> dict[str, Any]:
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
        if close:
            os.close(writing)
        return text.read_payload(reading, time.monotonic() + 5)
    finally:
        os.close(reading)
        if not close:
            os.close(writing)


def test_read_ends_with_the_object() -> None:
    """Reading does not wait for a pipe to close."""
    assert _read(b'{"a": "}"}\n', close=False) == {"a": "}"}


@pytest.mark.parametrize("data", [b"", b"  ", b"[1]", b'{"a":', b"\xff\xfe{\x00}\x00", b"null"])
def test_read_refuses_all_but_objects(data: bytes) -> None:
    """Anything but a JSON object is unreadable."""
    with pytest.raises(text.Unreadable):
        _read(data)


def _feed(monkeypatch: pytest.MonkeyPatch, *chunks: bytes | Exception) -> dict[str, Any]:
    """Read a payload that comes in chunks; an exception is raised instead of a chunk."""
    left = list(chunks)

    def read(descriptor: int, size: int) -> bytes:
        chunk = left.pop(0)
        if isinstance(chunk, Exception):
            raise chunk
        return chunk

    monkeypatch.setattr(text, "system", SimpleNamespace(read=read))
    payload = text.read_payload(0, time.monotonic() + 5)
    assert left == []
    return payload


@pytest.mark.parametrize(
    "chunks",
    [
        [b'{"a": ', b"1}"],
        [b'{"a": 1}\n \t\r'],
        [b'{"a": {}', b', "a": 1}'],
        [b'{"b": "}', b'", "a": 1}'],
        [b'{"a": 1', b"} "],
    ],
)
def test_chunks_are_read_until_the_object_is_complete(
    monkeypatch: pytest.MonkeyPatch, chunks: list[bytes]
) -> None:
    """A brace at the end of a chunk may be the end of the object, or may not."""
    assert _feed(monkeypatch, *chunks)["a"] == 1


@pytest.mark.parametrize(
    ("chunks", "reason"),
    [
        ([b""], "empty"),
        ([b" \n", b""], "empty"),
        ([TimeoutError()], "nothing in time"),
        ([b" ", TimeoutError()], "nothing in time"),
        ([b'{"a"', b""], "not a JSON object"),
        ([b'{"a": 1', b"}x", b""], "not a JSON object"),
        ([b'{"a"', TimeoutError()], "no whole JSON in time"),
        ([OSError(5, "private")], "errno 5"),
    ],
)
def test_reason_for_an_unreadable_payload(
    monkeypatch: pytest.MonkeyPatch, chunks: list[bytes | Exception], reason: str
) -> None:
    """The text goes to the log: it tells a closed pipe from a timeout."""
    with pytest.raises(text.Unreadable) as error:
        _feed(monkeypatch, *chunks)
    assert str(error.value) == reason


def test_read_ends_at_its_deadline() -> None:
    """A host that never stops sending does not delay the call."""
    with pytest.raises(text.Unreadable, match="nothing in time"):
        text.read_payload(-1, time.monotonic() - 1)


def test_size_of_a_payload_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A payload may be as large as the limit, but no larger."""
    monkeypatch.setattr(text, "MAX_INPUT", 8)
    assert _feed(monkeypatch, b'{"a": 1}') == {"a": 1}
    with pytest.raises(text.Unreadable, match="too large"):
        _feed(monkeypatch, b'{"a": 1', b"1}")


def test_parsing_in_vain_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """After that many bytes, parsing waits for the end of the input."""
    monkeypatch.setattr(text, "_MAX_WASTED", 12)
    chunks = [b'{"a": "}', b"..}", b'"}']
    assert _feed(monkeypatch, *chunks, b"") == {"a": "}..}"}
    monkeypatch.setattr(text, "_MAX_WASTED", 20)
    assert _feed(monkeypatch, *chunks) == {"a": "}..}"}


def test_dump_keeps_the_order_of_keys() -> None:
    """A reply keeps its template's order."""
    assert text.dump({"b": 1, "a": [True, None]}) == '{"b": 1, "a": [true, null]}'


CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)
DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("x", "x"),
        (1, "1"),
        ({"a": ["é"]}, '{"a": ["é"]}'),
        (float("nan"), None),
        (object(), None),
        (CIRCLE, None),
        (DEEP, None),
    ],
    ids=["none", "text", "number", "object", "nan", "no-json", "circle", "deep"],
)
def test_as_text(value: object, expected: str | None) -> None:
    """Other JSON becomes JSON text; a value that has none becomes None."""
    assert text.as_text(value) == expected


def test_read_takes_broken_utf8() -> None:
    """A bad byte is replaced."""
    assert _read(b'{"a": "\xff"}') == {"a": "\ufffd"}
