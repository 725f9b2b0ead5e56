"""Compiles a project's declaration into the files of a wheel; the build hook without hatchling."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hatch_agentplugin import config
from hatch_agentplugin import report as build_report
from hatch_agentplugin.adapter import Host
from hatch_agentplugin.agent_plugins.manifest import About, portable_root
from hatch_agentplugin.compiler import compile_bundle
from hatch_agentplugin.compiler.code_modules import render
from hatch_agentplugin.config.servers import secrets
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.names import is_id, normalize
from hatch_agentplugin.plan import Plan, Plugin, dump
from hatch_agentplugin.problems import TABLE, ConfigError, Problem
from hatch_agentplugin.sources import digest

#: The distribution that installed hooks need; the author's project has to depend on it.
RUNTIME = "hatch-agentplugin"
#: Folder of the marker below ``*.dist-info/extra_metadata/``.
MARKER_FOLDER = "agent-plugin"
MARKER_FORMAT = 1
#: Marker of the PyPI tool ``agent-plugins``: the root of an Agent Plugins folder, and its files.
AGENT_PLUGINS_MARKER = "agent_plugins.json"


@dataclass(frozen=True, kw_only=True)
class Project:
    """An author's project as the build backend sees it."""

    root: Path
    """Folder of pyproject.toml."""
    name: str
    """Name of the distribution as written."""
    version: str
    summary: str
    requires: Collection[str]
    """Normalized names of the distributions in ``project.dependencies``."""
    scripts: Mapping[str, str]
    """Console scripts: name -> ``module:callable``."""
    sources: config.Sources
    """Path in the wheel -> file of the project."""
    bundle: str
    """The path that the wheel gives to :func:`bundle_folder`, which ``sources`` may change."""
    about: About = field(default_factory=About)
    requires_python: str = ""
    mistakes: Sequence[Problem] = ()
    """Problems in our tables below ``tool.hatch``."""

    @property
    def plugin(self) -> Plugin:
        """The plugin's identity."""
        return Plugin(normalize(self.name), self.name, self.version, self.summary)


@dataclass(frozen=True, kw_only=True)
class Built:
    """Files to add to a wheel, and messages for the author."""

    plan: Plan
    files: Mapping[str, Path]
    """Path below the bundle folder -> file."""
    metadata: Mapping[str, Path]
    """Path below ``extra_metadata`` -> file."""
    agent_plugins_marker: Path
    """The file ``agent_plugins.json`` for the dist-info folder."""
    report: str
    warnings: Sequence[str] = ()


def bundle_folder(name: str) -> str:
    """Return the top-level folder of the wheel that contains the bundle; an identifier."""
    stem = normalize(name).replace("-", "_")
    return f"{'_' if stem[:1].isdigit() else ''}{stem}_agent_plugin"


def build(project: Project, hosts: Mapping[str, Host], target: Path) -> Built:
    """Compile the project's declaration into the folder ``target``.

    Raises :class:`ConfigError` with every mistake in pyproject.toml.
    """
    declaration = _declaration(project, hosts)
    portable = portable_root(declaration, project.about)
    if portable.problems:
        raise ConfigError(portable.problems)
    table = config.read_table(project.root) or {}
    inputs = digest(table, project.root, [*declaration.files, *declaration.moved])
    compiled = compile_bundle(declaration, hosts.values(), render, inputs)

    files = _copy_files(project.root, declaration, target / "bundle")
    files |= _write_files({**compiled.files, **portable.files}, target / "bundle")
    metadata = {
        f"{MARKER_FOLDER}/plugin.json": _marker(project.plugin),
        f"{MARKER_FOLDER}/report.json": build_report.to_bytes(compiled.plan),
    }
    marker = _agent_plugins_marker(project.plugin, files)
    notes = [f"  {note}" for note in portable.notes]
    return Built(
        plan=compiled.plan,
        files=dict(sorted(files.items())),
        metadata=_write_files(metadata, target),
        agent_plugins_marker=_write(target / AGENT_PLUGINS_MARKER, marker),
        report="\n".join([build_report.render(compiled.plan), *notes]),
        warnings=[*_warnings(project), *_secret_warnings(declaration)],
    )


def _declaration(project: Project, hosts: Mapping[str, Host]) -> Declaration:
    """Load the declaration; report problems of the project and of the declaration together."""
    problems = list(_project_problems(project))
    try:
        declaration = config.load(project.root, hosts, project.plugin, project.sources)
    except ConfigError as error:
        raise ConfigError([*problems, *error.problems]) from None
    if problems:
        raise ConfigError(problems)
    return declaration


def _project_problems(project: Project) -> Iterator[Problem]:
    yield from project.mistakes
    if RUNTIME not in project.requires:
        yield Problem(
            "project.dependencies",
            f'"{RUNTIME}" is missing; installed hooks need it',
            f'add it: dependencies = ["{RUNTIME}"]',
        )
    if project.bundle != bundle_folder(project.name):
        yield Problem(
            "tool.hatch.build.sources",
            f'moves the plugin\'s bundle to "{project.bundle}", where it is not found',
            'name the folders to move instead of "" for all: sources = { "src" = "acme" }',
        )
    if not is_id(project.plugin.id):
        yield Problem(
            "project.name", "is too long for a plugin", "use a name of at most 64 characters"
        )


def _warnings(project: Project) -> Iterator[str]:
    if not project.scripts:
        line = f'{project.plugin.id} = "hatch_agentplugin.cli:main"'
        what = "no console script, so pipx and uv tool cannot install the plugin"
        yield str(Problem("project.scripts", what, f"add the line: {line}"))


def _secret_warnings(declaration: Declaration) -> Iterator[str]:
    for key, text in secrets(declaration.mcp):
        what = "looks like a secret, and everybody can read a wheel"
        advice = f'write "{text}"; the agent reads the variable on each user\'s machine'
        yield str(Problem(f"{TABLE}.{key}", what, advice))


def _marker(plugin: Plugin) -> bytes:
    return dump(
        {
            "format": MARKER_FORMAT,
            "id": plugin.id,
            "name": plugin.name,
            "version": plugin.version,
            "bundle": bundle_folder(plugin.id),
        }
    )


def _agent_plugins_marker(plugin: Plugin, files: Iterable[str]) -> bytes:
    return dump({"root": bundle_folder(plugin.id), "files": sorted(files)})


def _copy_files(root: Path, declaration: Declaration, target: Path) -> dict[str, Path]:
    """Copy the author's files. hatchling would rename files included straight from the project."""
    origins = {**{name: name for name in declaration.files}, **declaration.moved}
    return {name: _copy(root / path, target / name) for name, path in origins.items()}


def _copy(source: Path, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, path)
    path.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)
    return path


def _write_files(files: Mapping[str, bytes], target: Path) -> dict[str, Path]:
    return {name: _write(target / name, data) for name, data in files.items()}


def _write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
