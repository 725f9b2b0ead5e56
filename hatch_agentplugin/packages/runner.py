"""How a package carries what its hooks and servers run: in itself, or by ``uvx``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hatch_agentplugin.build import RUNTIME, Project, bundle_folder
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.packages import launchers
from hatch_agentplugin.packages.output import Files

_HERE = Path(__file__).parents[1]
#: Compiles slot scripts; all else of the package ``fire`` runs handlers.
_COMPILER = "script.py"

#: Runs a console script of the plugin's where it is not installed. ``lib`` is beside its folder.
_PROGRAM = """\
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from {module} import {name}

sys.exit({call}())
"""


class Runner:
    """What a project's packages have in ``lib/``, whichever the host."""

    def __init__(self, project: Project, declaration: Declaration, stored: Files) -> None:
        self.project = project
        self.declaration = declaration
        self.stored = stored
        self.folder = bundle_folder(project.name)
        self.uvx = declaration.runner == "uvx"
        self.requirement = f"{project.plugin.id}=={project.version}"
        self.others = sorted(set(project.requires) - {RUNTIME})
        """What the author's code depends on."""

    @property
    def lost(self) -> str:
        """What the author's code lacks in a package, in words; empty where it has all."""
        return "" if self.uvx else ", ".join(self.others)

    def notes(self) -> list[str]:
        """What to say of a package with handlers."""
        if not self.lost or not any(hook.handler for hook in self.declaration.hooks):
            return []
        why = f"handlers find only what python3 has: {self.lost} is not carried"
        return [f'{why}; runner = "uvx" in [tool.agent-plugin.bundle] gets it']

    def launcher(self, host: str, mark: str = "", tables: Files | None = None) -> Files:
        """The launcher, what it runs, and for handlers what these need.

        ``mark`` sets it apart from the plugin's launcher that may be running it; ``tables`` are what
        it runs for a host that the bundle has none of.
        """
        plugin = self.project.plugin.id
        handlers = any(hook.handler for hook in self.declaration.hooks)
        by_uvx = handlers and self.uvx
        requirement = self.requirement if by_uvx else ""
        if by_uvx:
            text = launchers.render_packaged_uvx(
                plugin=plugin, mark=mark, bundle=self.folder, version=self.project.version
            )
        else:
            text = launchers.render_packaged(plugin=plugin, mark=mark, bundle=self.folder)
        batch = launchers.render_packaged_windows(
            plugin=plugin, mark=mark, bundle=self.folder, requirement=requirement
        )
        made: Files = {
            "launch": (text.encode("utf-8"), True),
            "launch.cmd": (batch.encode("utf-8"), True),
            **self.bundle(f"fire/{host}/"),
            **(tables or {}),
        }
        if by_uvx:
            start = f"lib/{self.folder}/fire/"
            for name in [name for name in made if name.startswith(start) and name.endswith(".sh")]:
                made[name] = (launchers.by_uvx(made[name][0]), made[name][1])
            made["lib/ask-uvx.sh"] = (launchers.ask_uvx(requirement).encode("utf-8"), False)
            return made
        made |= {
            f"lib/hatch_agentplugin/{name}": ((_HERE / name).read_bytes(), False)
            for name in _runtime()
        }
        return made | (dict(self.sources()) if handlers else {})

    def bundle(self, tables: str = "\0") -> Files:
        """The author's files, and the fire tables that begin with ``tables``."""
        return {
            f"lib/{self.folder}/{name}": content
            for name, content in self.stored.items()
            if name.startswith(tables)
            or name.partition("/")[0] not in ("fire", "hosts", "plan.json")
        }

    def sources(self) -> Iterator[tuple[str, tuple[bytes, bool]]]:
        """The author's own packages."""
        for name, path in self.project.sources.items():
            if "__pycache__" not in name and path.is_file():
                yield f"lib/{name}", (path.read_bytes(), bool(path.stat().st_mode & 0o100))

    def reference(self, command: str) -> tuple[str, str]:
        """Module and callable of a console script; both are empty where it is none."""
        # ``module:callable [extra]``, of which the extra is none of ours.
        module, _, name = self.project.scripts.get(command, "").partition("[")[0].partition(":")
        return module.strip(), name.strip()

    def program(self, command: str) -> tuple[str, Files] | None:
        """A console script of the plugin's: the path of a file for python3, and what it needs.

        None where the command is not one, or not in the wheel's own packages.
        """
        module, name = self.reference(command)
        if not name or self.module_file(module) is None:
            return None
        text = _PROGRAM.format(module=module, name=name.partition(".")[0], call=name)
        # Python looks into a script's folder first: no module's name may be in there.
        path = f"lib/programs/run-{command}.py"
        return path, {path: (text.encode("utf-8"), False), **dict(self.sources())}

    def module_file(self, module: str, package: str = "__init__") -> str | None:
        """The path in the wheel of a module, or of a package's module ``package``."""
        path = module.replace(".", "/")
        names = (f"{path}.py", f"{path}/{package}.py")
        return next((name for name in names if name in self.project.sources), None)


def _runtime() -> list[str]:
    """The parts of ours that a package needs to run handlers."""
    fire = sorted(path.name for path in (_HERE / "fire").glob("*.py") if path.name != _COMPILER)
    return ["__init__.py", *(f"fire/{name}" for name in fire)]
