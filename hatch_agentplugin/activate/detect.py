"""Detects the hosts on this machine without running them."""

from __future__ import annotations

import os

from hatch_agentplugin.activate.locate import LocateError, Machine, Place, folder
from hatch_agentplugin.plan import HostPlan
from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.ledger import Ledger


def presence(
    host: HostPlan, machine: Machine, ours: Ours | None = None, id: str = ""
) -> str | None:
    """Return the program or folder by which a host is detected; None if it is not installed.

    With `ours`, a folder that only holds what we placed for other hosts than `id` does not count.
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
    """The files and folders that are ours, as the ledger knows them."""

    def __init__(self, ledger: Ledger) -> None:
        self._folders = frozenset(ledger.folders)
        self._files: dict[str, tuple[str, set[str]]] = {}
        """Real path -> digest, and the hosts that the file is placed for."""
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
        """Return whether a folder counts as an installed host.

        It does if somebody else made it or changed something in it, or if it holds what is placed
        for this host.
        """
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
