"""Frozen dataclasses to JSON and back: strict, closed, and quick for a ledger of thousands of lines.

What a field declares as ``Any`` is JSON already and passes as it is. A union of dataclasses is told
apart by their field ``op``. A field ``is_`` stands as ``is``. Annotations are those of `_hints`, and
real: a module whose classes are read here goes without ``from __future__ import annotations``.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from operator import itemgetter
from types import UnionType

from hatch_agentplugin._hints import Any, allowed_by
from hatch_agentplugin._record import MISSING, defaults_of, is_record, made

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

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


_SCALARS: frozenset[type] = frozenset({str, int, bool, float, type(None)})
_JSON = _SCALARS.union((list, dict))
_ALWAYS = object()

_defaults = functools.cache(defaults_of)


# --- writing ---


def plain(value: Any) -> Any:
    """Return a dataclass, or a tuple or table of them, as what `json` can write.

    What equals its default is left out, but for ``format`` and ``op``, which say what it is.
    """
    kind: Any = type(value)
    if kind is tuple:
        return [plain(one) for one in value]
    if kind is dict:
        return {key: plain(one) for key, one in value.items()}
    if not is_record(value):
        return value
    found, result = value.__dict__, {}
    for name, key, default, as_it_is in _written(kind):
        one = found[name]
        if default is _ALWAYS or one != default:
            result[key] = one if as_it_is or one is None else plain(one)
    return result


@functools.cache
def _written(kind: Any) -> list[tuple[str, str, Any, bool]]:
    """The fields of a class: attribute, key, the default that is not written, and whether a value
    is written as it is."""
    return [
        (
            name,
            name.rstrip("_"),
            _ALWAYS if default is MISSING or name in ("format", "op") else default,
            not _holds_data(kind.__annotations__[name]),
        )
        for name, default in _defaults(kind).items()
    ]


def _holds_data(kind: Any) -> bool:
    """Whether there is a dataclass somewhere in a type."""
    return is_record(kind) or any(map(_holds_data, getattr(kind, "__args__", ())))


# --- reading ---


@functools.cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    if kind is Any:
        return _as_it_is
    if (allowed := allowed_by(kind)) is not None:
        return functools.partial(_literal, allowed)
    if isinstance(kind, UnionType):
        return _union(kind.__args__)
    if is_record(kind):
        return _class(kind)
    if kind in _SCALARS:
        return functools.partial(_scalar, kind)
    origin = getattr(kind, "__origin__", None)
    if origin is tuple:
        return _tuple(kind.__args__[0])
    if origin is dict:
        return _dict(*kind.__args__)
    raise TypeError(f"{kind!r} is no type that can be read")


def _quick(kind: Any) -> frozenset[type]:
    """The types whose values pass without a further look."""
    if kind is Any:
        return _JSON
    if isinstance(kind, UnionType):
        return frozenset().union(*map(_quick, kind.__args__))
    return frozenset({kind}) & _SCALARS


def _as_it_is(raw: Any) -> Any:
    return raw


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


def _tuple(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    inner, quick = _decoder(kind), _quick(kind)

    def read(raw: Any) -> tuple[Any, ...]:
        _scalar(list, raw)
        if quick and quick.issuperset(map(type, raw)):
            return tuple(raw)
        result: list[Any] = []
        try:
            for one in raw:
                result.append(inner(one))
        except Malformed as error:
            raise error.inside(f"[{len(result)}]") from None
        return tuple(result)

    return read


def _dict(names: Any, kind: Any) -> Callable[[Any], dict[str, Any]]:
    name, inner = _decoder(names), _decoder(kind)

    def read(raw: Any) -> dict[str, Any]:
        _scalar(dict, raw)
        if names is str and inner is _as_it_is:
            return dict(raw)
        result = {}
        key = ""
        try:
            for key, one in raw.items():
                known = name(key)  # Whether there may be such a key is said before what is in it.
                result[known] = inner(one)
        except Malformed as error:
            raise error.inside(key) from None
        return result

    return read


def _class(kind: Any) -> Callable[[Any], Any]:
    fields = {
        name.rstrip("_"): (name, _quick(hint), _decoder(hint))
        for name, hint in kind.__annotations__.items()
    }
    needed = {name.rstrip("_") for name, default in _defaults(kind).items() if default is MISSING}
    find: Callable[[Any], Any] = itemgetter(*needed) if needed else len

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            _scalar(dict, raw)
        values = {}
        key = ""
        try:
            find(raw)
            for key, one in raw.items():
                name, quick, inner = fields[key]
                values[name] = one if type(one) in quick else inner(one)
        except (KeyError, Malformed) as error:
            raise _told(error, key, raw.keys() - fields.keys(), needed - raw.keys()) from None
        return made(kind, values)

    return read


def _told(error: Exception, key: str, unknown: set[str], missing: set[str]) -> Exception:
    """What is there too much or not at all goes before what is wrong in a value."""
    if unknown:
        return Malformed("unknown key", min(unknown))
    if missing:
        return Malformed("missing", min(missing))
    return error.inside(key) if isinstance(error, Malformed) else error
