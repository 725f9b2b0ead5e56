"""The caller of a command: plugin, host, shell and paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Shell = Literal["sh", "cmd", "powershell", "bash", "none"]


@dataclass(frozen=True)
class Caller:
    """Who will run a command, and with which shell."""

    plugin: str
    """The plugin's id."""
    host: str
    launcher: str
    """Absolute path of the plugin's launcher on this machine."""
    shell: Shell = "sh"
    """The host's shell; ``sh`` on every system but Windows."""
    shared: bool = False
    """The file belongs to a project, so it may not hold a path of this machine."""
    managed: bool = False
    """The file is for all users, so it may not hold a path of one user."""
    flag: str = ""
    """A third argument for the launcher; empty for none."""
    root: str = ""
    """The plugin's bundle: ``${PLUGIN_ROOT}``."""
    programs: str = ""
    """The folder of the environment's programs."""
    image: str = ""
    """The image that these paths are in; empty for this machine."""

    @property
    def on_windows(self) -> bool:
        """Whether the launcher is the batch file for Windows."""
        return self.shell != "sh"

    def arguments(self, slot: str) -> list[str]:
        """Return the launcher's arguments for a slot."""
        return [self.host, slot, self.flag] if self.flag else [self.host, slot]
