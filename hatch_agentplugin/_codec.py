"""Frozen dataclasses to JSON and back: strict, closed, and quick for a ledger of thousands of lines.

What a field declares as ``Any`` is JSON already and passes as it is. A union of dataclasses is told
apart by their field ``op``. A field ``is_`` stands as ``is``.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from hatch_agentplugin._record import MISSING, defaults_of, is_record

T = TypeVar("T")


class Malformed(ValueError):
    """JSON that is not what was declared; the message says where."""

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(f"{where}: {why}" if where else why)
        self.why = why
        self.where = where

    def inside(self, name: str) -> Malformed:
        """Return the same error, seen from one level further out."""
        dot = "." if self.where and not self.where.startswith("[") else ""
        return Malformed(self.why, f"{name}{dot}{self.where}")


def encode(value: Any) -> bytes:
    """Return a dataclass as JSON in one line.

    Pure ASCII, because a path may hold bytes that are no UTF-8.
    """
    return (json.dumps(plain(value), separators=(",", ":")) + "\n").encode("ascii")


def parse(data: bytes) -> Any:
    """Return JSON as Python has it. Raises Malformed."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {error}") from None


def decode(kind: type[T], raw: Any) -> T:
    """Return a dataclass from parsed JSON. Raises Malformed."""
    hashable: Any = kind
    value: T = _decoder(hashable)(raw)
    return value


def plain(value: Any) -> Any:
    """Return a dataclass, or a tuple or table of them, as JSON has it.

    What equals its default is left out, but for ``format`` and ``op``, which say what it is.
    """
    kind: Any = type(value)
    if kind in _SCALARS:
        return value
    if kind is tuple:
        return [plain(one) for one in value]
    if kind is dict:
        return {key: plain(one) for key, one in value.items()}
    if not is_record(value):
        return value
    found, result = value.__dict__, {}
    for name, key, default in _written(kind):
        one = found[name]
        if default is _ALWAYS or one != default:
            result[key] = one if type(one) in _SCALARS else plain(one)
    return result


_SCALARS = frozenset({str, int, bool, float, type(None)})
_ALWAYS = object()

_defaults = functools.cache(defaults_of)


@functools.cache
def _written(kind: Any) -> list[tuple[str, str, Any]]:
    """The fields of a class: attribute, key, and the default that is not written."""
    return [
        (name, name.rstrip("_"), _ALWAYS if name in ("format", "op") else default)
        for name, default in _defaults(kind).items()
    ]


@functools.cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    origin, args = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda raw: raw
    if origin is Literal:
        return functools.partial(_literal, args)
    if origin in (Union, UnionType):
        return _union(args)
    if origin is tuple:
        return functools.partial(_tuple, _decoder(args[0]))
    if origin is dict:
        return functools.partial(_dict, _decoder(args[0]), _decoder(args[1]))
    if is_record(kind):
        return _class_decoder(kind)
    return functools.partial(_scalar, kind)


def _quick(kind: Any) -> frozenset[type]:
    """The types whose values pass without a further look."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return frozenset().union(*map(_quick, args))
    return frozenset({kind}) & _SCALARS


def _literal(allowed: tuple[Any, ...], raw: Any) -> Any:
    if raw not in allowed:
        raise Malformed(f"{raw!r:.60} is not allowed")
    return raw


def _scalar(kind: type, raw: Any) -> Any:
    if type(raw) is not kind:
        raise Malformed(f"{kind.__name__} is expected, not {raw!r:.60}")
    return raw


def _union(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    if type(None) in kinds:
        (inner,) = (_decoder(one) for one in kinds if one is not type(None))
        return lambda raw: None if raw is None else inner(raw)
    by_op = {kind.op: _decoder(kind) for kind in kinds}

    def tagged(raw: Any) -> Any:
        op = _scalar(dict, raw).get("op")
        if not isinstance(op, str) or op not in by_op:
            raise Malformed(f"{op!r:.60} is not one of {', '.join(by_op)}", "op")
        return by_op[op](raw)

    return tagged


def _tuple(inner: Callable[[Any], Any], raw: Any) -> tuple[Any, ...]:
    _scalar(list, raw)
    try:
        return tuple([inner(one) for one in raw])
    except Malformed:
        return tuple(_at(f"[{n}]", inner, one) for n, one in enumerate(raw))


def _dict(name: Callable[[Any], Any], inner: Callable[[Any], Any], raw: Any) -> dict[str, Any]:
    return {_at(key, name, key): _at(key, inner, one) for key, one in _scalar(dict, raw).items()}


def _at(name: str, inner: Callable[[Any], Any], raw: Any) -> Any:
    try:
        return inner(raw)
    except Malformed as error:
        raise error.inside(name) from None


def _class_decoder(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    inner = {
        name.rstrip("_"): (name, _quick(hint), hint is Any, _decoder(hint))
        for name, hint in hints.items()
    }
    needed = {name.rstrip("_") for name, default in _defaults(kind).items() if default is MISSING}

    def decode_class(raw: Any) -> Any:
        found = _scalar(dict, raw)
        for key in sorted(found.keys() - inner.keys()):
            raise Malformed("unknown key", key)
        for key in sorted(needed - found.keys()):
            raise Malformed("missing", key)
        values = {}
        for key, one in found.items():
            name, quick, passes, read = inner[key]
            values[name] = one if passes or type(one) in quick else _at(key, read, one)
        return kind(**values)

    return decode_class
