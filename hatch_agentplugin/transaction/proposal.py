"""The proposal of a computation to a transaction: the new files and the new ledger."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hatch_agentplugin.transaction.ledger import Ledger


@dataclass(frozen=True)
class Change:
    """The proposed state of one file."""

    path: Path
    """As the user knows it; links are followed."""
    data: bytes | None
    """The whole content; None to remove the file."""
    group: str
    """A host. If one file of a group can't be changed, none of the group is."""
    executable: bool = False
    private: bool = False
    """For a new file: only its owner may read it. An existing file keeps its mode."""


@dataclass(frozen=True)
class Proposal:
    """All changes of one computation."""

    changes: tuple[Change, ...]
    ledger: Ledger
    """The ledger afterwards. The transaction fills in its tables of files and folders."""
    drop_folders: tuple[Path, ...] = ()
    """Folders to remove if they end up empty, besides those the ledger lists as made by us."""
    keep: tuple[Path, ...] = ()
    """Files to back up before the change, even if they already hold something of ours."""
