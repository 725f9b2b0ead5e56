"""For whom a command is rendered: plugin, host, shell and paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Shell = Literal["sh", "cmd", "powershell", "bash", "none"]


@dataclass(frozen=True)
class Caller:
    """For whom a command is rendered."""

    plugin: str
    """The plugin's id."""
    host: str
    launcher: str
    """Absolute path of the plugin's launcher on this machine."""
    shell: Shell = "sh"
    """The shell that the host runs commands with; ``sh`` everywhere but on Windows."""
    shared: bool = False
    """The file belongs to a project, so no path of this machine may stand in it."""
    for_all: bool = False
    """The file is for all users of the machine, so no path of one of them may stand in it."""
    flag: str = ""
    """A third argument for the launcher."""
    root: str = ""
    """The plugin's bundle: ``${PLUGIN_ROOT}``."""
    programs: str = ""
    """The folder of the environment's programs."""
    image: str = ""
    """The image in which all these paths will be; empty for this machine."""

    @property
    def on_windows(self) -> bool:
        """Whether the launcher is the one for Windows."""
        return self.shell != "sh"

    def arguments(self, slot: str) -> list[str]:
        """The launcher's arguments for a slot."""
        return [self.host, slot, self.flag] if self.flag else [self.host, slot]
