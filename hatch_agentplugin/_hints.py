"""Names of `typing` without its import, which costs as much as ten modules of ours.

A type checker sees the real ones. At run time these two serve the classes that `_codec` reads, and
whatever else is imported in a common run and names them. In this `Literal` `allowed_by` alone finds
the values: to `typing.get_args` it is empty.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Any
    from typing import Literal as Literal

    def allowed_by(kind: Any) -> tuple[Any, ...] | None:
        """Return the values of a `Literal`, None for anything else."""

else:

    class Any:
        """What is JSON already."""

    class Literal:
        """One of some values."""

        __slots__ = ("allowed",)

        def __init__(self, allowed):
            self.allowed = allowed

        def __class_getitem__(cls, allowed):
            return cls(allowed if type(allowed) is tuple else (allowed,))

    def allowed_by(kind):
        return kind.allowed if isinstance(kind, Literal) else None
