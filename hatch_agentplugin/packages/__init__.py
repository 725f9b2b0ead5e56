"""Makes the hosts' own plugin packages of a project: the same hooks, for other marketplaces.

Everything is data until :func:`write` or :func:`archive`.
"""

from hatch_agentplugin.packages.make import MCPB, hosts_with_packages, packages, targets
from hatch_agentplugin.packages.output import (
    EPOCH,
    Files,
    Packages,
    archive,
    strangers,
    write,
)

__all__ = [
    "EPOCH",
    "MCPB",
    "Files",
    "Packages",
    "archive",
    "hosts_with_packages",
    "packages",
    "strangers",
    "targets",
    "write",
]
