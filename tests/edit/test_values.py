"""Values of documents: when two are the same, and what reading one takes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.edit import values

from ._documents import examples

LEAVES = st.sampled_from([None, True, False, 0, 1, 1.0, "", "1"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=4,
)


def told(value: Any) -> str:
    """A value as text, in which nothing but an integer equals a number with a point."""
    return json.dumps(value, sort_keys=True).replace("1.0", "1")


@examples(300)
@given(VALUES, VALUES)
def test_true_is_not_one(left: Any, right: Any) -> None:
    """At any depth; the order of keys does not matter."""
    assert values.same(left, right) is (told(left) == told(right))
    assert values.same(left, json.loads(json.dumps(left)))
