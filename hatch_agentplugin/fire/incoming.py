"""Read the host's payload, and map it to an event by the fire table's ``fields``."""

# ruff: noqa: SIM105  (importing contextlib costs too much here)

from __future__ import annotations

import sys
from time import monotonic

from hatch_agentplugin.fire.api import Event
from hatch_agentplugin.fire.process import Deadline, system
from hatch_agentplugin.fire.text import (
    MAX_INPUT,
    Unreadable,
    as_text,
    first,
    like,
    parse,
    read_payload,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Attribute of an event that is always text -> its name in the table's ``fields``.
_TEXTS = (
    ("session_id", "session"),
    ("cwd", "cwd"),
    ("tool", "tool"),
    ("prompt", "prompt"),
    ("reason", "reason"),
    ("error", "error"),
    ("agent", "agent"),
    ("message", "message"),
    ("call_id", "call_id"),
    ("transcript", "transcript"),
)


def read(until: float) -> dict[str, Any]:
    """Return the payload on standard input, or raise Unreadable at the monotonic time ``until``."""
    if sys.platform == "win32":
        return _read_windows(until)
    try:
        try:
            Deadline.start(until - monotonic(), lambda: None, TimeoutError)
            return read_payload(0, until)
        finally:
            Deadline.stop()
    except TimeoutError:
        raise Unreadable("nothing in time") from None


def _read_windows(until: float) -> dict[str, Any]:  # pragma: no cover
    """No signal interrupts a read there, so a thread reads. At the deadline it is left behind."""
    import _thread

    done: list[dict[str, Any] | Unreadable] = []
    lock = _thread.allocate_lock()

    def work() -> None:
        try:
            done.append(read_payload(0, until))
        except Unreadable as error:
            done.append(error)
        lock.release()

    lock.acquire()
    _thread.start_new_thread(work, ())
    lock.acquire(timeout=max(0.0, until - monotonic()))
    result = done[0] if done else Unreadable("nothing in time")
    if isinstance(result, Unreadable):
        raise result
    return result


def from_environment(variables: dict[str, str]) -> dict[str, Any]:
    """Return the payload of a host that puts it into environment variables.

    ``variables`` maps payload keys to variables; ``@NAME`` is a variable that names a file.
    """
    payload: dict[str, Any] = {}
    for key, name in variables.items():
        value = environment(name.lstrip("@"))
        if value is None:
            continue
        payload[key] = value
        if name.startswith("@"):
            try:
                with open(value, "rb") as file:
                    text = file.read(MAX_INPUT).decode("utf-8", "replace")
            except OSError:
                del payload[key]
                continue
            try:
                payload[key] = parse(text)
            except ValueError:
                payload[key] = text
    return payload


def fires(payload: dict[str, Any], table: dict[str, Any]) -> bool:
    """Return True if the payload passes the slot's ``only`` and ``not_when``."""
    for path, values in table.get("only") or ():
        if first(payload, [path]) not in values:
            return False
    unwanted = table.get("not_when") or ()
    return all(first(payload, [path]) not in values for path, values in unwanted)


def is_from(payload: dict[str, Any], signatures: list[dict[str, Any]]) -> bool:
    """Return True if the payload or the environment has one of a host's signatures."""
    for signature in signatures:
        if "env" in signature:
            if environment(signature["env"]) is not None:
                return True
        elif first(payload, [signature["field"]]) is not None:
            return True
    return False


def event_of(payload: dict[str, Any], table: dict[str, Any], root: str, data: str) -> Event:
    """Return the payload as an event. ``root`` and ``data`` are the plugin's folders."""
    fields = table.get("fields") or {}
    event = Event(
        host=table["host"],
        event=table["event"],
        native=table["native"],
        input=first(payload, fields.get("input", ())),
        output=first(payload, fields.get("output", ())),
        stop_active=first(payload, fields.get("stop_active", ())),
        raw=payload,
        root=root,
        data=data,
    )
    for name, field in _TEXTS:
        if field in fields:
            setattr(event, name, as_text(first(payload, fields[field])))
    if table.get("input_is_text") and isinstance(event.input, str):
        try:
            event.input = parse(event.input)
        except ValueError:
            pass  # the handler gets the text unchanged
    if event.tool is not None:
        event.selector = selector_of(event.tool, table.get("tools") or [])
    return event


def selector_of(tool: str, tools: list[list[str]]) -> str | None:
    """Return the selector of a native tool name. The first matching pattern wins."""
    for pattern, selector in tools:
        if like(tool, pattern):
            return selector
    return None


def environment(name: str) -> str | None:
    """Return an environment variable, or None. Does without importing ``os``."""
    environ: Any = system.environ
    if sys.platform == "win32":
        found: str | None = environ.get(name)
        return found
    value: bytes | None = environ.get(name.encode())
    return None if value is None else value.decode("utf-8", "surrogateescape")
