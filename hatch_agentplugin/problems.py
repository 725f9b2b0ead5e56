"""Errors about a wrong declaration: two lines per mistake, all of them at once.

Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hatch_agentplugin.words import nearest

#: The table that authors write, as a TOML key.
TABLE = "tool.agent-plugin"

_BARE_KEY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


@dataclass(frozen=True)
class Problem:
    """One mistake in pyproject.toml."""

    where: str
    """TOML key, items counted from 1: ``tool.agent-plugin.hooks.turn-end[2].args[1]``; empty for the
    whole file."""
    what: str
    """The mistake, with the author's value."""
    advice: str
    """The correction: the nearest valid name, and all allowed values."""

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        return f"pyproject.toml: {where}{self.what}\n  {self.advice}"


class ConfigError(ValueError):
    """All problems of a declaration; ``problems`` has them in the order of the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


class Mistake(ValueError):
    """One value is wrong. The caller knows its key and makes a :class:`Problem` of it."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(what)
        self.what = what
        self.advice = advice


def quoted(value: object) -> str:
    """Return a value in quotes, on one line and cut to 80 characters."""
    text = str(value).replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\0")
    return f'"{text}"' if len(text) <= 80 else f'"{text[:77]}..."'


def choose(name: str, allowed: Iterable[str], more: str = "") -> str:
    """Return the advice for a name that is not allowed; ``more`` follows the allowed names."""
    choices = list(allowed)
    near = nearest(name, choices)
    listed = ", ".join(choices) + more
    return f'did you mean "{near}"? Allowed: {listed}' if near else f"allowed: {listed}"


def toml_key(*parts: str | int) -> str:
    """Return the TOML key of a path; numbers are indexes from 0, which are shown from 1."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            bare = part and _BARE_KEY.issuperset(part)
            text += f".{part}" if bare or part == TABLE else f".{quoted(part)}"
    return text.removeprefix(".")
