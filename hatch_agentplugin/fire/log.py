"""The log of failures: one line each, limited in size, never a payload. Imported on failure."""

from __future__ import annotations

import sys
from time import gmtime, strftime

from hatch_agentplugin.fire.process import system
from hatch_agentplugin.fire.text import to_bytes

#: Size in bytes at which the log is moved to ``log.1``, which it overwrites.
LIMIT = 64 * 1024


def write(state: str, host: str, event: str, key: str, kind: str, what: str = "") -> None:
    """Append a line of fields separated by tabs: time, host, event, hook key, kind, details.

    Never raises: a call does not fail because its log can't be written.
    """
    try:
        now = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
        fields = (now, host, event, key, kind, what)
        line = to_bytes("\t".join(_plain(field) for field in fields) + "\n")
        path = f"{state}/log"
        flags = system.O_WRONLY | system.O_CREAT | system.O_APPEND
        log = system.open(path, flags, 0o600)
        try:
            if system.fstat(log).st_size > LIMIT:
                system.close(log)
                system.replace(path, f"{path}.1")
                log = system.open(path, flags, 0o600)
            system.write(log, line)
        finally:
            system.close(log)
    except Exception:
        pass


def describe(error: BaseException) -> str:
    """Return the exception's class and the file and line that raised it.

    Its text is left out, because it may quote the payload.
    """
    where = ""
    trace = error.__traceback__
    while trace is not None:
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__} {where}"


def _plain(text: str) -> str:
    printable = "".join(char if char.isprintable() else "?" for char in text[:300])
    return printable.encode(errors="replace").decode() if sys.platform == "win32" else printable
