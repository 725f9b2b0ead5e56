"""The paths of our own files on a machine: everything below ``AGENT_PLUGIN_HOME``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hatch_agentplugin.transaction import folders, image, metadata
from hatch_agentplugin.transaction.problem import FileProblem

_VARIABLE = "AGENT_PLUGIN_HOME"
_OWN_FOLDER = "_place"


@dataclass(frozen=True)
class State:
    """Our folders for one user, or for all users of a machine.

    Each plugin has a folder named by its id. Ids begin with a letter or a digit, so no plugin can
    have the folder that holds the ledger, whose name begins with an underscore.
    """

    root: Path
    """Absolute."""
    home: Path
    """Home folder of the user whose files are changed."""
    shared: bool = False
    """True if an administrator installs for all users, who then can read these folders."""
    image: str = ""
    """Root folder of the image that is being prepared (see `image`); empty for this machine."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str], home: Path) -> State:
        """Return the state in ``$AGENT_PLUGIN_HOME``, by default in ``~/.agent-plugin``.

        The variable may begin with ``~/``. Raises FileProblem if it is a relative path.
        """
        home = Path(home)
        named = environ.get(_VARIABLE, "")
        if not named:
            return cls(home / ".agent-plugin", home)
        root = home / named[2:] if named.startswith(("~/", "~\\")) else Path(named)
        if not root.is_absolute():
            # Host files hold the launcher's path, which must not depend on the working folder.
            raise FileProblem(root, f"{_VARIABLE} is not an absolute path", "set it to one")
        return cls(root, home)

    @property
    def mode(self) -> int:
        """Permission bits of files that all users of this state read."""
        return 0o644 if self.shared else 0o600

    def here(self, path: str) -> str:
        """Return the path on this machine of a path that our files name."""
        return image.here(self.image, path)

    def inside(self, path: str) -> str:
        """Return how our files name a path on this machine: in an image, the path inside."""
        return image.inside(self.image, path)

    @property
    def _own(self) -> Path:
        return self.root / _OWN_FOLDER

    @property
    def ledger(self) -> Path:
        """File that lists everything we placed."""
        return self._own / "ledger.json"

    @property
    def ledger_copy(self) -> Path:
        """Copy of the ledger, in case it is damaged."""
        return self._own / "ledger.json.bak"

    @property
    def lock(self) -> Path:
        """File that is locked while a transaction runs."""
        return self._own / "lock"

    @property
    def journal(self) -> Path:
        """Folder of the journal and the files that it needs."""
        return self._own / "journal"

    @property
    def backups(self) -> Path:
        """Folder of the backups."""
        return self._own / "backups"

    def plugin(self, id: str) -> Path:
        """Folder of one plugin: its launcher, switches, data and log."""
        return self.root / id

    def create(self) -> None:
        """Make the folders of journal, ledger and backups. Raises FileProblem."""
        for folder, private in ((self.journal, not self.shared), (self.backups, True)):
            try:
                folders.make_folders(folder, private=private)
            except OSError as error:
                raise FileProblem.of(folder, error) from None


def check_owner(home: Path) -> None:
    """Refuse to write as root into another user's home, as ``sudo`` would. Raises FileProblem.

    The files would belong to root, and the user's own programs could not change them any more.
    """
    geteuid = getattr(os, "geteuid", None)
    if geteuid is None or geteuid() != 0:
        return
    try:
        owner = metadata.owner(home)
    except OSError as error:
        raise FileProblem.of(home, error) from None
    if owner != 0:
        raise FileProblem(
            home,
            f"this home folder belongs to user {owner}, and you are root",
            "run the command without sudo, or for root itself with sudo -H",
        )
