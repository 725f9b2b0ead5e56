"""What is read without PyYAML is what PyYAML reads: nodes, marks and values, or nothing."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.place.documents import (
    DocumentError,
    Found,
    _plain,
    _yaml_plain,
    _yaml_source,
    editor,
    unwind,
)

from ._documents import examples, written

yaml = pytest.importorskip("yaml")
YAML = editor("yaml")


def drawn(node: Any) -> Any:
    """A node with all that is asked of it."""
    marks = [(m.index, m.line, m.column) for m in (node.start_mark, node.end_mark)]
    value = node.value
    if isinstance(value, list):
        value = [tuple(map(drawn, e)) if isinstance(e, tuple) else drawn(e) for e in value]
    looks = getattr(node, "style", None), getattr(node, "flow_style", None)
    return node.id, node.tag, value, *marks, *looks


def is_read(text: str) -> bool:
    """Whether a text is read without PyYAML; then, and where it is blank, it must be equal."""
    try:
        ours = _yaml_plain.compose(text) if text.strip(" \r\n") else None
    except _plain.NotPlain:
        return False
    theirs = yaml.compose(text, Loader=yaml.SafeLoader)
    assert (ours and drawn(ours)) == (theirs and drawn(theirs))
    assert repr(_yaml_source.to_json(ours)) == repr(_yaml_source.to_json(theirs))
    return True


TEXTS = st.one_of(
    st.text(max_size=8),
    st.text(st.sampled_from('aé—"\\/\n\t:#-{}[]&*!|>%@`\'? \x7f\x85\xa0\u2028\ufeff\U0001f600'), max_size=8),
    st.sampled_from(["", "yes", "~", "1e3", "<<", "=", "C:\\udo", "é" * 1100, "n"]),
)  # fmt: skip
PRINTED = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x17F), max_size=8).filter(
    str.isprintable
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
NUMBERS = st.one_of(st.integers(-(10**9), 10**9), st.sampled_from([0.5, -0.0, 1.25, 100.0]))


def trees(texts: st.SearchStrategy[str], numbers: st.SearchStrategy[float]) -> Any:
    """Values as a plan may hold them."""
    leaves = st.one_of(st.none(), st.booleans(), numbers, texts)
    keys = st.one_of(st.sampled_from(["a", "b", "on_session_start", "A-b_1", "no", "_"]), texts)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)
        ),
        max_leaves=8,
    )


def steps(values: Any) -> Any:
    """Insertions, each at a place of its own or at the end of a list."""
    places = st.sampled_from([("item", ("hooks", "on")), ("item", ("hooks", "off")),
                              ("item", ("x",)), ("key", ("k", "é")), ("key", ("k", "z")),
                              ("key", ("top",)), ("key", ("k", "n", "deep"))])  # fmt: skip
    return st.lists(st.tuples(places, values), min_size=1, max_size=4)


@examples(60)
@given(steps(trees(PRINTED, NUMBERS)), st.sampled_from(["", "\n", "\r\n"]))
def test_what_the_editor_writes_is_read_without_pyyaml(wanted: Any, newline: str) -> None:
    """Printable text and numbers without exponent: all that hooks are made of."""
    data, records = written(YAML, wanted, newline)
    assert records
    assert is_read(data.decode())
    assert unwind(data, records) == newline.encode()


@examples(60)
@given(steps(trees(TEXTS, FLOATS | st.integers())), st.sampled_from(["", "\n", "\r\n", "\r"]))
def test_whatever_the_editor_writes_means_the_same(wanted: Any, newline: str) -> None:
    """Any text, any number."""
    is_read(written(YAML, wanted, newline)[0].decode())


PIECES = [
    " ", "  ", "\t", "\n", "\r", "\r\n", "\n\n", ":", ": ", "-", "- ", "---", "---\n", "...", "#", " # x",
    "\n# x\n", '"', "'", "\\", "\\/", "\\ud83d\\ude00", "\\x41", "\\u00e9", "{}", "[]", "{", "]", "&a ",
    "*a", "!!str ", "|", ">", "?", "? ", "%", "@", "<<", "<<: {}\n", "= ", "y", "no", "No: 1\n", "~", "null",
    "1e3", "1.5e+3", "0o7", "07", "08", "1_000", "1:30", "0x1f", ".5", "1.", "-", "+1", "-0", "1" * 19,
    "2026-01-02", ".nan", ".inf", "true", "TRUE", "a", "a: 1\n", "a:\n", "\na: 2", '"a": 2\n', "  b: 3\n",
    "- 1\n", "    - 2\n", "\x00", "\x07", "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\ufeff", "\ufffe",
    "\U0001f600", "é", ",", "٣", "²", "\x0c", "\x1c",
]  # fmt: skip


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    """Something that the editor wrote, with a few characters or lines changed."""
    text = written(YAML, draw(steps(trees(PRINTED, NUMBERS))), draw(st.sampled_from(["", "\r\n"])))[
        0
    ].decode()
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        if draw(st.booleans()):  # At the begin of a line or of its content.
            start = text.rfind("\n", 0, start) + 1
            start += draw(st.sampled_from([0, len(text[start:]) - len(text[start:].lstrip(" "))]))
        end = start + draw(st.integers(0, 2))
        text = text[:start] + "".join(draw(st.lists(st.sampled_from(PIECES), max_size=2))) + text[end:]  # fmt: skip
    return text


@examples(100)
@given(spoiled())
def test_whatever_becomes_of_it_is_read_alike_or_left_to_pyyaml(text: str) -> None:
    """Also where PyYAML refuses it: then it is never read here."""
    is_read(text)


@examples(500)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_any_text_is_read_alike_or_left_to_pyyaml(text: str) -> None:
    """Made of what YAML has a meaning for."""
    is_read(text)


LINES = [
    "a:",
    "a: 1",
    "b: true",
    'c: "x"',
    '"d": {}',
    "- 1",
    "- e: 1",
    "- - []",
    "- f:",
    "g:",
    "",
    "- - h: 0",
]


@examples(400)
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(LINES)), max_size=8))
def test_any_indentation_is_read_alike_or_left_to_pyyaml(lines: list[tuple[int, str]]) -> None:
    """Right or wrong."""
    is_read("\n".join(" " * depth + line for depth, line in lines))


@pytest.mark.parametrize("text", [
    "", "\n", "  \r\n", "a: 1", "a: 1\n\n\n", "a:\n    - 1\n", "a: 1\r\nb: 2\r\n", "a: 1\na: 2\n",
    '"<<": 1\n', '"\\u00e9\\\\ud\\n": "C:\\\\udo"\n', "a:\n  - - 1\n    - []\n  - {}\n", "  a: -1.50\n", "a: -0\n",
    f'a: "{"x" * 3000}"\n', f'a:\n  - "{"x" * 3000}"\n',
])  # fmt: skip
def test_read_here(text: str) -> None:
    """With the nodes of PyYAML."""
    assert is_read(text)


@pytest.mark.parametrize("text", [
    "\ufeffa: 1\n", "a:\t1\n", "---\na: 1\n", "a: 1\n...\n", "a: y\n", "a: no\n", "no: 1\n", "a: 1e3\n", "a: 0o7\n",
    "a: 07\n", "a: 1_000\n", "a: 1:30\n", "a: 2026-01-02\n", "a: ~\n", "a:\n", "a: \n", "<<: {}\n", "a: 1 \n", "a: 1 # b\n",
    "# b\n", 'a: "\x07"\n', 'a: "\x85"\n', 'a: "\u2028"\n', 'a: "\\ud83d\\ude00"\n', 'a: "\\/"\n', 'a: "x\n', "a: 'x'\n",
    "a: x\n", "a: |\n  x\n", "a: &b 1\n", "a: *b\n", "a: !!str 1\n", "a: [1]\n", "a:\n- 1\n", "a: 1\r", "- 1\n", "{}\n",
    '"a"\n', "a: 1\n  b: 2\n", "  a: 1\nb: 2\n", f"a: {'1' * 19}\n", f'"{"x" * 1001}": 1\n', "a: ٣\n", "1: 2\n", "a:1\n",
    '"a" : 1\n', "a: .5\n", "a: 1.\n", "a: -\n", "? a\n", "   \n a: 1\n", "a:\n  1\n",
    "".join(f"{' ' * depth}a:\n" for depth in range(60)) + " " * 60 + "a: 1\n",
])  # fmt: skip
def test_left_to_pyyaml(text: str) -> None:
    """Whether it takes it or refuses it."""
    assert not is_read(text)


def test_every_key_without_quotes_is_a_string() -> None:
    """Of the words that YAML takes for something else, none is written bare."""
    words = ["y", "Y", "yes", "ON", "off", "True", "NULL", "~", "1", "-a", "é", "", "a b", "a.b"]
    assert not any(map(_yaml_plain.is_plain_key, words))
    for key in ("a", "_", "a-", "nothing", "A9_-b", "e1", "inf", "nan"):
        assert _yaml_plain.is_plain_key(key)
        assert yaml.safe_load(f"{key}: 1") == {key: 1}


def test_a_plain_file_is_edited_without_the_package() -> None:
    """From nothing and back, in a Python without PyYAML, which is not even looked for."""
    code = """if True:
        import sys
        sys.modules["yaml"] = None
        from hatch_agentplugin.place.documents import Found, editor
        YAML, data, records = editor("yaml"), b"", []
        for number in range(3):
            edit = YAML.insert_item(data, ("hooks", f"e{number % 2}"), {"command": "x", "timeout": 5})
            data, records = edit.data, [*records, edit.record]
        for record in reversed(records):
            assert YAML.find(data, record) is Found.PRESENT
            data = YAML.remove(data, record)
        assert data == b""
    """
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("value", ["\xa0", 1e300, {"\xad": 1}])
def test_what_makes_a_plain_file_odd_needs_the_package(
    value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the error says so, not that the value cannot be inserted."""
    before = b"a: 1\n"
    if not isinstance(value, float):
        edit = YAML.insert_key(before, ("b",), value)
        assert YAML.find(edit.data, edit.record) is Found.PRESENT
    monkeypatch.setitem(sys.modules, "yaml", None)
    YAML._recent.clear()  # type: ignore[attr-defined]
    with pytest.raises(DocumentError, match=r"hatch-agentplugin\[yaml\]"):
        YAML.insert_key(before, ("b",), value)
