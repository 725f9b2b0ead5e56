"""`suppress` without the import of ``contextlib``, which takes most of a millisecond."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import suppress as suppress

else:

    class suppress:  # noqa: N801
        """Go on after an error of some classes; without any it is a context that does nothing."""

        __slots__ = ("kinds",)

        def __init__(self, *kinds):
            self.kinds = kinds

        def __enter__(self):
            return None

        def __exit__(self, kind, error, trace):
            return kind is not None and issubclass(kind, self.kinds)
