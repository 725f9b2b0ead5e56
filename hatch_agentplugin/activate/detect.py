"""Detects hosts on this machine, and plugins that are installed as host packages. Runs nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import LocateError, Machine, Scope, folder, locate
from hatch_agentplugin.activate.result import Refused
from hatch_agentplugin.edit import Json, Missing
from hatch_agentplugin.hosts.delivery import Seen
from hatch_agentplugin.plan import HostPlan
from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.problem import FileProblem


def presence(
    host: HostPlan, machine: Machine, ours: Ours | None = None, id: str = ""
) -> str | None:
    """Return the program or folder by which a host is detected; None if it is not installed.

    With `ours`, a folder that only holds what we placed for other hosts than `id` does not count.
    """
    search = machine.variable("PATH") or os.defpath
    for binary in host.binaries:
        if os.path.basename(binary) == binary and binary not in ("", ".", ".."):
            found = shutil.which(binary, path=search)
            if found:
                return found
    for plan in host.dirs:
        try:
            path = folder(plan, machine, Scope())
        except LocateError:
            continue
        if os.path.isdir(path) and (ours is None or ours.shows(path, id)):
            return path
    return None


class Ours:
    """Our files and folders, according to the ledger."""

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


#: Returns the value at a path in a document; MISSING if either does not exist.
Get: TypeAlias = Callable[[Path, str, Sequence[str]], "Json | Missing"]


def package_seen(plan: HostPlan, plugin: str, context: Context, get: Get) -> str | None:
    """Return where the host records the plugin as a package, or None if it does not.

    A package that is switched off does not count, nor does a record that cannot be read.
    """
    for seen in plan.packages:
        try:
            path = locate(seen.file, context.machine, Scope("user"))
        except LocateError:
            continue
        if not seen.at:
            if found := _existing(path, seen.inside):
                return found
        elif key := _key(seen, plugin, path, get):
            return f'"{key}" in {path}'
    return None


def _key(seen: Seen, plugin: str, path: Path, get: Get) -> str | None:
    try:
        table = get(path, seen.format, seen.at)
    except (FileProblem, Refused):
        return None
    for item in table if isinstance(table, list) else ():
        if isinstance(item, str) and _package_name(item) == plugin:
            return item
        named = isinstance(item, Mapping) and plugin in (item.get("id"), item.get("name"))
        if named and not _is_off(item):
            return plugin
    for key, value in table.items() if isinstance(table, Mapping) else ():
        if key.partition("@")[0] == plugin and not _is_off(value):
            return str(key)
    return None


def _existing(path: Path, inside: str) -> str | None:
    """Return a path that exists, or one `inside` some folder of it."""
    if not inside:
        return str(path) if os.path.lexists(path) else None
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return None
    paths = (os.path.join(path, name, inside) for name in names)
    return next((path for path in paths if os.path.lexists(path)), None)


def _package_name(source: str) -> str:
    """Return the name in a source: ``npm:NAME@1.0``, ``../folder/NAME``, ``file://...``."""
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2]
    return name.partition("@")[0]


def _is_off(value: Any) -> bool:
    return value is False or (isinstance(value, Mapping) and value.get("enabled") is False)
