"""Makes the hosts' own plugin packages of a project, for the hosts' marketplaces.

The packages are data until :func:`write` or :func:`archive` writes them.
"""

from hatch_agentplugin.packages.make_packages import (
    MCPB,
    hosts_with_packages,
    make_packages,
    targets,
)
from hatch_agentplugin.packages.output import (
    EPOCH,
    Files,
    Packages,
    archive,
    foreign_files,
    write,
)

__all__ = [
    "EPOCH",
    "MCPB",
    "Files",
    "Packages",
    "archive",
    "foreign_files",
    "hosts_with_packages",
    "make_packages",
    "targets",
    "write",
]
