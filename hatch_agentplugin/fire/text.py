"""JSON, the payload on standard input, and tool patterns, without importing ``json``.

That would cost as much as the rest of the call, because it loads ``re``. So the standard library's
C scanner and encoder are used directly.
"""

from __future__ import annotations

from time import monotonic

from hatch_agentplugin.fire.process import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: Largest payload that is read, in bytes.
MAX_INPUT = 16 * 1024 * 1024
_CHUNK = 16384
#: Bytes that may be parsed without success; then parsing waits for the end of the input.
_MAX_WASTED = 4 * 1024 * 1024
_SPACE = b" \t\r\n"


class _Lenient:
    """Options of the scanner. It accepts control characters in strings: some hosts send them."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012  (Python 3.10's scanner requires it and keeps its own)


def _scanner_and_encoder() -> tuple[Callable[[str, int], tuple[Any, int]], Callable[[Any], str]]:
    """Return the C scanner and encoder, or those of ``json`` if the interpreter lacks them."""
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


_scan, dump = _scanner_and_encoder()


def parse(text: str) -> Any:
    """Return the JSON value of ``text``. Raises ValueError if it is not exactly one value."""
    text = text.strip(" \t\r\n\ufeff")
    try:
        value, end = _scan(text, 0)
    except Exception as error:  # StopIteration, RecursionError, or anything else from the C code
        raise ValueError("not JSON") from error
    if end != len(text):
        raise ValueError("text after the JSON value")
    return value


def dump_bytes(value: Any) -> bytes:
    """Return ``value`` as JSON in UTF-8; see :func:`to_bytes`."""
    return to_bytes(dump(value))


def to_bytes(text: str) -> bytes:
    """Return ``text`` in UTF-8. Surrogate pairs are joined, single surrogates replaced."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return joined.encode("utf-8")


class Unreadable(ValueError):
    """Standard input holds no payload. The message says why and does not quote it."""


def read_payload(descriptor: int, until: float) -> dict[str, Any]:
    """Read one JSON object from ``descriptor``.

    Returns as soon as the object is complete, because some hosts never close the pipe. Gives up at
    the monotonic time ``until`` if the caller interrupts a blocked read by TimeoutError. Raises
    Unreadable.
    """
    data = bytearray()
    ended = False
    wasted = 0
    try:
        while not ended and monotonic() < until:
            chunk = system.read(descriptor, _CHUNK)
            ended = not chunk
            data += chunk
            if len(data) > MAX_INPUT:
                raise Unreadable("too large")
            # Parse only if the object may be complete, and not too often: a large payload with a
            # brace at the end of many chunks would take quadratic time.
            if chunk.rstrip(_SPACE).endswith(b"}") and wasted < _MAX_WASTED:
                wasted += len(data)
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
    """Return the first value other than null that one of ``paths`` leads to, or None."""
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
    """Return a payload's value as text. A value that is not a string becomes JSON."""
    if value is None or isinstance(value, str):
        return value
    try:
        return dump(value)
    except (TypeError, ValueError, RecursionError):
        return None


def like(name: str, pattern: str) -> bool:
    """Return True if ``name`` matches ``pattern``, in which each ``*`` stands for any text."""
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
