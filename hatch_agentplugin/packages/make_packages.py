"""Makes all packages of a project, one target after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hatch_agentplugin import config
from hatch_agentplugin.adapter import Host
from hatch_agentplugin.build import Project, build
from hatch_agentplugin.declaration import RunnerName
from hatch_agentplugin.packages import agent_plugins_folder, mcpb
from hatch_agentplugin.packages.host_package import PackageBuilder
from hatch_agentplugin.packages.output import Files, Packages
from hatch_agentplugin.packages.runner import Runner
from hatch_agentplugin.plan import Plan

#: The target for MCPB files, which several clients accept.
MCPB = "mcpb"


def hosts_with_packages(hosts: Mapping[str, Host]) -> list[str]:
    """Return the ids of the hosts that have a package."""
    return [name for name, host in hosts.items() if host.package is not None]


def targets(hosts: Mapping[str, Host]) -> list[str]:
    """Return the name of everything that :func:`make_packages` can make."""
    return [agent_plugins_folder.NAME, *hosts_with_packages(hosts), MCPB]


def make_packages(
    project: Project,
    hosts: Mapping[str, Host],
    names: Sequence[str] | None,
    scratch: Path,
    runner: RunnerName | None = None,
) -> Packages:
    """Make the packages for these targets; None: for all.

    ``scratch`` is an empty folder for the build; ``runner`` overrides the project's. Raises
    ConfigError if the declaration is wrong, or if MCPB is named and no MCPB file can be made.
    """
    built = build(project, hosts, scratch)
    declaration = config.load(project.root, hosts, project.plugin, project.sources)
    stored = {
        name: (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for name, path in built.files.items()
    }
    chosen = Runner(project, replace(declaration, runner=runner or declaration.runner), stored)
    files: Files = {}
    notes: list[str] = []
    for name in targets(hosts) if names is None else names:
        if name == MCPB:
            made, said = mcpb.files(chosen, is_required=names is not None)
        elif name == agent_plugins_folder.NAME:
            made, said = agent_plugins_folder.files(chosen)
        else:
            made, said = _host_package(name, hosts, chosen, built.plan)
        files |= {f"{name}/{path}": content for path, content in made.items()}
        notes += [f"{name}: {note}" for note in said]
    return Packages(dict(sorted(files.items())), tuple(notes))


def _host_package(
    name: str, hosts: Mapping[str, Host], runner: Runner, plan: Plan
) -> tuple[Files, list[str]]:
    package = hosts[name].package
    if package is None:
        return {}, []
    builder = PackageBuilder(runner, name, package, plan.hosts.get(name))
    return builder.files(), builder.notes
