"""What a computation asks of a transaction: files as they should be, and the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader


@dataclass(frozen=True)
class Change:
    """One file as it should be."""

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
    problems: Mapping[str, FileProblem] = field(default_factory=dict)
    """Groups that the computation gives up, and why."""


Compute: TypeAlias = Callable[[Reader, Ledger], Proposal]
"""A pure function: it reads through the Reader only, and may be called more than once."""
