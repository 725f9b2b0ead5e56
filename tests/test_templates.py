"""Templates: placeholders become values, and what has no value is left out."""

from __future__ import annotations

from typing import Any

import pytest

from hatch_agentplugin.templates import fill, fill_folders, map_strings, strings

VALUES = {"$name": "acme", "$args": ["a", "b"], "$cwd": None, "$output": "x", "$output-text": "y"}


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("$name", "acme"),
        ("$args", ["a", "b"]),
        ("--name=$name!", "--name=acme!"),
        ("$output-text and $output", "y and x"),
        ("$names, $args and $cwd", "$names, $args and $cwd"),
        ({"run": ["$name", 1, None, True]}, {"run": ["acme", 1, None, True]}),
        ({"$name": "kept"}, {"$name": "kept"}),
    ],
    ids=["whole", "any type", "inside", "longest name", "not a text", "nested", "not in keys"],
)
def test_placeholders_become_values(template: Any, filled: Any) -> None:
    assert fill(template, VALUES) == filled


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ({"cwd": "$cwd", "args": ["$cwd", "b"]}, {"args": ["b"]}),
        ({"name": "$name", "in": {"cwd": "$cwd"}, "all": ["$cwd"]}, {"name": "acme"}),
        ({"env": None, "list": [], "in": {}}, {"env": None, "list": [], "in": {}}),
        ({"cwd": "$cwd"}, {}),
        (["$cwd"], []),
    ],
    ids=["key and item", "nothing left", "empty in the template", "whole object", "whole list"],
)
def test_what_has_no_value_is_left_out(template: Any, filled: Any) -> None:
    assert fill(template, VALUES) == filled


def test_a_value_is_not_filled_again() -> None:
    """Text of an author that looks like a placeholder stays as it is."""
    assert fill("$a $b", {"$a": "$b", "$b": "$a"}) == "$b $a"


def test_folders_of_the_plugin_are_filled_in() -> None:
    text = "${PLUGIN_ROOT}/x:${PLUGIN_DATA}:$PLUGIN_ROOT"
    assert fill_folders(text, "/r", "/d") == "/r/x:/d:$PLUGIN_ROOT"


def test_strings_of_a_value() -> None:
    value = {"a": ["x", 1, {"b": "y"}], "c": None, "d": "z"}
    assert list(strings(value)) == ["x", "y", "z"]
    assert map_strings(value, str.upper) == {"a": ["X", 1, {"b": "Y"}], "c": None, "d": "Z"}
