"""The runner of hooks and servers in a package: python3 with the author's code, or uvx."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hatch_agentplugin.build import RUNTIME, Project, bundle_folder
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.packages import launchers
from hatch_agentplugin.packages.output import Files

_OUR_PACKAGE = Path(__file__).parents[1]

#: Runs a console script of the plugin; its folder is beside the author's packages.
_PROGRAM = """\
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from {module} import {name}

sys.exit({call}())
"""


class Runner:
    """The contents of ``lib/`` and the launcher, which all packages of a project share."""

    def __init__(self, project: Project, declaration: Declaration, stored: Files) -> None:
        self.project = project
        self.declaration = declaration
        self.stored = stored
        """The files of the bundle."""
        self.folder = bundle_folder(project.name)
        self.uvx = declaration.runner == "uvx"
        self.requirement = f"{project.plugin.id}=={project.version}"
        self.dependencies = sorted(set(project.requires) - {RUNTIME})
        """Distributions that the author's code needs."""

    @property
    def missing(self) -> str:
        """The distributions that a package does not contain, in words; empty if none."""
        return "" if self.uvx else ", ".join(self.dependencies)

    def notes(self) -> list[str]:
        """Return the notes for a package that contains handlers."""
        if not self.missing or not self._has_handlers:
            return []
        what = (
            f"the package does not contain {self.missing}, so handlers need a python3 that has it"
        )
        return [f'{what}; runner = "uvx" in [tool.agent-plugin.packages] installs it']

    @property
    def _has_handlers(self) -> bool:
        return any(hook.handler for hook in self.declaration.hooks)

    # --- the launcher ---

    def launcher(self, host: str, suffix: str = "", tables: Files | None = None) -> Files:
        """Return the launcher for a host and everything that it runs.

        ``suffix`` tells it apart from another launcher of the plugin that may run it. ``tables`` are
        the fire tables and slot scripts for a host that the bundle does not know.
        """
        by_uvx = self._has_handlers and self.uvx
        made: Files = {
            **self._launcher_scripts(suffix, by_uvx),
            **self.bundle(f"fire/{host}/"),
            **(tables or {}),
        }
        return self._with_uvx(made) if by_uvx else self._with_python(made)

    def _launcher_scripts(self, suffix: str, by_uvx: bool) -> Files:
        names = {"plugin": self.project.plugin.id, "suffix": suffix, "bundle": self.folder}
        if by_uvx:
            posix = launchers.render_uvx(**names, version=self.project.version)
            windows = launchers.render_windows(**names, requirement=self.requirement)
        else:
            posix = launchers.render_python(**names)
            windows = launchers.render_windows(**names)
        return {
            "launch": (posix.encode("utf-8"), True),
            "launch.cmd": (windows.encode("utf-8"), True),
        }

    def _with_uvx(self, made: Files) -> Files:
        """Add the script that asks uvx for the interpreter, and have slot scripts run it."""
        start = f"lib/{self.folder}/fire/"
        for name, (data, executable) in list(made.items()):
            if name.startswith(start) and name.endswith(".sh"):
                made[name] = (launchers.with_uvx(data), executable)
        ask = launchers.ask_uvx(self.requirement)
        return {**made, "lib/ask-uvx.sh": (ask.encode("utf-8"), False)}

    def _with_python(self, made: Files) -> Files:
        """Add our dispatcher, and the author's packages if there are handlers."""
        made |= {
            f"lib/hatch_agentplugin/{name}": ((_OUR_PACKAGE / name).read_bytes(), False)
            for name in _dispatcher_files()
        }
        return made | (self.sources() if self._has_handlers else {})

    # --- files in lib/ ---

    def bundle(self, tables: str = "\0") -> Files:
        """Return the author's files, and the fire tables whose path begins with ``tables``."""
        return {
            f"lib/{self.folder}/{name}": content
            for name, content in self.stored.items()
            if name.startswith(tables)
            or name.partition("/")[0] not in ("fire", "hosts", "plan.json")
        }

    def sources(self) -> Files:
        """Return the author's own packages."""
        return dict(self._sources())

    def _sources(self) -> Iterator[tuple[str, tuple[bytes, bool]]]:
        for name, path in self.project.sources.items():
            if "__pycache__" not in name and path.is_file():
                yield f"lib/{name}", (path.read_bytes(), bool(path.stat().st_mode & 0o100))

    # --- console scripts and modules ---

    def reference(self, command: str) -> tuple[str, str]:
        """Return module and callable of a console script; both are empty for other commands."""
        # an entry point may be ``module:callable [extra]``
        module, _, name = self.project.scripts.get(command, "").partition("[")[0].partition(":")
        return module.strip(), name.strip()

    def program(self, command: str) -> tuple[str, Files] | None:
        """Return the path of a file that runs a console script with python3, and its other files.

        Returns None if the command is not a console script, or if its module is not in the wheel.
        """
        module, name = self.reference(command)
        if not name or self.module_file(module) is None:
            return None
        text = _PROGRAM.format(module=module, name=name.partition(".")[0], call=name)
        # python3 searches the script's folder first, so it must not contain modules
        path = f"lib/programs/run-{command}.py"
        return path, {path: (text.encode("utf-8"), False), **self.sources()}

    def module_file(self, module: str, package: str = "__init__") -> str | None:
        """Return the path in the wheel of a module, or of the module ``package`` of a package."""
        path = module.replace(".", "/")
        names = (f"{path}.py", f"{path}/{package}.py")
        return next((name for name in names if name in self.project.sources), None)


def _dispatcher_files() -> list[str]:
    """Return our own files that run handlers."""
    fire = sorted(path.name for path in (_OUR_PACKAGE / "fire").glob("*.py"))
    return ["__init__.py", *(f"fire/{name}" for name in fire)]
