"""Files that the author has made for a host by other means: placed as they are, as files of ours."""

from __future__ import annotations

from hatch_agentplugin.adapter import File, Host, ScopeName
from hatch_agentplugin.compiler.placements import Placed, target
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.plan import OwnFile

#: Scopes that get them: a user's own files, and a project's.
SCOPES: tuple[ScopeName, ...] = ("user", "project")


def has_folder(host: Host) -> bool:
    """Whether a folder of the host's is known to put files into."""
    return host.delivery is not None and any(host.delivery.files.get(scope) for scope in SCOPES)


def prebuilt(declaration: Declaration, host: Host) -> Placed:
    """The placements per scope; the folder is the one that has the host's hooks or settings."""
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
