"""The turn limit: how often in a row a session is kept going, counted in one file per session.

Imported only if the event can keep a turn going.
"""

# ruff: noqa: SIM105  (importing contextlib costs too much here)

from __future__ import annotations

from time import time

from hatch_agentplugin.fire.process import system
from hatch_agentplugin.fire.text import as_text, first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Seconds after which a session's count is removed.
STALE = 24 * 3600


def enforce(outcomes: dict[str, Any], table: dict[str, Any], payload: Any, state: str) -> str:
    """Remove keep-going from ``outcomes`` at the limit. Return the reason, or an empty string."""
    fields = table["fields"]
    session = as_text(first(payload, fields.get("session", ()))) or ""
    path = _path(state, table["host"], table["event"], session)
    if "keep-going" not in outcomes:
        _forget(path)
        return ""
    stop_active = first(payload, fields.get("stop_active", ()))
    continued = stop_active is None or bool(stop_active)
    if _count(state, path, table["turn_limit"], continued):
        return ""
    del outcomes["keep-going"]
    return f"the turn was kept going {table['turn_limit']} times in a row"


def _path(state: str, host: str, event: str, session: str) -> str:
    plain = "".join(char for char in session if char.isalnum() and char.isascii())[:64]
    digest = 5381
    for char in session[:1000]:
        digest = (digest * 33 ^ ord(char)) & 0xFFFFFFFF
    return f"{state}/turns/{host}.{event}.{plain}.{digest:x}"


def _forget(path: str) -> None:
    try:
        system.unlink(path)
    except OSError:
        pass


def _count(state: str, path: str, limit: int, continued: bool) -> bool:
    """Count one more turn. Return True if it is within ``limit``.

    If not ``continued``, the host has said that the previous turn ended by itself, so the count
    starts again. Without a writable folder only such a turn is within the limit.
    """
    count = (_read(path) if continued else 0) + 1
    if count > limit:
        _forget(path)
        return False
    try:
        _write(state, path, count)
    except OSError:
        return not continued
    return True


def _read(path: str) -> int:
    try:
        with open(path, "rb") as file:
            return min(len(file.read(1000)), 1000)
    except OSError:
        return 0


def _write(state: str, path: str, count: int) -> None:
    """Write one byte per turn. The first turn of a session also removes stale counts."""
    if count == 1:
        folder = f"{state}/turns"
        try:
            system.mkdir(folder, 0o700)
        except FileExistsError:
            for name in system.listdir(folder):
                if system.stat(f"{folder}/{name}").st_mtime < time() - STALE:
                    system.unlink(f"{folder}/{name}")
    file = system.open(path, system.O_WRONLY | system.O_CREAT | system.O_TRUNC, 0o600)
    try:
        system.write(file, b"." * count)
    finally:
        system.close(file)
