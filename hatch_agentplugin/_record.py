"""Data classes that cost next to nothing to define, for what ``agent-plugin`` imports at each start.

``dataclasses`` imports ``inspect`` and compiles source for every class: for the fifty small classes
of placing that is a third of a run. Here nothing is compiled: the methods of a class are functions
that know its fields. A type checker sees the standard library's decorator, and ``fields``,
``replace`` and ``asdict`` of ``dataclasses`` find what they need the first time they ask.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import MISSING as MISSING
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Any

    def defaults_of(kind: Any) -> dict[str, Any]:
        """Return the fields of a class of data with their defaults, `MISSING` where none is."""

    def is_record(value: Any) -> bool:
        """Whether a value is one of data."""

    def made(kind: Any, named: dict[str, Any]) -> Any:
        """Return a record of a class; that it has these fields and needs no others is known."""

else:
    from operator import itemgetter

    MISSING = object()

    class _Field:
        """A field whose default is made anew for each instance, or that is not compared."""

        __slots__ = ("compare", "default", "make")

        def __init__(self, default, make, compare):
            self.default = default
            self.make = make
            self.compare = compare

    def field(*, default=MISSING, default_factory=None, compare=True):
        """Return the mark of a field that needs more than a plain default."""
        return _Field(default, default_factory, compare)

    def dataclass(cls=None, /, *, frozen=False, kw_only=False):
        """Make a class one of data, as `dataclasses.dataclass` does.

        Only what is used here: no slots, no order, no class of data below another.
        """
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, kw_only=kw_only)
        plain = {}
        makers = {}
        silent = set()
        for name in cls.__annotations__:
            default = cls.__dict__.get(name, MISSING)
            if isinstance(default, _Field):
                mark, default = default, default.default
                if mark.make is not None:
                    makers[name] = mark.make
                if not mark.compare:
                    silent.add(name)
                if default is MISSING:
                    delattr(cls, name)
                else:
                    setattr(cls, name, default)
            plain[name] = default
        names = tuple(plain)
        defaults = {name: value for name, value in plain.items() if value is not MISSING}
        cls._record_plain = plain
        cls._record_defaults = defaults
        cls._record_makers = makers
        cls.__dataclass_fields__ = _Fields(kw_only)
        cls.__init__ = _constructor(cls.__name__, plain, defaults, makers, kw_only)
        compared = tuple([name for name in names if name not in silent])
        cls.__eq__ = _equal_in(compared) if silent else _equal
        cls.__hash__ = _hash_of(compared) if frozen else None
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = _represent
        if frozen:
            cls.__setattr__ = _refuse
            cls.__delattr__ = _refuse
        return cls

    def replace(record, /, **changes):
        """Return a copy with some fields changed. Raises TypeError for an unknown one."""
        cls = type(record)
        if not cls._record_plain.keys() >= changes.keys():
            raise TypeError(f"{cls.__name__} has no {changes.keys() - cls._record_plain.keys()}")
        new = object.__new__(cls)
        new.__dict__.update(record.__dict__)
        new.__dict__.update(changes)
        return new

    def _constructor(title, every, defaults, makers, kw_only):
        names, known = tuple(every), every.keys()
        count = len(names)
        most = 0 if kw_only else count
        needed = [name for name in names if name not in defaults]
        # Fails for a missing one, in a third of the time that a comparison of names takes.
        find = itemgetter(*needed) if needed else len

        def __init__(self, /, *values, **named):  # noqa: N807
            mine = self.__dict__
            if len(values) < count:
                mine.update(defaults)
            if values:
                if len(values) > most:
                    raise TypeError(f"{title} takes fewer values by position")
                mine.update(zip(names, values))  # noqa: B905
                for name in names[: len(values)] if named else ():
                    if name in named:
                        raise TypeError(f"{title} got {name} twice")
            mine.update(named)
            if len(mine) == count:
                try:
                    find(mine)
                    return
                except KeyError:
                    pass
            _make(mine, makers)
            if mine.keys() != known:
                wrong = ", ".join(sorted(mine.keys() ^ known))
                raise TypeError(f"{title}: missing or unknown: {wrong}")

        return __init__

    def made(kind, named):
        record = object.__new__(kind)
        mine = record.__dict__
        mine.update(kind._record_defaults)
        mine.update(named)
        if kind._record_makers:
            _make(mine, kind._record_makers)
        return record

    def _make(mine, makers):
        for name in makers.keys() - mine.keys():
            mine[name] = makers[name]()

    def _equal(self, other):
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self is other or self.__dict__ == other.__dict__

    def _equal_in(names):
        def __eq__(self, other):  # noqa: N807
            if other.__class__ is not self.__class__:
                return NotImplemented
            mine, theirs = self.__dict__, other.__dict__
            return all(mine[name] == theirs[name] for name in names)

        return __eq__

    def _hash_of(names):
        def __hash__(self):  # noqa: N807
            mine = self.__dict__
            return hash(tuple([mine[name] for name in names]))

        return __hash__

    def _represent(self):
        mine = self.__dict__
        inner = ", ".join([f"{name}={mine[name]!r}" for name in self._record_plain])
        return f"{type(self).__qualname__}({inner})"

    def _refuse(self, name, *value):
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    class _Fields:
        """``__dataclass_fields__``, made when somebody asks for it."""

        def __init__(self, kw_only):
            self.kw_only = kw_only

        def __get__(self, record, cls=None):
            import dataclasses

            made = {}
            for name, default in cls._record_plain.items():
                if name in cls._record_makers:
                    given = {"default_factory": cls._record_makers[name]}
                else:
                    given = {} if default is MISSING else {"default": default}
                one = dataclasses.field(**given, kw_only=self.kw_only)
                one.name, one._field_type = name, dataclasses._FIELD
                one.type = cls.__annotations__[name]
                made[name] = one
            cls.__dataclass_fields__ = made
            return made

    def defaults_of(kind):
        made = {name: make() for name, make in kind._record_makers.items()}
        return {**kind._record_plain, **made}

    def is_record(value):
        return hasattr(value, "_record_plain")
