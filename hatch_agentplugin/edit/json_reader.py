"""Read JSON with comments and trailing commas.

Comments and trailing commas are overwritten with spaces of the same length, then the standard
decoder, which is written in C, reads the rest. Every offset stays valid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from hatch_agentplugin.edit.lines import BOM, error_at
from hatch_agentplugin.edit.model import DocumentError, Json
from hatch_agentplugin.edit.values import check_depth

_SPACE = re.compile(r"[ \t\r\n]*")
_LONGEST_INT = 4000  # Python refuses to convert longer ones; hosts read them as infinity.


class _Constant(Exception):
    """A NaN or an Infinity, which the decoder accepts and JSON does not."""


def _refuse_constant(name: str) -> NoReturn:
    raise _Constant(name)


def _read_int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


_DECODER = json.JSONDecoder(parse_int=_read_int, parse_constant=_refuse_constant)


@dataclass(frozen=True)
class Source:
    """A document that has been read."""

    text: str
    """The whole text."""
    bare: str
    """The text with comments overwritten by spaces."""
    plain: str
    """The text with comments and trailing commas overwritten by spaces."""
    comments: tuple[tuple[int, int], ...]
    """Where the comments begin and end, in their order."""
    root: dict[str, Json]
    """The parsed value; empty for a document without settings."""
    start: int | None
    """Where the root object begins; None if the document holds no settings."""


def read(text: str) -> Source:
    """Read `text`. Raises DocumentError unless it holds one object or no settings at all."""
    start = skip_space(text, 1 if text.startswith(BOM) else 0)
    if start == len(text):
        return Source(text, text, text, (), {}, None)
    try:
        root, end = _DECODER.raw_decode(text, start)
        is_strict = skip_space(text, end) == len(text)
    except (json.JSONDecodeError, _Constant, RecursionError):
        is_strict = False
    if not is_strict:
        return _read_relaxed(text)
    return Source(text, text, text, (), _checked(text, text, root, start), start)


def _read_relaxed(text: str) -> Source:
    bare, comments = blank_comments(text)
    plain = blank_commas(bare)
    start = skip_space(plain, 1 if text.startswith(BOM) else 0)
    if start == len(plain):
        return Source(text, bare, plain, comments, {}, None)
    root, end = _decode(plain, start)
    rest = skip_space(plain, end)
    if rest != len(plain):
        raise error_at(text, rest, "there is more text after the end of the settings")
    return Source(text, bare, plain, comments, _checked(text, plain, root, start), start)


def _checked(text: str, plain: str, root: Json, start: int) -> dict[str, Json]:
    if not isinstance(root, dict):
        raise error_at(text, start, "the settings are not an object in braces")
    if plain.count("{") + plain.count("[") > 500:
        check_depth(root)
    return root


def _decode(plain: str, start: int) -> tuple[Json, int]:
    try:
        return _DECODER.raw_decode(plain, start)
    except json.JSONDecodeError as error:
        reason = "a comment without end" if plain.startswith("/*", error.pos) else error.msg
        if not plain[error.pos :].strip():
            reason = f"the file ends too early ({reason})"
        raise error_at(plain, error.pos, reason[0].lower() + reason[1:]) from None
    except RecursionError:
        raise DocumentError("nested too deep") from None
    except _Constant as error:
        place = place_of(str(error), plain)
        raise error_at(plain, start if place is None else place, f"{error} is not JSON") from None


def decode_at(plain: str, start: int) -> tuple[Any, int]:
    """Return the value at `start` of a text that has been read, and the offset of its end."""
    return _DECODER.raw_decode(plain, start)


def skip_space(text: str, at: int) -> int:
    """Return the offset of the first character from `at` on that is not white space."""
    if at < len(text) and text[at] not in " \t\r\n":
        return at
    match = _SPACE.match(text, at)
    assert match
    return match.end()


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
    """Return the offset of a NaN or an Infinity outside of strings."""
    found = re.finditer(_CONSTANT, plain, re.DOTALL)
    return next((match.start() for match in found if match.group() == constant), None)
