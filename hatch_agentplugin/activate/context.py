"""The environment of one run: machine, state folder and interpreter. Tests pass their own."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from hatch_agentplugin.activate.locate import LocateError, Machine, check_below, system_folder
from hatch_agentplugin.transaction.image import find, has, here, inside
from hatch_agentplugin.transaction.state import State


@dataclass(frozen=True)
class Context:
    """The environment of one run."""

    machine: Machine
    state: State
    environment: str
    """``sys.prefix`` of the Python environment that runs the command."""
    python: str
    """Its interpreter, which runs the handlers."""
    runtime: str
    """The folder that holds the package ``hatch_agentplugin``."""

    @classmethod
    def here(cls, machine: Machine | None = None) -> Context:
        """Return the context of this process. Raises FileProblem for an unusable state folder."""
        machine = machine or Machine.here()
        return cls(
            machine=machine,
            state=State.from_environ(machine.environ, Path(machine.home)),
            environment=sys.prefix,
            python=sys.executable,
            runtime=str(Path(__file__).resolve().parents[2]),
        )

    def managed(self) -> Context:
        """Return the context for the managed scope, in the machine's image if it has one.

        Raises LocateError if a link leads our own files out of the image.
        """
        image = self.machine.image
        folder = Path(here(image, system_folder(self.machine)))
        state = State(folder, Path(self.machine.home), shared=True, image=image)
        for one in (folder, state.journal, state.backups) if image else ():
            check_below(str(one), image, "the image")
        return replace(self, state=state)

    def in_image(self) -> Context:
        """Return the context with the paths of the image's own environment. Raises LocateError."""
        return replace(
            self,
            environment=self.named(self.environment),
            python=self.named(self.python),
            runtime=self.named(self.runtime),
        )

    def named(self, path: str) -> str:
        """Return the path here of a file that the image also has. Raises LocateError."""
        found = find(self.machine.image, path)
        if found is None:
            raise LocateError(
                f"{path} is not in {self.machine.image}; install the plugin into an environment "
                "in there, and run the agent-plugin of that environment"
            )
        return found

    def inside(self, path: str | os.PathLike[str]) -> str:
        """Return a path as the users of the files name it: inside the image, or here."""
        return inside(self.machine.image, os.fspath(path))

    def has_interpreter(self, python: str) -> bool:
        """Return whether an interpreter exists where the files are used."""
        return has(self.machine.image, self.inside(python))

    def launcher(self, plugin: str) -> Path:
        """Return the path of a plugin's launcher."""
        name = "launch.cmd" if self.machine.system == "windows" else "launch"
        return self.state.plugin(plugin) / name

    def fired(self, plugin: str) -> Path:
        """Return the folder of this user's fired stamps."""
        return self.own(plugin) / "fired"

    def own(self, plugin: str) -> Path:
        """Return the folder of this user's data, fired stamps and log of a plugin.

        It is the same in the user and in the managed scope. An image has none yet.
        """
        if not self.state.shared or self.machine.image:
            return self.state.plugin(plugin)
        home = Path(self.machine.home)
        return State.from_environ(self.machine.environ, home).plugin(plugin)

    def managed_folder(self, plugin: str) -> str:
        """Return the folder of a plugin in the managed scope.

        Empty if Windows does not define the folder of programs.
        """
        try:
            return str(self.machine.paths.join(system_folder(self.machine), plugin))
        except LocateError:
            return ""
