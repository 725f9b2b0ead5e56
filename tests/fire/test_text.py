"""JSON and text on the hook path."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from fnmatch import fnmatchcase
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
    """No other exception leaves ``parse``, whatever the C code raises."""
    with suppress(ValueError):
        text.parse(junk)


@pytest.mark.parametrize(
    "junk", ["", "[", "[NaN", '{"a"', "[" * 100_000, "1" * 5000, "{} x", "nul"]
)
def test_parse_refuses(junk: str) -> None:
    """Broken, deep and endless documents are all the same error."""
    with pytest.raises(ValueError, match="JSON"):
        text.parse(junk)


def test_parse_takes_a_byte_order_mark() -> None:
    """Some writers begin with one."""
    assert text.parse('\ufeff {"a": 1}\n') == {"a": 1}


def test_single_surrogates_are_replaced() -> None:
    """UTF-8 has no place for half a character, and hosts refuse the escape."""
    assert text.dump_bytes("a\ud800b") == '"a\ufffdb"'.encode()
    assert text.dump_bytes("\ud83d\ude00") == '"😀"'.encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, b"x"])
def test_dump_refuses_what_is_not_json(value: object) -> None:
    """A reply with NaN in it would be no JSON."""
    with pytest.raises((ValueError, TypeError)):
        text.dump({"a": value})


@given(st.text("ab_", max_size=8), st.text("ab*", max_size=6))
def test_like_is_a_glob_with_stars_only(name: str, pattern: str) -> None:
    """``*`` stands for any text and nothing else is special."""
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
    """Question marks and brackets are letters."""
    assert not text.like("ab", "a?")
    assert text.like("a[b]", "a[b]")


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        ([["a", "b"]], 1),
        ([["x"], ["a", "b"]], 1),
        ([["l", 0]], "first"),
        ([["l", 5]], None),
        ([["l", "0"]], None),
        ([["n"], ["a"]], {"b": 1}),
        ([["a", "b", "c"]], None),
        ([], None),
    ],
)
def test_first(paths: Any, found: object) -> None:
    """The first path that leads to something wins; a null is nothing."""
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
    """A pipe that stays open holds nothing up."""
    assert _read(b'{"a": "}"}\n', close=False) == {"a": "}"}


@pytest.mark.parametrize("data", [b"", b"  ", b"[1]", b'{"a":', b"\xff\xfe{\x00}\x00", b"null"])
def test_read_refuses_all_but_objects(data: bytes) -> None:
    """Whatever is no JSON object is unreadable, and the reason quotes none of it."""
    with pytest.raises(text.Unreadable):
        _read(data)


def test_read_takes_broken_utf8() -> None:
    """One bad byte does not make the payload worthless."""
    assert _read(b'{"a": "\xff"}') == {"a": "\ufffd"}
