"""Who is placing, and where: the surroundings of one run, so that tests can give their own."""

from __future__ import annotations

import sys
from pathlib import Path

from hatch_agentplugin._record import dataclass
from hatch_agentplugin.place.locate import Machine
from hatch_agentplugin.place.state import State


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

    def launcher(self, plugin: str) -> Path:
        """The path of a plugin's launcher."""
        name = "launch.cmd" if self.machine.system == "windows" else "launch"
        return self.state.plugin(plugin) / name
