"""The record of a call for whoever has asked for one: ``simulate``, and the pytest fixtures."""

from __future__ import annotations

from traceback import format_exception

from hatch_agentplugin.fire.text import dump_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def of(error: BaseException) -> str:
    """An exception with its traceback."""
    return "".join(format_exception(None, error, error.__traceback__))


def write(path: str, record: dict[str, Any]) -> None:
    """Append the record of a call to a file, as one line of JSON."""
    with open(path, "ab") as file:
        file.write(dump_bytes(record) + b"\n")
