"""What is read without a parser of TOML is what one reads: values and statements, or nothing."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.place.documents import (
    _plain,
    _toml_parse,
    _toml_plain,
    editor,
    unwind,
)

from ._documents import examples, written

TOML = editor("toml")


def is_read(text: str) -> bool:
    """Whether a text is read without a parser; then all must be equal."""
    try:
        root, found = _toml_plain.read(text)
    except _plain.NotPlain:
        return False
    assert repr(root) == repr(_toml_parse.parse(text))
    assert found == _toml_parse.statements(text)
    return True


PRINTED = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x17F), max_size=8).filter(
    str.isprintable
)
TEXTS = st.one_of(
    st.text(max_size=8),
    st.text(st.sampled_from("aé—\"\\/\n\t.#=[]{}' ,\x7f\x85\u2028\ufeff\U0001f600"), max_size=8),
    st.sampled_from(["", "C:\\udo", "nan", "-", "a.b", "1"]),
)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


def trees(texts: st.SearchStrategy[str]) -> Any:
    """Values as a plan may hold them; a list has tables alone or none."""
    leaves = st.one_of(st.booleans(), NUMBERS, texts)
    keys = st.one_of(st.sampled_from(["a", "b", "on-start", "A_1", "-"]), texts)
    flat = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3), max_leaves=4)
    return st.recursive(
        flat,
        lambda inner: st.one_of(
            st.dictionaries(keys, inner, max_size=3),
            st.lists(st.dictionaries(keys, inner, max_size=2), min_size=1, max_size=2),
        ),
        max_leaves=6,
    )


def steps(values: Any) -> Any:
    """Insertions; what does not fit is refused."""
    places = st.sampled_from([("item", ("hooks",)), ("item", ("h", "on")), ("item", ("h", "é")),
                              ("key", ("m", "new")), ("key", ("f", "flag")), ("key", ("f", "z")),
                              ("key", ("top",))])  # fmt: skip
    return st.lists(st.tuples(places, values), min_size=1, max_size=4)


@examples(60)
@given(
    st.lists(st.dictionaries(PRINTED, PRINTED | NUMBERS | st.booleans() | st.lists(PRINTED, max_size=3), max_size=4), min_size=1, max_size=4),
    st.sampled_from([("hooks",), ("h", "on", "é")]),
    st.sampled_from(["", "\n", "\r\n"]),
)  # fmt: skip
def test_what_the_editor_writes_is_read_without_a_parser(
    hooks: Any, path: tuple[str, ...], newline: str
) -> None:
    """Lists of hooks, with printable text, numbers and lists: each is an array of tables."""
    wanted = [(("item", path), hook) for hook in hooks] + [(("key", ("m", "new")), hooks[0])]
    data, records = written(TOML, wanted, newline)
    assert len(records) == len(wanted)
    assert is_read(data.decode())
    assert unwind(data, records) == newline.encode()


@examples(100)
@given(steps(trees(TEXTS)), st.sampled_from(["", "\n", "\r\n"]))
def test_whatever_the_editor_writes_means_the_same(wanted: Any, newline: str) -> None:
    """Any text, any number, tables in tables."""
    is_read(written(TOML, wanted, newline)[0].decode())


PIECES = [
    " ", "\t", "\n", "\r", "\r\n", "\n\n", "=", " = ", "=1", "#", " # x", "\n# x\n", '"', "'", '"""', "\\", "\\/",
    "\\ud83d\\ude00", "\\x41", "\\u00e9", "\\U0001f600", "\\e", "{}", "{ a = 1 }", "[]", "{", "]", "[", ",", ".", "nan",
    "inf", "NaN", "Infinity", "null", "true", "True", "1e3", "1.5e+3", "0o7", "07", "1_000", "0x1f", ".5", "1.", "-",
    "+1", "-0", "1" * 19, "2026-01-02", "07:32:00", "a", "a = 1\n", "a.b = 1\n", '"a" = 2\n', "'a' = 2\n", "[a]\n",
    "[[a]]\n", "[a.b]\n", "[ a ]\n", "[hooks]\n", "[[hooks]]\n", "[h]\n", "[h.on]\n", "[[h.on.x]]\n", '["a"]\n',
    "[[h.on]]\n", "\x00", "\x07", "\x7f", "\x85", "\xa0", "\u2028", "\ufeff", "\U0001f600", "é", "٣", "²", "\x0c",
]  # fmt: skip


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    """Something that the editor wrote, with a few characters or lines changed."""
    wanted, newline = draw(steps(trees(PRINTED))), draw(st.sampled_from(["", "\r\n"]))
    text = written(TOML, wanted, newline)[0].decode()
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        if draw(st.booleans()):
            start = text.rfind("\n", 0, start) + 1
        end = start + draw(st.integers(0, 2))
        new = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=2)))
        text = text[:start] + new + text[end:]
    return text


@examples(150)
@given(spoiled())
def test_whatever_becomes_of_it_is_read_alike_or_left_to_the_parser(text: str) -> None:
    """Also where the parser refuses it: then it is never read here."""
    is_read(text)


@examples(500)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_any_text_is_read_alike_or_left_to_the_parser(text: str) -> None:
    """Made of what TOML has a meaning for."""
    is_read(text)


LINES = ["[a]", "[a.b]", "[a.b.c]", "[[a]]", "[[a.b]]", "[[a.b.c]]", "[b]", "[[b.a]]", "a = 1", "b = []", 'c = ["x"]',
         'a = "x"', "b = [[1], [2.5]]", ""]  # fmt: skip


@examples(500)
@given(st.lists(st.sampled_from(LINES), max_size=8))
def test_tables_in_any_order_are_read_alike_or_left_to_the_parser(lines: list[str]) -> None:
    """Opened twice, through values, through arrays of tables."""
    is_read("\n".join(lines))


@pytest.mark.parametrize("text", [
    "", "\n\r\n", "a = 1", "a = 1\n\n\n", "a = -0\r\nb = 1.5e-3\r\n", '"" = [ [1], ["é", true] ]\n', "[a.b]\n[a.c]\nd = 1\n",
    '[[a]]\n[a."x y"]\n[[a]]\n[a."x y"]\n', "[[a.b]]\n[[a.b]]\n[a.b.c]\n", '- = "C:\\\\udo"\n', "1 = 1\n",
])  # fmt: skip
def test_read_here(text: str) -> None:
    """With the values and places of the parser."""
    assert is_read(text)


@pytest.mark.parametrize("text", [
    "\ufeffa = 1\n", "a=1\n", "a = 1 \n", " a = 1\n", "a = 1 # b\n", "# b\n", "a.b = 1\n", "a = 'x'\n", 'a = """x"""\n',
    "a = {}\n", "a = 2026-01-02\n", "a = nan\n", "a = NaN\n", "a = Infinity\n", "a = null\n", "a = [1,]\n", "a = [\n1]\n",
    "a = 1_0\n", "a = +1\n", "a = 01\n", "a = \n", "a = 1\na = 2\n", "a = 1\r", "a = 1\n[a]\n", "a = []\n[[a]]\n",
    "[a]\n[a]\n", "[a]\n[[a]]\n", "[[a]]\n[a]\n", "[a.b]\n[a]\n", "[ a ]\n", "['a']\n", "[a] # b\n", "[[a]\n", "[a]]\n", "[]\n",
    "[a.]\n", 'a = "\\/"\n', 'a = "\\ud83d\\ude00"\n', 'a = "\x7f"\n', 'a = "x\n', "é = 1\n", "a = 1 2\n", "a\n", "   \n",
    "a =  1\n", "a = [1, null]\n", "a = [{}]\n", "a = " + "[" * 30 + "]" * 30 + "\n",
])  # fmt: skip
def test_left_to_the_parser(text: str) -> None:
    """Whether it takes it or refuses it."""
    assert not is_read(text)


def test_a_plain_file_is_edited_without_a_parser() -> None:
    """From nothing and back; what reads everything else is not even imported."""
    code = """if True:
        import sys
        sys.modules["tomllib"] = sys.modules["tomli"] = None
        from hatch_agentplugin.place.documents import Found, editor
        TOML, data, records = editor("toml"), b"", []
        for number in range(3):
            edit = TOML.insert_item(data, ("hooks",), {"command": f"x {number}", "timeout": 5})
            data, records = edit.data, [*records, edit.record]
        for record in reversed(records):
            assert TOML.find(data, record) is Found.PRESENT
            data = TOML.remove(data, record)
        assert data == b""
        assert "hatch_agentplugin.place.documents._toml_parse" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", code], check=True)
