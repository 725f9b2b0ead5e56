"""The build hook and the builder target ``agent-plugin``; the only module that imports hatchling.

The hook adds the compiled bundle and the marker to wheels, including those of editable installs. It
ignores other targets, and projects without ``[tool.agent-plugin]``. The target packs the hosts' own
plugin packages into one archive.

Modules that need pydantic, pluggy or jinja2 are imported inside functions: hatchling imports this
module before it installs what :meth:`AgentPluginBuildHook.dependencies` names.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.plugin.interface import BuilderInterface
from hatchling.plugin import hookimpl

from hatch_agentplugin.names import normalize

if TYPE_CHECKING:
    from hatchling.builders.wheel import WheelBuilder
    from hatchling.metadata.core import CoreMetadata

    from hatch_agentplugin.agent_plugins.manifest import About
    from hatch_agentplugin.build import Built, Project
    from hatch_agentplugin.declaration import RunnerName
    from hatch_agentplugin.packages import Packages

#: Packages that only the compiler needs. They are listed by name, because pip does not add an extra
#: to a distribution that is already in the build environment.
_COMPILE_ONLY = ("jinja2>=3.1", "pluggy>=1.5", "pydantic>=2.7")


class AgentPluginBuildHook(BuildHookInterface[BuilderConfig]):
    """Compiles ``[tool.agent-plugin]`` into the wheel."""

    PLUGIN_NAME = "agent-plugin"

    _folder: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """Return the requirements that the front end must install before :meth:`initialize`."""
        if self.target_name != AgentPluginBuilder.PLUGIN_NAME and not self._applies():
            return []
        return [*_COMPILE_ONLY, *(["tomli>=2"] if sys.version_info < (3, 11) else [])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and add the files to the wheel; abort the build if the declaration is wrong."""
        if not self._applies():
            return
        from hatch_agentplugin.build import build, bundle_folder
        from hatch_agentplugin.config import ConfigError
        from hatch_agentplugin.config.hatch_options import hook_problems
        from hatch_agentplugin.hosts.registry import AdapterError, load_hosts

        # outside the project, so that nothing gets into an sdist or into the next build
        self._folder = tempfile.TemporaryDirectory(prefix="agent-plugin-")
        folder = bundle_folder(self.metadata.core.raw_name)
        mistakes = tuple(hook_problems(self.PLUGIN_NAME, self.config))
        project = replace(_project(self.build_config, folder, build_data), mistakes=mistakes)
        try:
            built = build(project, load_hosts(), Path(self._folder.name))
        except (ConfigError, AdapterError) as error:
            self._clean()
            self.app.abort(str(error))
        else:
            self._add(built, folder, version, build_data)
            self.app.display_info(built.report)
            for warning in built.warnings:
                self.app.display_warning(warning)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        self._clean()

    def _applies(self) -> bool:
        tool = self.metadata.config.get("tool", {})
        return self.target_name == "wheel" and "agent-plugin" in tool

    def _add(self, built: Built, folder: str, version: str, build_data: dict[str, Any]) -> None:
        """Add every file by its own path: in folders, hatchling skips some names."""
        files = {str(source): f"{folder}/{path}" for path, source in built.files.items()}
        builder: Any = self.build_config.builder
        dist_info = f"{builder.artifact_project_id}.dist-info"
        marker = built.agent_plugins_marker
        files[str(marker)] = f"{dist_info}/{marker.name}"
        build_data["force_include"].update(files)
        if version == "editable" and build_data["force_include_editable"]:
            # another hook has set it, so hatchling uses it instead of force_include
            build_data["force_include_editable"].update(files)
        extra = {str(source): path for path, source in built.metadata.items()}
        build_data["extra_metadata"].update(extra)

    def _clean(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


class AgentPluginBuilder(BuilderInterface[BuilderConfig, Any]):
    """``hatchling build -t agent-plugin``: the hosts' own plugin packages in one archive.

    ``[tool.hatch.build.targets.agent-plugin] hosts`` names the hosts; default: all that have a
    package.
    """

    PLUGIN_NAME = "agent-plugin"

    def get_version_api(self) -> dict[str, Callable[..., str]]:
        """Return the one version of the target."""
        return {"standard": self.build_standard}

    def get_default_versions(self) -> list[str]:
        """Return the versions that are built by default."""
        return ["standard"]

    def build_standard(self, directory: str, **_: Any) -> str:
        """Write the archive and return its path."""
        from hatch_agentplugin import packages
        from hatch_agentplugin.config import ConfigError
        from hatch_agentplugin.config.hatch_options import target_problems
        from hatch_agentplugin.hosts.registry import AdapterError, load_hosts

        try:
            targets = packages.targets(load_hosts())
            problems = list(target_problems(self.PLUGIN_NAME, self.target_config, targets))
            if problems:
                raise ConfigError(problems)
            made = packages_of(Path(self.root), self.target_config.get("hosts"))
        except (AdapterError, ValueError) as error:  # ConfigError is one
            self.app.abort(str(error))
            raise
        stem = normalize(self.metadata.core.raw_name).replace("-", "_")
        path = Path(directory, f"{stem}-{self.metadata.version}.agent-plugin.zip")
        epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or packages.EPOCH)
        packages.archive(made.files, path, epoch)
        for note in made.notes:
            self.app.display_info(note)
        return str(path)


def packages_of(
    root: Path, names: Sequence[str] | None, runner: RunnerName | None = None
) -> Packages:
    """Make the packages of the project in ``root`` for these targets; None: for all targets.

    ``runner`` overrides the project's. Raises ConfigError if the declaration is wrong, ValueError
    for a target without a package or if hatchling refuses the project.
    """
    from hatchling.builders.wheel import WheelBuilder

    from hatch_agentplugin.hosts.registry import load_hosts
    from hatch_agentplugin.packages import make_packages, targets
    from hatch_agentplugin.problems import choose

    hosts = load_hosts()
    allowed = targets(hosts)
    for name in names or ():
        if name not in allowed:
            raise ValueError(f'"{name}" has no package\n  {choose(name, allowed)}')
    with tempfile.TemporaryDirectory(prefix="agent-plugin-") as scratch:
        project = _read_project(WheelBuilder(str(root)), scratch)
        return make_packages(project, hosts, names, Path(scratch, "packages"), runner)


def _read_project(builder: WheelBuilder, scratch: str) -> Project:
    """Read the project as a wheel build would. Raises ValueError if hatchling refuses it."""
    from hatch_agentplugin.build import bundle_folder

    try:
        builder.metadata.validate_fields()
        folder = bundle_folder(builder.metadata.core.raw_name)
        return _project(builder.config, folder, _data_of_other_hooks(builder, scratch))
    except TypeError as error:  # hatchling's message, which names the key
        raise ValueError(str(error)) from None


def _data_of_other_hooks(builder: WheelBuilder, scratch: str) -> dict[str, Any]:
    """Run the wheel's other build hooks and return their build data.

    They may generate modules with handlers. Raises ValueError if one fails, TypeError if the table
    of hooks is wrong.
    """
    data = builder.get_default_build_data()
    builder.set_build_data_defaults(data)
    if not builder.config.hook_config:
        return data
    name = ""
    try:
        for name, hook in builder.get_build_hooks(scratch).items():
            if name != AgentPluginBuildHook.PLUGIN_NAME:
                hook.initialize("standard", data)
    except Exception as error:  # third-party code may raise anything
        which = f"the build hook {name} of the wheel" if name else "a build hook of the wheel"
        raise ValueError(
            f"{which} failed: {type(error).__name__}: {error}\n"
            "  packages contain what it makes; install its requirements beside hatch-agentplugin"
        ) from error
    return data


def _project(build_config: BuilderConfig, folder: str, build_data: dict[str, Any]) -> Project:
    from hatch_agentplugin.build import Project

    builder = build_config.builder
    core = builder.metadata.core
    # with the build data of earlier hooks, so that the files they make are included
    with build_config.set_build_data(build_data):
        files = list(builder.recurse_included_files())
    return Project(
        root=Path(builder.root),
        name=core.raw_name,
        version=builder.metadata.version,
        summary=core.description,
        requires={normalize(item.name) for item in core.dependencies_complex.values()},
        scripts=core.scripts,
        sources={file.distribution_path.replace("\\", "/"): Path(file.path) for file in files},
        bundle=build_config.get_distribution_path(folder).replace("\\", "/"),
        about=_about(core),
        requires_python=core.requires_python,
    )


def _about(core: CoreMetadata) -> About:
    """Return the metadata that manifests contain besides name and version."""
    from hatch_agentplugin.agent_plugins.manifest import About

    author: dict[str, str] = next(iter(core.config.get("authors", ())), {})
    urls = {name.lower(): url for name, url in core.urls.items()}

    def url(*names: str) -> str:
        return next((urls[name] for name in names if name in urls), "")

    return About(
        author=author.get("name", ""),
        email=author.get("email", ""),
        homepage=url("homepage", "home page", "home", "documentation"),
        repository=url("repository", "source", "source code", "github"),
        license=core.license_expression,
        keywords=tuple(core.keywords),
    )


@hookimpl
def hatch_register_build_hook() -> type[AgentPluginBuildHook]:
    """Register the build hook."""
    return AgentPluginBuildHook


@hookimpl
def hatch_register_builder() -> type[AgentPluginBuilder]:
    """Register the target."""
    return AgentPluginBuilder
