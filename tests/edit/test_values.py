"""Values of documents: when two are the same, and what reading one takes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.edit import (
    MISSING,
    DocumentError,
    editor,
    editors,
    value_at,
    values,
)

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


@pytest.mark.parametrize(
    ("format", "text"),
    [("json", '{"a": {"b": 1}}'), ("jsonc", '{"a": {"b": 1}} // c'), ("toml", "[a]\nb = 1\n"),
     ("toml", "a.b = 1"), ("yaml", "a:\n  b: 1\n"), ("text", "a")],
)  # fmt: skip
def test_a_value_is_read_without_an_editor(format: str, text: str) -> None:
    """The same as the editor reads, in a program that has made none."""
    code = """if True:
        import sys
        from hatch_agentplugin.edit import MISSING, editor, value_at
        format, data = sys.argv[1], sys.argv[2].encode()
        found = [value_at(data, format, at) for at in [("a", "b"), ("a",), ("b",)]]
        assert found == ([MISSING] * 3 if format == "text" else [1, {"b": 1}, MISSING]), found
        editors = {"json", "jsonc", "toml", "yaml"} & {
            name.rpartition("._")[2] for name in sys.modules if "place.documents._" in name
        }
        assert not editors, editors
        assert found == [editor(format).get(data, at) for at in [("a", "b"), ("a",), ("b",)]]
        assert found == [value_at(data, format, at) for at in [("a", "b"), ("a",), ("b",)]]
    """
    subprocess.run([sys.executable, "-c", code, format, text], check=True)


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("name", ["json", "jsonc", "toml", "yaml"])
def test_what_cannot_be_read_is_refused(
    name: str, edited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether there is an editor or not."""
    monkeypatch.setattr(editors, "_made", {name: editor(name)} if edited else {})
    with pytest.raises(DocumentError):
        value_at(b"{", name, ())
    with pytest.raises(DocumentError, match="UTF-8"):
        value_at(b"\xff", name, ())
    assert value_at(b"", name, ("a",)) is MISSING


def test_another_format_is_a_mistake_of_ours() -> None:
    """For the editor and the value."""
    for ask in (editor, lambda name: value_at(b"", name, ())):
        with pytest.raises(ValueError, match="no editor for 'ini'"):
            ask("ini")
