"""Where placing keeps its own files, below ``AGENT_PLUGIN_HOME``."""

from __future__ import annotations

import os
from collections.abc import Mapping

from hatch_agentplugin._record import dataclass
from hatch_agentplugin.place import _folders, _metadata, image
from hatch_agentplugin.place._path import FilePath
from hatch_agentplugin.place._problem import FileProblem
from hatch_agentplugin.place._root import AGAIN, OWN, VARIABLE, root_of


@dataclass(frozen=True)
class State:
    """The folders of one user, or of the administrator for all users of a machine.

    A plugin's folder bears its id. Ids begin with a letter or a digit, so that the folder of the
    bookkeeping, which begins with an underscore, can't be taken for a plugin.
    """

    root: FilePath
    """Absolute."""
    home: FilePath
    """The user's home: whose files these are."""
    shared: bool = False
    """Whether all users read it, because an administrator placed it for them."""
    image: str = ""
    """The folder that will be ``/`` elsewhere: see `image`. Empty for this very machine."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str], home: FilePath) -> State:
        """Return ``$AGENT_PLUGIN_HOME`` or ``~/.agent-plugin``. Raises FileProblem if relative."""
        home = FilePath(home)
        root = FilePath(root_of(environ, home))
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
    def _own(self) -> FilePath:
        return self.root / OWN

    @property
    def ledger(self) -> FilePath:
        """What we placed."""
        return self._own / "ledger.json"

    @property
    def ledger_copy(self) -> FilePath:
        """The same once more, against damage."""
        return self._own / "ledger.json.bak"

    @property
    def lock(self) -> FilePath:
        """Held while a transaction runs."""
        return self._own / "lock"

    @property
    def again(self) -> FilePath:
        """What the last `activate` has looked at, and what it would say if it ran again."""
        return self._own / AGAIN

    @property
    def journal(self) -> FilePath:
        """Folder; holds what a transaction is about to do."""
        return self._own / "journal"

    @property
    def backups(self) -> FilePath:
        """Folder; holds the bytes of before our first change."""
        return self._own / "backups"

    def plugin(self, id: str) -> FilePath:
        """Folder of one plugin: its launcher, switches, data and log."""
        return self.root / id

    def create(self) -> None:
        """Make the folders of the bookkeeping. Raises FileProblem."""
        for folder, private in ((self.journal, not self.shared), (self.backups, True)):
            try:
                _folders.make_folders(folder, private=private)
            except OSError as error:
                raise FileProblem.of(folder, error) from None


def check_owner(home: FilePath) -> None:
    """Refuse to write as root into another user's home, as under ``sudo``. Raises FileProblem.

    The files would belong to root afterwards, and the user's own programs could not change them.
    """
    geteuid = getattr(os, "geteuid", None)
    if geteuid is None or geteuid() != 0:
        return
    try:
        owner = _metadata.owner(home)
    except OSError as error:
        raise FileProblem.of(home, error) from None
    if owner != 0:
        raise FileProblem(
            home,
            f"the home folder of user {owner}, and you are root",
            "run the command without sudo, or for root itself with sudo -H",
        )
