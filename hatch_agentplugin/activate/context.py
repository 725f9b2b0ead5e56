"""Who is placing, and where: the surroundings of one run, so that tests can give their own."""

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
    """The surroundings of one run."""

    machine: Machine
    state: State
    environment: str
    """``sys.prefix`` of the environment that places."""
    python: str
    """Its interpreter, which runs the handlers."""
    runtime: str
    """The folder that holds the package ``hatch_agentplugin``."""

    @classmethod
    def here(cls, machine: Machine | None = None) -> Context:
        """The surroundings of this process. Raises FileProblem for an unusable state folder."""
        machine = machine or Machine.here()
        return cls(
            machine=machine,
            state=State.from_environ(machine.environ, Path(machine.home)),
            environment=sys.prefix,
            python=sys.executable,
            runtime=str(Path(__file__).resolve().parents[2]),
        )

    def for_all(self) -> Context:
        """The same for what an administrator places for all users, in an image where there is one.

        Raises LocateError where a link leads the bookkeeping out of the image.
        """
        image = self.machine.image
        folder = Path(here(image, system_folder(self.machine)))
        state = State(folder, Path(self.machine.home), shared=True, image=image)
        for one in (folder, state.journal, state.backups) if image else ():
            check_below(str(one), image, "the image")
        return replace(self, state=state)

    def in_image(self) -> Context:
        """The same with an environment that the image has. Raises LocateError."""
        return replace(
            self,
            environment=self.named(self.environment),
            python=self.named(self.python),
            runtime=self.named(self.runtime),
        )

    def named(self, path: str) -> str:
        """The path here of something that the image has too. Raises LocateError."""
        found = find(self.machine.image, path)
        if found is None:
            raise LocateError(
                f"{path} is not in {self.machine.image}; install the plugin into an environment "
                "in there, and run the agent-plugin of that environment"
            )
        return found

    def inside(self, path: str | os.PathLike[str]) -> str:
        """The path that may be written into a file: as it is named where the file is used."""
        return inside(self.machine.image, os.fspath(path))

    def has_interpreter(self, python: str) -> bool:
        """Whether an interpreter will be found where the files are used."""
        return has(self.machine.image, self.inside(python))

    def launcher(self, plugin: str) -> Path:
        """The path of a plugin's launcher."""
        name = "launch.cmd" if self.machine.system == "windows" else "launch"
        return self.state.plugin(plugin) / name

    def fired(self, plugin: str) -> Path:
        """The folder in which the launcher notes for this user what has fired."""
        return self.own(plugin) / "fired"

    def own(self, plugin: str) -> Path:
        """The folder of this user's data, marks and log of a plugin, whoever has placed it.

        In an image there is none yet.
        """
        if not self.state.shared or self.machine.image:
            return self.state.plugin(plugin)
        home = Path(self.machine.home)
        return State.from_environ(self.machine.environ, home).plugin(plugin)

    def managed_folder(self, plugin: str) -> str:
        """The folder of a plugin that an administrator has placed for all users of the machine.

        Empty where nobody can say: on a Windows that tells no folder of programs.
        """
        try:
            return str(self.machine.paths.join(system_folder(self.machine), plugin))
        except LocateError:
            return ""
