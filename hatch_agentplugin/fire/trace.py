"""The record of a call for whoever has asked for one: ``simulate``, and the pytest fixtures."""

from __future__ import annotations

from traceback import format_exception

from hatch_agentplugin.fire.text import dump_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hatch_agentplugin.fire.answer import Reply
    from hatch_agentplugin.fire.dispatch import Call


def of(error: BaseException) -> str:
    """An exception with its traceback."""
    return "".join(format_exception(None, error, error.__traceback__))


def write(path: str, call: Call, settled: dict[str, Any], reply: Reply) -> None:
    """Append one line of JSON about a call to a file."""
    table = call.table
    record = {
        "plugin": table["plugin"],
        "host": table["host"],
        "event": table["event"],
        "native": table["native"],
        "payload": call.unreadable or "read",
        "hooks": call.ran,
        "said": call.said.wishes(),
        "outcome": settled,
        "degraded": call.notes,
        "reply": reply.out,
        "status": reply.status,
    }
    with open(path, "ab") as file:
        file.write(dump_bytes(record) + b"\n")
