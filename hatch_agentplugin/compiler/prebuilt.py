"""Placements of files that the author has made for a host with other tools."""

from __future__ import annotations

from hatch_agentplugin.adapter import File, Host
from hatch_agentplugin.compiler.hook_placements import Placements, target
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.plan import OwnFile
from hatch_agentplugin.words import ScopeName

#: Scopes in which the files are placed.
SCOPES: tuple[ScopeName, ...] = ("user", "project")


def has_folder(host: Host) -> bool:
    """Tell whether the host has a known folder for its hooks or settings."""
    return host.delivery is not None and any(host.delivery.files.get(scope) for scope in SCOPES)


def prebuilt_placements(declaration: Declaration, host: Host) -> Placements:
    """Return the placements per scope, below the folder of the host's hooks or settings."""
    rows = declaration.prebuilt.get(host.id, {})
    if not rows or host.delivery is None:
        return {}
    return {
        scope: tuple(
            OwnFile(
                (),
                (target(File(files[0].dir, path), declaration.plugin.id, ""),),
                artifact=source,
                executable=source in declaration.executables,
            )
            for path, source in rows.items()
        )
        for scope in SCOPES
        if (files := host.delivery.files.get(scope))
    }
