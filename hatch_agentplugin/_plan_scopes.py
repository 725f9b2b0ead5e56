"""Reading some scopes of a plan: the placements of the others are most of it, and cost most of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any, NoReturn


class _Unread:
    """Stands for the placements of a scope that the reader of a plan did not ask for."""

    def _refuse(self, *_: object) -> NoReturn:
        raise LookupError("this plan was read without the placements of this scope")

    # Taken for nothing to place, or written into a plan, they would be lost without a word. Whoever
    # writes one looks for the attributes of a record.
    __iter__ = __bool__ = __len__ = __getitem__ = __getattr__ = _refuse


UNREAD: Any = _Unread()


def leave(raw: Any, scopes: Collection[str]) -> list[tuple[str, Any]]:
    """Empty the other scopes of a plan in JSON; return them with their hosts.

    What is no plan stays as it is, to be refused when it is read.
    """
    left: list[tuple[str, Any]] = []
    hosts = raw.get("hosts") if type(raw) is dict else None
    for host_id, host in hosts.items() if type(hosts) is dict else ():
        found = host.get("scopes") if type(host) is dict else None
        if type(found) is dict:
            others = [scope for scope in found if scope not in scopes]
            found.update({scope: [] for scope in others})
            left += [(host_id, scope) for scope in others]
    return left
