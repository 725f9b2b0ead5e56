"""Words for a POSIX shell, as ``shlex`` writes them; its pattern costs more than all words of a run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-")


def quote(word: str) -> str:
    """One word, in quotes where the shell would take it for more."""
    if word and _PLAIN.issuperset(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def join(words: Iterable[str]) -> str:
    """A line of words."""
    return " ".join(map(quote, words))
