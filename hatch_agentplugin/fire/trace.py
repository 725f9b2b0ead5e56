"""The trace of a call, for ``simulate`` and the pytest fixtures. Imported only if asked for."""

from __future__ import annotations

from traceback import format_exception

from hatch_agentplugin.fire.text import dump_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def of(error: BaseException) -> str:
    """Return an exception with its traceback as text."""
    return "".join(format_exception(None, error, error.__traceback__))


def write(path: str, record: dict[str, Any]) -> None:
    """Append the record of a call to a file as one line of JSON."""
    with open(path, "ab") as file:
        file.write(dump_bytes(record) + b"\n")
