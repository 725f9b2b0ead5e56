"""What a removal may leave of a value, and which text is taken for ours."""

from __future__ import annotations

from typing import Any

import pytest

from hatch_agentplugin.edit import Entry, Splice, expected, splices

ITEM, KEY = Entry("item", ("a", "b"), 1), Entry("key", ("a", "k"), 1)


@pytest.mark.parametrize(
    ("now", "rest", "fits"),
    [
        pytest.param({"a": {"b": [0, 1, 2]}}, {"a": {"b": [0, 2]}}, True, id="item"),
        pytest.param({"a": {"b": [1, 0, 1]}}, {"a": {"b": [1, 0]}}, True, id="one of two"),
        pytest.param({"a": {"b": [0, 1]}}, {"a": {"b": [0, 1]}}, False, id="nothing removed"),
        pytest.param({"a": {"b": [1, 1]}}, {"a": {"b": []}}, False, id="too much removed"),
        pytest.param({"a": {"b": [0, 1]}}, {"a": {"b": [1]}}, False, id="other item"),
        pytest.param({"a": {"b": [True, 0]}}, {"a": {"b": [0]}}, False, id="true is not one"),
        pytest.param({"a": {"b": [1]}}, {"a": {}}, True, id="created array gone"),
        pytest.param({"a": {"b": [1]}}, {}, False, id="array of others gone"),
        pytest.param({"a": {"b": [1, 2]}}, {"a": {}}, False, id="item of others gone"),
        pytest.param({"a": {"b": [1]}, "z": 1}, {"a": {"b": []}}, False, id="key of others gone"),
        pytest.param({"a": {"b": [1]}}, {"a": {"b": []}, "z": 1}, False, id="key appeared"),
    ],
)
def test_rest_after_an_item(now: Any, rest: Any, fits: bool) -> None:
    """The array was created by us, the object around it by others."""
    assert expected.is_rest(now, rest, [ITEM], [("a", "b")]) is fits


def test_rest_after_a_key() -> None:
    """A key whose value somebody has changed is no longer ours to remove."""
    assert expected.is_rest({"a": {"k": 1, "x": 2}}, {"a": {"x": 2}}, [KEY], [])
    assert not expected.is_rest({"a": {"k": 7, "x": 2}}, {"a": {"x": 2}}, [KEY], [])
    assert not expected.is_rest({"a": {"k": 1}}, {"a": {"k": 1}}, [KEY], [])


def test_the_nearest_place_is_ours() -> None:
    """The same text may stand in several places after somebody has edited the file."""

    def undo(text: str, offset: int) -> Any:
        return splices.undo(text, [Splice(offset, ("xx",))], lambda start, end: True)

    assert undo("..xx..xx", 6) == ("..xx..", [6])
    assert undo("..xx..xx..", 3) == ("....xx..", [2])
    assert undo("..xx....xx", 7) == ("..xx....", [8])
    assert undo("..xx..", 5) == ("....", [2])
    assert undo("......", 2) is None


def test_merged_splices_are_those_of_the_first_text() -> None:
    """Text inserted into inserted text, beside it and around kept text."""
    merger = splices.Merger()
    text = "ab"
    for splice in (
        Splice(1, ("12",)),
        Splice(2, ("3",)),
        Splice(4, ("4",)),
        Splice(0, ("5", "a", "6")),
    ):
        merger.add(splice)
        text = splices.apply(text, [splice])
    assert text == "5a61324b"
    assert merger.splices(text) == [Splice(0, ("5", "a", "61324"))]
    assert splices.apply("ab", merger.splices(text)) == text
    assert splices.undo(text, merger.splices(text), lambda start, end: True) == ("ab", [0])
