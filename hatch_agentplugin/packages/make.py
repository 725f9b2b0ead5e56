"""The packages of a project, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hatch_agentplugin import config
from hatch_agentplugin.adapter import Host
from hatch_agentplugin.build import Project, build
from hatch_agentplugin.declaration import RunnerName
from hatch_agentplugin.packages import agent_plugins_root, mcpb
from hatch_agentplugin.packages.host_package import Package
from hatch_agentplugin.packages.output import Files, Packages
from hatch_agentplugin.packages.runner import Runner

#: No agent, but a package that several clients take.
MCPB = "mcpb"


def hosts_with_packages(hosts: Mapping[str, Host]) -> list[str]:
    """The ids of the hosts for which a package can be made."""
    return [name for name, host in hosts.items() if host.package is not None]


def targets(hosts: Mapping[str, Host]) -> list[str]:
    """All that can be asked for."""
    return [agent_plugins_root.NAME, *hosts_with_packages(hosts), MCPB]


def packages(
    project: Project,
    hosts: Mapping[str, Host],
    wanted: Sequence[str] | None,
    scratch: Path,
    by: RunnerName | None = None,
) -> Packages:
    """Make the packages; all that there can be where none is named.

    ``scratch`` is an empty folder for the build; ``by`` goes before the runner of the project.
    Raises ConfigError for mistakes of the author's.
    """
    built = build(project, hosts, scratch)
    declaration = config.load(project.root, hosts, project.plugin, project.sources)
    stored = {
        name: (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for name, path in built.files.items()
    }
    declaration = replace(declaration, runner=by or declaration.runner)
    runner = Runner(project, declaration, stored)
    files: Files = {}
    notes: list[str] = []
    for name in targets(hosts) if wanted is None else wanted:
        if name == MCPB:
            made, said = mcpb.bundles(runner, asked=wanted is not None)
            files |= {f"{MCPB}/{path}": content for path, content in made.items()}
        elif name == agent_plugins_root.NAME:
            made, said = agent_plugins_root.folder(runner)
            start = f"{agent_plugins_root.NAME}/{project.plugin.id}"
            files |= {f"{start}/{path}": content for path, content in made.items()}
        else:
            bundle = hosts[name].package
            if bundle is None:
                continue
            package = Package(runner, name, bundle, built.plan.hosts.get(name))
            files |= package.files()
            said = package.notes
        notes += [f"{name}: {note}" for note in said]
    return Packages(dict(sorted(files.items())), tuple(notes))
