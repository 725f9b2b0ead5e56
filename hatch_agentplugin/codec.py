"""Converts frozen dataclasses to JSON and back, strictly: unknown keys are errors.

A field declared as ``Any`` is already JSON and passes unchanged. The field ``op`` tells the members
of a union of dataclasses apart. A field named ``is_`` is written as ``is``. Standard library only.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_SCALARS = (str, int, bool, float, type(None))
#: Written even if they equal their default, because they say what the document is.
_ALWAYS_WRITTEN = ("format", "op")


class Malformed(ValueError):
    """JSON that does not fit the declared type.

    ``why`` says what is wrong; ``where`` is the dotted path of the key.
    """

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(f"{where}: {why}" if where else why)
        self.why = why
        self.where = where

    def inside(self, name: str) -> Malformed:
        """Return the error with the path extended by the container's key."""
        dot = "." if self.where and not self.where.startswith("[") else ""
        return Malformed(self.why, f"{name}{dot}{self.where}")


def encode(value: Any) -> bytes:
    """Return a dataclass as one line of JSON.

    The output is ASCII, because a path may contain bytes that are not UTF-8.
    """
    return (json.dumps(plain(value), separators=(",", ":")) + "\n").encode("ascii")


def parse(data: bytes) -> Any:
    """Parse JSON. Raises Malformed."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not valid JSON: {error}") from None


def plain(value: Any) -> Any:
    """Return a dataclass, or a tuple or dict of dataclasses, as JSON values.

    Fields that equal their default are left out, except ``format`` and ``op``.
    """
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if not dataclasses.is_dataclass(value):
        return value
    result = {}
    kind: Any = type(value)
    for field in _fields(kind):
        found = getattr(value, field.name)
        if field.is_required or field.key in _ALWAYS_WRITTEN or found != field.default():
            result[field.key] = plain(found)
    return result


def decode(kind: type[T], raw: Any) -> T:
    """Return a dataclass from parsed JSON. Raises Malformed."""
    hashable: Any = kind
    value: T = _decoder(hashable)(raw)
    return value


@dataclasses.dataclass(frozen=True)
class _Field:
    name: str
    key: str
    """The name in JSON."""
    hint: Any
    is_required: bool
    default: Callable[[], Any]


@functools.cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    return tuple(_field(field, hints[field.name]) for field in dataclasses.fields(kind))


def _field(field: dataclasses.Field[Any], hint: Any) -> _Field:
    make = field.default_factory
    if make is dataclasses.MISSING:
        required, default = field.default is dataclasses.MISSING, lambda: field.default
    else:
        required, default = False, make
    return _Field(field.name, field.name.rstrip("_"), hint, required, default)


@functools.cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda raw: raw
    if origin is Literal:
        return functools.partial(_literal, arguments)
    if origin in (Union, UnionType):
        return _union(arguments)
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind)
    if kind in _SCALARS:
        return functools.partial(_scalar, kind)
    if origin is tuple and arguments[1:] == (...,):
        return _tuple(_decoder(arguments[0]))
    if origin is dict:
        return _dict(_decoder(arguments[0]), _decoder(arguments[1]))
    raise TypeError(f"{kind!r} cannot be decoded")


def _literal(allowed: tuple[Any, ...], raw: Any) -> Any:
    for one in allowed:
        if type(raw) is type(one) and raw == one:
            return one
    raise Malformed(f"{raw!r:.60} is not one of {', '.join(map(str, allowed))}")


def _scalar(kind: type, raw: Any) -> Any:
    if type(raw) is kind:
        return raw
    raise Malformed(f"must be {kind.__name__}, got {raw!r:.60}")


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


def _tuple(inner: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def items(raw: list[Any]) -> Iterator[Any]:
        for number, one in enumerate(raw):
            try:
                yield inner(one)
            except Malformed as error:
                raise error.inside(f"[{number}]") from None

    return lambda raw: tuple(items(_scalar(list, raw)))


def _dict(name: Callable[[Any], Any], inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(raw: Any) -> dict[str, Any]:
        result = {}
        for key, one in _scalar(dict, raw).items():
            try:
                known = name(key)  # the key first, then its value
                result[known] = inner(one)
            except Malformed as error:
                raise error.inside(key) from None
        return result

    return read


def _dataclass(kind: Any) -> Callable[[Any], Any]:
    fields = {field.key: (field.name, _decoder(field.hint)) for field in _fields(kind)}
    required = {field.key for field in _fields(kind) if field.is_required}

    def read(raw: Any) -> Any:
        keys = _scalar(dict, raw).keys()
        if unknown := keys - fields.keys():
            raise Malformed("unknown key", min(unknown))
        if missing := required - keys:
            raise Malformed("missing", min(missing))
        values = {}
        for key, one in raw.items():
            name, inner = fields[key]
            try:
                values[name] = inner(one)
            except Malformed as error:
                raise error.inside(key) from None
        return kind(**values)

    return read
