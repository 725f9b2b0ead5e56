"""The guard against turns that never end: how often in a row a session was kept going.

Imported only where a handler keeps a turn going, or a count must be forgotten.
"""

# ruff: noqa: SIM105  (contextlib is more than the hook path can afford)

from __future__ import annotations

from time import time

from hatch_agentplugin.fire.process import system
from hatch_agentplugin.fire.text import as_text, first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Seconds after which the count of a session is worth nothing.
STALE = 24 * 3600


def _path(state: str, host: str, event: str, session: str) -> str:
    plain = "".join(char for char in session if char.isalnum() and char.isascii())[:64]
    digest = 5381
    for char in session[:1000]:
        digest = (digest * 33 ^ ord(char)) & 0xFFFFFFFF
    return f"{state}/rounds/{host}.{event}.{plain}.{digest:x}"


def bound(settled: dict[str, Any], table: dict[str, Any], payload: Any, state: str) -> str:
    """Take the keep-going out of what is settled where there were enough; says why, else empty."""
    fields = table["fields"]
    session = as_text(first(payload, fields.get("session", ()))) or ""
    where = (state, table["host"], table["event"], session)
    if "keep-going" not in settled:
        forget(*where)
        return ""
    told = first(payload, fields.get("stop_active", ()))
    if may_go_on(*where, table["rounds"], told is None or bool(told)):
        return ""
    del settled["keep-going"]
    return f"the turn was kept going {table['rounds']} times in a row"


def forget(state: str, host: str, event: str, session: str) -> None:
    """The session was not kept going: start to count anew."""
    try:
        system.unlink(_path(state, host, event, session))
    except OSError:
        pass


def may_go_on(state: str, host: str, event: str, session: str, limit: int, again: bool) -> bool:
    """Count one more round and say whether it is within ``limit``.

    ``again`` false: the host says that the turn ended by itself, so this is the first round. A
    count that can't be kept (read-only folder) leaves only what the host says.
    """
    path = _path(state, host, event, session)
    count = (_read(path) if again else 0) + 1
    if count > limit:
        forget(state, host, event, session)
        return False
    try:
        _write(state, path, count)
    except OSError:
        return not again
    return True


def _read(path: str) -> int:
    try:
        with open(path, "rb") as file:
            return min(len(file.read(1000)), 1000)
    except OSError:
        return 0


def _write(state: str, path: str, count: int) -> None:
    """One byte per round. Old counts are swept out when a new one begins."""
    if count == 1:
        folder = f"{state}/rounds"
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
