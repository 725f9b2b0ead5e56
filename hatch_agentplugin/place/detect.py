"""Whether a host is on the machine, seen without running anything."""

from __future__ import annotations

import os

from hatch_agentplugin.place.locate import LocateError, Machine, Place, folder
from hatch_agentplugin.plan import HostPlan


def presence(host: HostPlan, machine: Machine) -> str | None:
    """What shows that the host is there: a program's path or a folder; None when nothing does."""
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
        if os.path.isdir(path):
            return path
    return None
