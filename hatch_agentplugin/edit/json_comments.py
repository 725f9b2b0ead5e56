"""Overwrite comments and trailing commas in JSON with spaces of the same length."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STRING = r'"(?:[^"\\\r\n]|\\[^\r\n])*"'
_TOKEN = re.compile(rf"{_STRING}|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_MAYBE_COMMENT = re.compile(r"/[/*]")
_MAYBE_TRAILING = re.compile(r",(?=[ \t\r\n]*[\]}])")
_CONSTANT = rf"{_STRING}|-?(?:NaN|Infinity)"
_NOT_NEWLINE = re.compile(r"[^\r\n]")


def _tokens(text: str, candidates: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield each string or comment that holds a candidate, and each candidate outside of them.

    No string goes past its line, so only the line before a candidate is tokenized: the search for
    candidates skips most of a large file.
    """
    at = 0
    while found := candidates.search(text, at):
        place = found.start()
        begin = max(text.rfind("\n", at, place), text.rfind("\r", at, place), at - 1) + 1
        for token in _TOKEN.finditer(text, begin):
            if token.start() > place:
                break
            if token.end() > place:
                found = token
                break
        yield found
        at = found.end()


def blank_comments(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the text with comments overwritten by spaces, and where the comments are.

    Returns `text` itself if it holds none.
    """
    comments: list[tuple[int, int]] = []
    parts, at = [], 0
    for token in _tokens(text, _MAYBE_COMMENT):
        # A candidate that is no token is a comment without end, which the decoder refuses.
        if token.group()[0] == "/" and len(token.group()) > 1 and token.re is _TOKEN:
            comments.append(token.span())
            parts += [text[at : token.start()], _NOT_NEWLINE.sub(" ", token.group())]
            at = token.end()
    return ("".join([*parts, text[at:]]) if comments else text), tuple(comments)


def blank_commas(bare: str) -> str:
    """Return `bare`, which holds no comments, with trailing commas overwritten by spaces.

    Returns `bare` itself if it holds none.
    """
    parts, at = [], 0
    for token in _tokens(bare, _MAYBE_TRAILING):
        # The commas of `[ ,` and `, ,` are no trailing commas; the decoder refuses them.
        if token.group() == "," and _before(bare, token.start()) not in "[{,:":
            parts += [bare[at : token.start()], " "]
            at = token.end()
    return "".join([*parts, bare[at:]]) if parts else bare


def _before(text: str, at: int) -> str:
    """Return the last character before `at` that is not white space."""
    while at > 0 and text[at - 1] in " \t\r\n":
        at -= 1
    return text[at - 1 : at]


def place_of(constant: str, plain: str) -> int | None:
    """Return where a NaN or an Infinity stands outside of strings."""
    found = re.finditer(_CONSTANT, plain, re.DOTALL)
    return next((match.start() for match in found if match.group() == constant), None)
