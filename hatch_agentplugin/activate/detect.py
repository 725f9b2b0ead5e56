"""Whether a host is on the machine, seen without running anything."""

from __future__ import annotations

import os

from hatch_agentplugin.activate.locate import LocateError, Machine, Place, folder
from hatch_agentplugin.plan import HostPlan
from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.ledger import Ledger


def presence(
    host: HostPlan, machine: Machine, ours: Ours | None = None, id: str = ""
) -> str | None:
    """What shows that the host is there: a program's path or a folder; None when nothing does.

    By ``ours`` a folder that we have made for other hosts than ``id`` shows nothing.
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
        if os.path.isdir(path) and (ours is None or ours.shows(path, id)):
            return path
    return None


class Ours:
    """What we have made and placed, as the ledger knows it."""

    def __init__(self, ledger: Ledger) -> None:
        self._folders = frozenset(ledger.folders)
        self._files: dict[str, tuple[str, set[str]]] = {}
        """Files by their real path: digest, and the hosts that they are placed for."""
        real: dict[str, str] = {}
        for placed in ledger.entries:
            folder, name = os.path.split(placed.path)
            if folder not in real:
                real[folder] = os.path.realpath(folder)
            row = ledger.files.get(placed.path)
            found = self._files.setdefault(
                os.path.join(real[folder], name), ("" if row is None else row.sha256, set())
            )
            found[1].add(placed.host)

    def shows(self, path: str, host: str) -> bool:
        """Whether a folder shows a host: somebody else has made it, or has put or written something
        into it, or it holds something that is placed for the host."""
        return self._shows(os.path.realpath(path), host)

    def _shows(self, path: str, host: str) -> bool:
        try:
            if path in self._folders:
                names = os.listdir(path)
                return any(self._shows(os.path.join(path, name), host) for name in names)
            if path not in self._files:
                return True
            digest, hosts = self._files[path]
            return host in hosts or files.sha256_of(path) != digest
        except OSError:
            return True
