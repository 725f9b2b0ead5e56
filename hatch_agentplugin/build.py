"""What the build hook does, without hatchling: check, compile, write, say where things go."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hatch_agentplugin import config
from hatch_agentplugin import report as _report
from hatch_agentplugin.adapter import Host
from hatch_agentplugin.agent_plugins.manifest import About
from hatch_agentplugin.agent_plugins.root import portable_root
from hatch_agentplugin.compiler import compile_bundle
from hatch_agentplugin.config import ConfigError, Problem
from hatch_agentplugin.config.content import secrets
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.plan import Plan, Plugin, dump
from hatch_agentplugin.problems import TABLE
from hatch_agentplugin.sources import digest

#: What installed hooks run on; the author's project has to depend on it.
RUNTIME = "hatch-agentplugin"
#: Folder of the discovery mark below ``*.dist-info/extra_metadata/``.
MARK = "agent-plugin"
MARK_FORMAT = 1
#: Name of the neighbours' mark: the root of an Agent Plugins folder, and its files.
NEIGHBOUR = "agent_plugins.json"


@dataclass(frozen=True, kw_only=True)
class Project:
    """An author's project as the build backend sees it."""

    root: Path
    name: str
    version: str
    summary: str
    requires: Collection[str]
    """Normalised names of the distributions in ``project.dependencies``."""
    scripts: Mapping[str, str]
    """Console scripts: name -> ``module:callable``."""
    sources: config.Sources
    bundle: str
    """Where in the wheel a file would end that is put into :func:`bundle_folder`."""
    about: About = field(default_factory=About)
    requires_python: str = ""
    mistakes: Sequence[Problem] = ()
    """What is wrong in the backend's own tables."""

    @property
    def plugin(self) -> Plugin:
        """The plugin's identity."""
        return Plugin(config.plugin_id(self.name), self.name, self.version, self.summary)


@dataclass(frozen=True, kw_only=True)
class Built:
    """Files to add to a wheel, and what to tell the author."""

    plan: Plan
    files: Mapping[str, Path]
    """Path below the bundle folder -> file."""
    metadata: Mapping[str, Path]
    """Path below ``extra_metadata`` -> file."""
    report: str
    neighbour: Path
    """The mark that the PyPI tool ``agent-plugins`` looks for in the dist-info folder."""
    warnings: Sequence[str] = field(default=())


def bundle_folder(name: str) -> str:
    """The top-level folder of the wheel that holds the bundle; an identifier."""
    stem = config.plugin_id(name).replace("-", "_")
    return f"{'_' if stem[:1].isdigit() else ''}{stem}_agent_plugin"


def build(project: Project, hosts: Mapping[str, Host], target: Path) -> Built:
    """Compile the project's declaration into the folder ``target``.

    Raises :class:`ConfigError` with every mistake in pyproject.toml.
    """
    from hatch_agentplugin.compiler.templates import render

    problems = list(_project_problems(project))
    try:
        declaration = config.load(project.root, hosts, project.plugin, project.sources)
    except ConfigError as error:
        raise ConfigError([*problems, *error.problems]) from None
    if problems:
        raise ConfigError(problems)
    portable = portable_root(declaration, project.about)
    if portable.problems:
        raise ConfigError(portable.problems)
    table = config.read_table(project.root) or {}
    inputs = digest(table, project.root, [*declaration.files, *declaration.moved])
    compiled = compile_bundle(declaration, hosts.values(), render, inputs)
    place = target / "bundle"
    files = {name: _copy(project.root / name, place / name) for name in declaration.files}
    files |= {name: _copy(project.root / path, place / name)
              for name, path in declaration.moved.items()}  # fmt: skip
    files |= {name: _write(place / name, data)
              for name, data in {**compiled.files, **portable.files}.items()}  # fmt: skip
    metadata = {
        f"{MARK}/plugin.json": _mark(project.plugin),
        f"{MARK}/report.json": _report.to_bytes(compiled.plan),
    }
    return Built(
        plan=compiled.plan,
        files=dict(sorted(files.items())),
        metadata={name: _write(target / name, data) for name, data in metadata.items()},
        neighbour=_write(target / NEIGHBOUR, _neighbour_mark(project.plugin, files)),
        report="\n".join([_report.render(compiled.plan), *(f"  {n}" for n in portable.notes)]),
        warnings=[*_warnings(project), *_secrets(declaration)],
    )


def _mark(plugin: Plugin) -> bytes:
    return dump(
        {
            "format": MARK_FORMAT,
            "id": plugin.id,
            "name": plugin.name,
            "version": plugin.version,
            "bundle": bundle_folder(plugin.id),
        }
    )


def _neighbour_mark(plugin: Plugin, files: Iterable[str]) -> bytes:
    return dump({"root": bundle_folder(plugin.id), "files": sorted(files)})


def _copy(source: Path, path: Path) -> Path:
    """A copy with the exec bit. Included straight from the project, hatchling would move it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, path)
    path.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)
    return path


def _write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def _project_problems(project: Project) -> Iterator[Problem]:
    yield from project.mistakes
    if RUNTIME not in project.requires:
        yield Problem(
            "project.dependencies",
            f'"{RUNTIME}" is missing, and the installed hooks run on it',
            f'add the line: dependencies = ["{RUNTIME}"], or the name to those you have',
        )
    if project.bundle != bundle_folder(project.name):
        yield Problem(
            "tool.hatch.build.sources",
            f'moves the plugin\'s bundle to "{project.bundle}", where it is not found',
            'name the folders to move, instead of "" for all: sources = { "src" = "acme" }',
        )
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}[a-z0-9]|[a-z0-9]", project.plugin.id):
        yield Problem("project.name", "is too long for a plugin", "allowed: 64 characters")


def _secrets(declaration: Declaration) -> Iterator[str]:
    for key, advice in secrets(declaration.mcp):
        where = f"{TABLE}.{key}"
        yield str(Problem(where, "looks like a secret, and everybody can read a wheel",
                          f'write "{advice}", which the agent fills in for each user'))  # fmt: skip


def _warnings(project: Project) -> Iterator[str]:
    if not project.scripts:
        line = f'{project.plugin.id} = "hatch_agentplugin.cli:main"'
        yield str(
            Problem(
                "project.scripts",
                "no console script, so pipx and uv tool will refuse to install the plugin",
                f"add the line: {line}",
            )
        )
