"""JSON and standard input for the hook path.

The C scanner and encoder of the standard library are used directly: ``import json`` costs as much
as the whole rest of a call, since it loads ``re``.
"""

from __future__ import annotations

from time import monotonic

from hatch_agentplugin.fire.process import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: Bytes of standard input that are read at most.
MAX_INPUT = 16 * 1024 * 1024
_CHUNK = 16384
#: Bytes that may be parsed in vain before the end of the input is waited for.
_TRIES = 4 * 1024 * 1024
_SPACE = b" \t\r\n"


class _Lenient:
    """How the scanner reads: control characters in strings are let through, as hosts print them."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012  (3.10's scanner wants it; it keeps its own)


def _tools() -> tuple[Callable[[str, int], tuple[Any, int]], Callable[[Any], str]]:
    """The scanner and the encoder: from C, or the whole json package where there is no C."""
    try:
        from _json import encode_basestring, make_encoder, make_scanner
    except ImportError:
        from json import JSONDecoder, JSONEncoder

        encoder = JSONEncoder(ensure_ascii=False, allow_nan=False)
        return JSONDecoder(strict=False).raw_decode, encoder.encode

    def refuse(value: object) -> Any:
        raise TypeError(f"{type(value).__name__} is not JSON")

    def encode(value: Any) -> str:
        chunks = make_encoder({}, refuse, encode_basestring, None, ": ", ", ", False, False, False)
        return "".join(chunks(value, 0))

    scanner: Callable[[str, int], tuple[Any, int]] = make_scanner(_Lenient)  # type: ignore[arg-type]
    return scanner, encode


_scan, dump = _tools()


def parse(text: str) -> Any:
    """The JSON value that ``text`` is. Raises ValueError for anything else."""
    text = text.strip(" \t\r\n\ufeff")
    try:
        value, end = _scan(text, 0)
    except (
        Exception
    ) as error:  # StopIteration, RecursionError, and what the C code happens to raise
        raise ValueError("not JSON") from error
    if end != len(text):
        raise ValueError("text after the JSON value")
    return value


def dump_bytes(value: Any) -> bytes:
    """``value`` as UTF-8 JSON. Half surrogates, which UTF-8 has no place for, are replaced."""
    return to_bytes(dump(value))


def to_bytes(text: str) -> bytes:
    """``text`` in UTF-8, with pairs of surrogates joined and single ones replaced."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return joined.encode("utf-8")


class Unreadable(ValueError):
    """Standard input holds no payload; the text says why, without quoting it."""


def read_payload(descriptor: int, until: float) -> dict[str, Any]:
    """Read one JSON object from ``descriptor``.

    Ends as soon as the object is complete, since some hosts never close the pipe, and at the time
    ``until`` at the latest, if the caller sees to it that a blocked read is interrupted by
    :class:`TimeoutError`. Raises :class:`Unreadable`.
    """
    data = bytearray()
    ended = False
    tried = 0
    try:
        while not ended and monotonic() < until:
            chunk = system.read(descriptor, _CHUNK)
            ended = not chunk
            data += chunk
            if len(data) > MAX_INPUT:
                raise Unreadable("too large")
            # A cheap look first, and no more tries than the size allows: a large payload with a
            # brace at the end of many pieces would take quadratic time.
            if chunk.rstrip(_SPACE).endswith(b"}") and tried < _TRIES:
                tried += len(data)
                try:
                    return _object(data)
                except ValueError:
                    continue
    except TimeoutError:
        pass
    except OSError as error:
        raise Unreadable(f"errno {error.errno}") from None
    if not data.strip():
        raise Unreadable("empty" if ended else "nothing in time")
    try:
        return _object(data)
    except ValueError:
        raise Unreadable("not a JSON object" if ended else "no whole JSON in time") from None


def _object(data: bytearray) -> dict[str, Any]:
    value = parse(data.decode("utf-8", "replace"))
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def first(payload: Any, paths: list[list[str | int]]) -> Any:
    """What the first path that leads to something other than null leads to, or None."""
    for path in paths:
        value = payload
        for key in path:
            if isinstance(value, dict):
                value = value.get(key)
            elif (
                isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value)
            ):
                value = value[key]
            else:
                value = None
                break
        if value is not None:
            return value
    return None


def as_text(value: Any) -> str | None:
    """A payload field for an attribute that is text: other JSON becomes JSON text."""
    if value is None or isinstance(value, str):
        return value
    try:
        return dump(value)
    except (TypeError, ValueError, RecursionError):
        return None


def like(name: str, pattern: str) -> bool:
    """Whether ``pattern`` is ``name``, each ``*`` standing for any text."""
    if "*" not in pattern:
        return name == pattern
    start, *middle, end = pattern.split("*")
    if len(name) < len(start) + len(end) or not name.startswith(start) or not name.endswith(end):
        return False
    at, stop = len(start), len(name) - len(end)
    for part in middle:
        at = name.find(part, at, stop)
        if at < 0:
            return False
        at += len(part)
    return True
