"""What the readers of plain TOML and plain YAML share: neither guesses, and both know JSON's strings."""

from __future__ import annotations

import json
from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class NotPlain(Exception):
    """There is more in the text than is read here."""


def _refuse(name: str) -> NoReturn:
    raise NotPlain


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def lines(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each line without its end, where it begins, and where the next one does.

    Raises NotPlain for a tab, another line end, and all that would have to be escaped.
    """
    start, every = 0, text.split("\n")
    for whole in every:
        line = whole[:-1] if whole.endswith("\r") else whole
        if not line.isprintable():
            raise NotPlain
        following = start + len(whole) + 1
        yield line, start, following
        start = following
    if every[-1].endswith("\r"):
        raise NotPlain


def decode(line: str, at: int) -> tuple[Any, int]:
    """Return the JSON value that begins at `at`, and its end. Raises NotPlain if there is none.

    Also for strings of which JSON alone thinks so: no other format joins halves of characters, and
    TOML and an old PyYAML have no escaped slash.
    """
    try:
        value, end = _DECODER.raw_decode(line, at)
    except (ValueError, RecursionError):
        raise NotPlain from None
    escapes = line[at:end].replace("\\\\", "")
    if "\\" in escapes and ("\\/" in escapes or "\\ud" in escapes.lower()):
        raise NotPlain
    return value, end
