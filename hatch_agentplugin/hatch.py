"""The hatchling build hook and the builder target ``agent-plugin``. No other module imports hatchling.

The hook adds the compiled bundle and the discovery mark to wheels, also to those of editable
installs, and leaves other targets and projects without ``[tool.agent-plugin]`` alone. The target
packs the hosts' own plugin packages into one archive.
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

if TYPE_CHECKING:
    from hatchling.builders.wheel import WheelBuilder
    from hatchling.metadata.core import CoreMetadata

    from hatch_agentplugin.agent_plugins.manifest import About
    from hatch_agentplugin.build import Built, Project
    from hatch_agentplugin.declaration import Carried
    from hatch_agentplugin.packages import Packages

#: What compiling imports and a plugin's user never gets. Our own extra would name the same, but
#: pip does not add an extra to a distribution that it has already put into the build environment.
_COMPILE_ONLY = ("jinja2>=3.1", "pluggy>=1.5", "pydantic>=2.7")


class AgentPluginBuildHook(BuildHookInterface[BuilderConfig]):
    """Compiles ``[tool.agent-plugin]`` into the wheel."""

    PLUGIN_NAME = "agent-plugin"

    _folder: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """What the front end has to install before :meth:`initialize`."""
        if self.target_name != AgentPluginBuilder.PLUGIN_NAME and not self._applies():
            return []
        return [*_COMPILE_ONLY, *(["tomli>=2"] if sys.version_info < (3, 11) else [])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and add; ends the build with all mistakes where there are any."""
        if not self._applies():
            return
        from hatch_agentplugin.build import build, bundle_folder
        from hatch_agentplugin.config import ConfigError
        from hatch_agentplugin.config.hatch_options import hook_problems
        from hatch_agentplugin.hosts.registry import AdapterError, load_hosts

        # Outside the project, where nothing can leak into an sdist or into the next build.
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
        """Name every file of its own: a folder would lose what hatchling never walks into."""
        files = {str(source): f"{folder}/{path}" for path, source in built.files.items()}
        builder: Any = self.build_config.builder
        dist_info = f"{builder.artifact_project_id}.dist-info"
        files[str(built.neighbour)] = f"{dist_info}/{built.neighbour.name}"
        build_data["force_include"].update(files)
        if version == "editable" and build_data["force_include_editable"]:
            # Another hook has set it, and then it stands in place of force_include.
            build_data["force_include_editable"].update(files)
        extra = {str(source): path for path, source in built.metadata.items()}
        build_data["extra_metadata"].update(extra)

    def _clean(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


class AgentPluginBuilder(BuilderInterface[BuilderConfig, Any]):
    """``hatchling build -t agent-plugin``: the hosts' own plugin packages in one archive.

    ``[tool.hatch.build.targets.agent-plugin] hosts`` names the hosts; without it, all that have a
    package.
    """

    PLUGIN_NAME = "agent-plugin"

    def get_version_api(self) -> dict[str, Callable[..., str]]:
        """Hatchling's door: the one way there is to build it."""
        return {"standard": self.build_standard}

    def get_default_versions(self) -> list[str]:
        """What is built where nothing else is said."""
        return ["standard"]

    def build_standard(self, directory: str, **_: Any) -> str:
        """Write the archive; returns its path."""
        from hatch_agentplugin import packages as bundling
        from hatch_agentplugin.config import ConfigError, plugin_id
        from hatch_agentplugin.config.hatch_options import target_problems
        from hatch_agentplugin.hosts.registry import AdapterError, load_hosts

        try:
            possible = bundling.targets(load_hosts())
            problems = list(target_problems(self.PLUGIN_NAME, self.target_config, possible))
            if problems:
                raise ConfigError(problems)
            made = packages_of(Path(self.root), self.target_config.get("hosts"))
        except (AdapterError, ValueError) as error:  # ConfigError is one
            self.app.abort(str(error))
            raise
        stem = plugin_id(self.metadata.core.raw_name).replace("-", "_")
        path = Path(directory, f"{stem}-{self.metadata.version}.agent-plugin.zip")
        epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or bundling.EPOCH)
        bundling.archive(made.files, path, epoch)
        for note in made.notes:
            self.app.display_info(note)
        return str(path)


def packages_of(
    root: Path, wanted: Sequence[str] | None, carrier: Carried | None = None
) -> Packages:
    """The packages of the project in ``root`` for these hosts; None for all that there can be.

    ``carrier`` goes before that of the project. Raises ConfigError for mistakes of the author's,
    ValueError for a host without a package, and for what Hatchling itself refuses.
    """
    from hatchling.builders.wheel import WheelBuilder

    from hatch_agentplugin.hosts.registry import load_hosts
    from hatch_agentplugin.packages import packages, targets
    from hatch_agentplugin.problems import choose

    hosts = load_hosts()
    possible = targets(hosts)
    for name in wanted or ():
        if name not in possible:
            raise ValueError(f'no package can be made for "{name}"\n  {choose(name, possible)}')
    with tempfile.TemporaryDirectory(prefix="agent-plugin-") as scratch:
        project = _read(WheelBuilder(str(root)), scratch)
        return packages(project, hosts, wanted, Path(scratch, "packages"), carrier)


def _read(builder: WheelBuilder, scratch: str) -> Project:
    """What a wheel would have. Raises ValueError for what Hatchling itself refuses."""
    from hatch_agentplugin.build import bundle_folder

    try:
        builder.metadata.validate_fields()
        folder = bundle_folder(builder.metadata.core.raw_name)
        return _project(builder.config, folder, _made_by_others(builder, scratch))
    except TypeError as error:  # Hatchling's own word, with the key in it
        raise ValueError(str(error)) from None


def _made_by_others(builder: WheelBuilder, scratch: str) -> dict[str, Any]:
    """The build data of the wheel's other hooks: what they make, its modules may import.

    Raises ValueError where one fails, and TypeError where what is declared are no hooks.
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
    except Exception as error:  # of code that is not ours
        which = f"the build hook {name} of the wheel" if name else "a build hook of the wheel"
        raise ValueError(
            f"{which} failed: {type(error).__name__}: {error}\n"
            "  what it makes travels in the packages too; install beside hatch-agentplugin what it needs"
        ) from error
    return data


def _project(build_config: BuilderConfig, folder: str, build_data: dict[str, Any]) -> Project:
    from hatch_agentplugin.build import Project
    from hatch_agentplugin.config import plugin_id

    builder = build_config.builder
    core = builder.metadata.core
    # With the build data of the hooks before ours, files that they make are seen as well.
    with build_config.set_build_data(build_data):
        files = list(builder.recurse_included_files())
    return Project(
        root=Path(builder.root),
        name=core.raw_name,
        version=builder.metadata.version,
        summary=core.description,
        requires={plugin_id(item.name) for item in core.dependencies_complex.values()},
        scripts=core.scripts,
        sources={file.distribution_path.replace("\\", "/"): Path(file.path) for file in files},
        bundle=build_config.get_distribution_path(folder).replace("\\", "/"),
        about=_about(core),
        requires_python=core.requires_python,
    )


def _about(core: CoreMetadata) -> About:
    """What manifests say of the author and his project."""
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
    """Hatchling's door to the hook."""
    return AgentPluginBuildHook


@hookimpl
def hatch_register_builder() -> type[AgentPluginBuilder]:
    """Hatchling's door to the target."""
    return AgentPluginBuilder
