"""What is said about a wrong ``[tool.agent-plugin]``: two lines per mistake, all of them at once.

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
    """TOML key, list items counted from 1: ``tool.agent-plugin.hooks.turn-end[2].args[1]``."""
    what: str
    """What is wrong, with the author's own value."""
    advice: str
    """What to write instead: the nearest right name and what is allowed."""

    def __str__(self) -> str:
        return f"pyproject.toml: {self.where}: {self.what}\n  {self.advice}"


class ConfigError(ValueError):
    """Everything wrong with a declaration; ``problems`` in the order of the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


class Mistake(ValueError):
    """What is wrong with one value; whoever knows its key makes a :class:`Problem` of it."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(what)
        self.what = what
        self.advice = advice


def quoted(value: object) -> str:
    """A value as the author wrote it, on one line and not too long."""
    text = str(value).replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\0")
    return f'"{text}"' if len(text) <= 80 else f'"{text[:77]}..."'


def choose(name: str, allowed: Iterable[str], more: str = "") -> str:
    """Advice for a name that is not among the allowed ones."""
    choices = list(allowed)
    near = nearest(name, choices)
    listed = ", ".join(choices) + more
    return f'did you mean "{near}"? Allowed: {listed}' if near else f"allowed: {listed}"


def toml_key(*parts: str | int) -> str:
    """A TOML key for a path; numbers are list positions from 0 and are shown from 1."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            bare = part and _BARE_KEY.issuperset(part)
            text += f".{part}" if bare or part == TABLE else f".{quoted(part)}"
    return text.removeprefix(".")
