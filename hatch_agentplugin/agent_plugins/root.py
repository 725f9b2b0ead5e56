"""The Agent Plugins root of a bundle: what lies beside the plan for clients that read the format.

``skills/`` is there already, as the declaration's own files. Pure; standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hatch_agentplugin.agent_plugins import hooks, manifest
from hatch_agentplugin.agent_plugins.manifest import About
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.problems import Problem


@dataclass(frozen=True)
class Root:
    """The files of a root, and what to tell the author."""

    files: Mapping[str, bytes]
    notes: tuple[str, ...] = ()
    """A line for everything declared that the format has no place for."""
    problems: tuple[Problem, ...] = ()
    """What the format forbids."""


def portable_root(declaration: Declaration, about: About) -> Root:
    """``plugin.json``, and ``mcp.json`` and ``hooks.json`` where there is something for them."""
    servers, left_out, problems = manifest.mcp_json(declaration.mcp)
    commands, not_portable = hooks.write(declaration.hooks)
    files = {
        "plugin.json": manifest.plugin_json(declaration.plugin, about),
        "mcp.json": servers,
        hooks.FILE: commands,
    }
    return Root(
        {name: data for name, data in files.items() if data is not None},
        (*not_portable, *left_out),
        tuple(problems),
    )
