"""Reads an ordinary command line: argparse, with all it imports, costs nearly what Python does.

Whatever is not plain is left to argparse, which alone decides on it and speaks: abbreviations and
faults, ``--help``, short options in one word, and values that begin with a dash.
"""

from __future__ import annotations

from types import SimpleNamespace

from hatch_agentplugin.cli import COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hatch_agentplugin.cli._command import Command, Option


def commands(module: str) -> tuple[Command, ...]:
    """The commands of a module below this package."""
    # As importlib.import_module does, without importing that.
    found: Any = __import__(f"{__package__}.{module}", fromlist=["commands"])
    made: tuple[Command, ...] = found.commands()
    return made


def read(words: Sequence[str]) -> SimpleNamespace | None:
    """The options that argparse would read, or None where it has to be asked."""
    if not words or words[0] not in COMMANDS:
        return None
    for command in commands(COMMANDS[words[0]]):
        if command.name == words[0]:
            return read_for(command, words[1:])
    return None


def read_for(command: Command, words: Sequence[str]) -> SimpleNamespace | None:
    """The same for the words that follow the name of a command."""
    options: list[Option] = []
    for one in command.options:
        options += one if isinstance(one, tuple) else (one,)
    named = {name: option for option in options for name in option.names}
    values = {one.dest: one.how.get("default", False if one.is_flag else None) for one in options}
    given: set[Option] = set()
    placed: list[str] = []
    is_over = False
    left = iter(words)
    for word in left:
        if not word.startswith("-"):
            if is_over:
                return None  # Of such words in two places argparse does not take all.
            placed.append(word)
            continue
        is_over = bool(placed)
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        option = named.get(name)
        if option is None or (option.is_flag and equals):
            return None
        given.add(option)
        if option.is_flag:
            values[option.dest] = True
            continue
        if not equals:
            value = next(left, "-")
        if value.startswith("-") or value not in option.how.get("choices", (value,)):
            return None
        listed = option.how.get("action") == "append"
        values[option.dest] = [*(values[option.dest] or ()), value] if listed else value
    if not _are_complete(command, given) or not _put(options, placed, values):
        return None
    return SimpleNamespace(**values, **command.also)


def _are_complete(command: Command, given: set[Option]) -> bool:
    """Whether every option is there that has to be, and of those that exclude each other one."""
    for one in command.options:
        if isinstance(one, tuple):
            if len(given.intersection(one)) > 1:
                return False
        elif one.how.get("required") and one not in given:
            return False
    return True


def _put(options: Sequence[Option], placed: list[str], values: dict[str, Any]) -> bool:
    """Give the words without an option to those that stand by their place. False: they don't fit."""
    for option in options:
        if not option.is_positional:
            continue
        count, choices = option.how.get("nargs"), option.how.get("choices")
        taken = placed if count == "*" else placed[:1]
        placed = placed[len(taken) :]
        # Whether nothing is a choice differs from one argparse to the next.
        if choices is not None and not (taken and set(taken).issubset(choices)):
            return False
        if count == "*":
            if taken or "default" not in option.how:
                values[option.dest] = taken
        elif taken:
            values[option.dest] = taken[0]
        elif count != "?":
            return False
    return not placed
