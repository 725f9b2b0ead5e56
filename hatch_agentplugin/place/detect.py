"""Whether a host is on the machine, seen without running anything."""

from __future__ import annotations

import os

from hatch_agentplugin.place.locate import LocateError, Machine, Place, folder
from hatch_agentplugin.plan import HostPlan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from hatch_agentplugin.place.ledger import Ledger


def presence(host: HostPlan, machine: Machine, ours: Collection[str] = ()) -> str | None:
    """What shows that the host is there: a program's path or a folder; None when nothing does.

    A folder that holds nothing but what is ``ours`` shows nothing: we have made it for another host.
    """
    import shutil  # late: not needed where hosts are named

    search = machine.variable("PATH") or os.defpath
    for binary in host.binaries:
        if os.path.basename(binary) == binary and binary not in ("", ".", ".."):
            found = shutil.which(binary, path=search)
            if found:
                return found
    for plan in host.dirs:
        try:
            path = folder(plan, machine, Place())
        except LocateError:
            continue
        if os.path.isdir(path) and not (ours and _holds_only(os.path.realpath(path), ours)):
            return path
    return None


def ours(ledger: Ledger) -> frozenset[str]:
    """The folders that we have made and the files that we have placed, links resolved."""
    folders = {os.path.dirname(placed.path) for placed in ledger.entries}
    real = {folder: os.path.realpath(folder) for folder in folders}
    files = {
        os.path.join(real[os.path.dirname(placed.path)], os.path.basename(placed.path))
        for placed in ledger.entries
    }
    return frozenset({*ledger.folders, *files})


def _holds_only(path: str, ours: Collection[str]) -> bool:
    """Whether a path is ours, and so is everything below it."""
    if path not in ours:
        return False
    try:
        names = os.listdir(path)
    except NotADirectoryError:
        return True
    except OSError:
        return False
    return all(_holds_only(os.path.join(path, name), ours) for name in names)
