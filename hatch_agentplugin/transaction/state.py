"""Where placing keeps its own files, below ``AGENT_PLUGIN_HOME``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hatch_agentplugin.transaction import folders, image, metadata
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.root import OWN, VARIABLE, root_of


@dataclass(frozen=True)
class State:
    """The folders of one user, or of the administrator for all users of a machine.

    A plugin's folder bears its id. Ids begin with a letter or a digit, so that the folder of the
    bookkeeping, which begins with an underscore, can't be taken for a plugin.
    """

    root: Path
    """Absolute."""
    home: Path
    """The user's home: whose files these are."""
    shared: bool = False
    """Whether all users read it, because an administrator placed it for them."""
    image: str = ""
    """The folder that will be ``/`` elsewhere: see `image`. Empty for this very machine."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str], home: Path) -> State:
        """Return ``$AGENT_PLUGIN_HOME`` or ``~/.agent-plugin``. Raises FileProblem if relative."""
        home = Path(home)
        root = Path(root_of(environ, str(home)))
        if not root.is_absolute():
            # Host files hold the launcher's path: it must not depend on where a command was run.
            raise FileProblem(root, f"{VARIABLE} is not an absolute path", "set it to one")
        return cls(root, home)

    @property
    def mode(self) -> int:
        """Permission bits of files that every user of it reads."""
        return 0o644 if self.shared else 0o600

    def here(self, path: str) -> str:
        """The path on this machine of one that the bookkeeping names."""
        return image.here(self.image, path)

    def inside(self, path: str) -> str:
        """How the bookkeeping names a path of this machine: as it will be named in the image."""
        return image.inside(self.image, path)

    @property
    def _own(self) -> Path:
        return self.root / OWN

    @property
    def ledger(self) -> Path:
        """What we placed."""
        return self._own / "ledger.json"

    @property
    def ledger_copy(self) -> Path:
        """The same once more, against damage."""
        return self._own / "ledger.json.bak"

    @property
    def lock(self) -> Path:
        """Held while a transaction runs."""
        return self._own / "lock"

    @property
    def journal(self) -> Path:
        """Folder; holds what a transaction is about to do."""
        return self._own / "journal"

    @property
    def backups(self) -> Path:
        """Folder; holds the bytes of before our first change."""
        return self._own / "backups"

    def plugin(self, id: str) -> Path:
        """Folder of one plugin: its launcher, switches, data and log."""
        return self.root / id

    def create(self) -> None:
        """Make the folders of the bookkeeping. Raises FileProblem."""
        for folder, private in ((self.journal, not self.shared), (self.backups, True)):
            try:
                folders.make_folders(folder, private=private)
            except OSError as error:
                raise FileProblem.of(folder, error) from None


def check_owner(home: Path) -> None:
    """Refuse to write as root into another user's home, as under ``sudo``. Raises FileProblem.

    The files would belong to root afterwards, and the user's own programs could not change them.
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
            f"the home folder of user {owner}, and you are root",
            "run the command without sudo, or for root itself with sudo -H",
        )
