"""The reader of ordinary command lines agrees with argparse, and reads all that is ordinary."""

from __future__ import annotations

import contextlib
import functools
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin import cli
from hatch_agentplugin.cli import _line, _parser
from hatch_agentplugin.cli._command import Command, Option
from hatch_agentplugin.cli._ui import UsageFailure

#: What is given to an option, or stands alone: plain words, and some that look like an option.
WORDS = ("acme", "a b", "", "*", "user", "managed", "uvx", "a=b", "-", "--", "-1", "-x", "é", "-y")


@functools.cache
def command(name: str) -> Command:
    (found,) = [one for one in _line.commands(cli.COMMANDS[name]) if one.name == name]
    return found


@functools.cache
def parser(name: str) -> _parser.Parser:
    return _parser.build([name])


def options(name: str) -> list[Option]:
    """The options of a command, one by one."""
    groups = [one if isinstance(one, tuple) else (one,) for one in command(name).options]
    return [option for group in groups for option in group]


def by_argparse(words: list[str]) -> dict[str, object] | None:
    """What argparse reads, None where it ends the program."""
    silence = io.StringIO()
    with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
        try:
            return vars(parser(words[0]).parse_args(words))
        except (UsageFailure, SystemExit):
            return None


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    """A command with options of its own, most of them rightly used, and words in any place."""
    name = draw(st.sampled_from(sorted(cli.COMMANDS)))
    own = options(name)
    names = [each for one in own for each in one.names if not one.is_positional]
    plain = ["acme", *(choice for one in own for choice in one.how.get("choices", ()))]
    words = st.sampled_from(plain) | st.sampled_from(WORDS)
    parts = [words.map(lambda word: [word])]
    if names:
        some = st.sampled_from(names)
        parts += [
            some.map(lambda one: [one]),
            st.tuples(some, words).map(list),
            st.tuples(some, words).map(lambda pair: ["=".join(pair)]),
            st.tuples(some, words).map(lambda pair: ["".join(pair)]),
            st.tuples(some, st.integers(1, 8)).map(lambda cut: [cut[0][: cut[1]]]),
            st.sampled_from([["-h"], ["--help"], ["--version"], ["--nothing"]]),
        ]
    found = draw(st.lists(st.one_of(parts), max_size=6))
    return [name, *(word for part in found for word in part)]


@given(lines())
def test_reads_as_argparse_or_not_at_all(words: list[str]) -> None:
    found = _line.read(words)
    assert found is None or vars(found) == by_argparse(words)


def ordinary(name: str) -> list[list[str]]:
    """Lines with every option of a command, both ways to give a value, and without any."""
    own = options(name)
    words = ["acme" for one in own if one.is_positional]
    needed = [word for one in own if one.how.get("required") for word in (one.names[0], "acme")]
    found = [[name, *words, *needed], [name, *needed, *words]]
    for one in own:
        value = one.how.get("choices", ("acme",))[0]
        for each in one.names if not one.is_positional else ():
            found.append([name, *needed, *([each] if one.is_flag else [each, value]), *words])
        if not one.is_positional and not one.is_flag:
            found.append([name, *words, *needed, f"{one.names[0]}={value}"])
    return found


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_ordinary_lines_need_no_argparse(name: str) -> None:
    for words in ordinary(name):
        found = _line.read(words)
        assert found is not None, words
        assert vars(found) == by_argparse(words)
        assert callable(found.run)


@pytest.mark.parametrize(
    "words",
    [
        *([], ["--version"], ["activat"], ["--json", "status"]),
        *(["status", "--jso"], ["status", "--json=x"], ["status", "--scope"], ["status", "--help"]),
        *(["status", "--scope", "local"], ["activate", "-yy"], ["activate", "--", "acme"]),
        *(["activate", "--host", "-x"], ["activate", "acme", "--yes", "other"]),
        *(["hosts", "acme"], ["simulate", "acme"], ["simulate", "--event", "stop"]),
        *(["matrix", "--json", "--markdown"], ["bundle", "-odist"]),
    ],
)
def test_the_rest_is_for_argparse(words: list[str]) -> None:
    assert _line.read(words) is None


#: Keywords that no command uses for what stands by its place, but the next one may.
PLACED = [
    [{"nargs": "*", "default": ["b"]}],
    [{"nargs": "*", "choices": ("a", "b")}],
    [{"nargs": "?", "choices": ("a", "b")}],
    [{"nargs": "?", "choices": ("a", "b"), "default": "b"}],
    [{"choices": ("a", "b")}],
    [{"choices": ("a", "b")}, {"nargs": "?", "default": "b"}, {"nargs": "*", "choices": ("a",)}],
    [{"nargs": "?"}, {}],
    [{"nargs": "*"}, {"choices": ("a",)}],
]


@pytest.mark.parametrize("hows", PLACED, ids=str)
@given(words=st.lists(st.sampled_from(["a", "b", "c", "ab", ""]), max_size=4))
def test_what_stands_by_its_place_is_read_as_argparse_does(
    hows: list[dict[str, object]], words: list[str]
) -> None:
    places = tuple(Option(f"place{number}", **how) for number, how in enumerate(hows))
    made = Command("made", "", lambda _: 0, places)
    parser = _parser.Parser()
    _parser.fill(parser, made)
    found = _line.read_for(made, words)
    if found is not None:
        with contextlib.redirect_stderr(io.StringIO()):
            assert vars(found) == {**vars(parser.parse_args(words)), **made.also}
