"""Makes the Agent Plugins root of a bundle: the files for clients that read the format.

The bundle contains ``skills/`` anyway. Pure; standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hatch_agentplugin.agent_plugins import hooks, manifest, mcp
from hatch_agentplugin.agent_plugins.manifest import About
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.problems import Problem


@dataclass(frozen=True)
class Root:
    """The files of a root, and messages for the author."""

    files: Mapping[str, bytes]
    notes: tuple[str, ...] = ()
    """A line for everything that the format cannot express."""
    problems: tuple[Problem, ...] = ()
    """Everything that the format forbids."""


def portable_root(declaration: Declaration, about: About) -> Root:
    """Return ``plugin.json``, and ``mcp.json`` and ``hooks.json`` if they have content."""
    servers, left_out, problems = mcp.write(declaration.mcp)
    commands, not_portable = hooks.write(declaration.hooks)
    files = {
        manifest.FILE: manifest.write(declaration.plugin, about),
        mcp.FILE: servers,
        hooks.FILE: commands,
    }
    return Root(
        {name: data for name, data in files.items() if data is not None},
        (*not_portable, *left_out),
        tuple(problems),
    )
