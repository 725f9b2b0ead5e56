"""The journal: the changes of a transaction, written to the disk before they are made.

A journal has two phases. In the phase *staging* no user's file has changed yet: recovery removes
what was staged. In the phase *applying* everything needed to finish is on the disk: recovery
finishes the transaction. A power cut may lose the name of a staged file; its target is then
unchanged, and recovery rolls its group back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from hatch_agentplugin import codec
from hatch_agentplugin.transaction import files, image, ledger
from hatch_agentplugin.transaction.ledger import Ledger, LedgerError
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State

Phase = Literal["staging", "applying"]

_FILE = "journal.json"
BEFORE = "ledger.before"
"""Name in the journal folder: the ledger before the transaction."""
AFTER = "ledger.after"
"""The ledger after the transaction. Moving it to its place is the commit."""


@dataclass(frozen=True)
class JournalEntry:
    """One file to replace, create or remove."""

    path: str
    """As the user knows it."""
    target: str
    """The file, links resolved."""
    group: str
    staged: str
    """Beside the target: the new content, or the name that a removed file gets."""
    spare: str
    """Beside the target: the old content during a rollback."""
    kept: str
    """Name in the journal folder of a copy of the old content. A new file has none."""
    mode: int
    """Permission bits of the old file."""
    before: str | None
    """Digest of the old content; None for a new file."""
    after: str | None
    """Digest of the new content; None for a file to remove."""

    def is_applied(self, now: str | None, staged: bool) -> bool:
        """Return True if the change has been made.

        `now` is the digest of the target's content, `staged` tells whether the staged file exists.
        """
        if self.after is None:
            return staged
        return not staged and (now != self.before or self.before == self.after)


@dataclass(frozen=True)
class Journal:
    """A whole transaction."""

    phase: Phase
    entries: tuple[JournalEntry, ...]
    new_folders: tuple[str, ...]
    """Folders to make, outermost first."""
    drop_folders: tuple[str, ...]
    """Folders of ours that will be empty, innermost first."""
    format: Literal[1] = 1


def is_left_over(state: State) -> bool:
    """Return True if a journal exists: of a killed run, or of one still running. Raises OSError."""
    return files.lexists(state.journal / _FILE)


def read(state: State) -> Journal | None:
    """Return the journal that a killed run has left. Raises FileProblem if it can't be read."""
    path = state.journal / _FILE
    try:
        found = files.snapshot(path)
        if found is None:
            return None
        journal = codec.decode(Journal, codec.parse(found.data))
    except OSError as error:
        raise FileProblem.of(path, error) from None
    except codec.Malformed as error:
        raise FileProblem(
            path,
            f"the journal of an interrupted command is unusable ({error})",
            "if hatch-agentplugin has been downgraded, update it; otherwise move "
            f"{state.journal} away",
        ) from None
    return _from_image(state, journal) if state.image else journal


def _from_image(state: State, journal: Journal) -> Journal:
    """Return the journal with paths here. Raises FileProblem if one leads out of the image."""
    here = _renamed(journal, state.here)
    for entry in here.entries:
        for path in (entry.path, entry.target, entry.staged, entry.spare):
            real = image.escapes(path, state.image)
            if real is not None:
                raise FileProblem(
                    state.journal / _FILE,
                    f"it names {path}, which leads out of the image, to {real}",
                    f"move {state.journal} away, and find out who wrote it",
                )
    return here


def read_ledger(state: State, name: str) -> Ledger:
    """Return one of the two ledgers in the journal folder. Raises FileProblem."""
    path = state.journal / name
    try:
        found = files.snapshot(path)
        return ledger.decode(state, b"" if found is None else found.data)
    except OSError as error:
        raise FileProblem.of(path, error) from None
    except LedgerError as error:
        raise FileProblem(
            path,
            f"this file of an interrupted command is damaged ({error})",
            f"move the folder {state.journal} away and run the command again",
        ) from None


def write(state: State, journal: Journal) -> None:
    """Write the journal atomically; in an image with the paths inside. Raises OSError."""
    written = _renamed(journal, state.inside) if state.image else journal
    files.write_own(state.journal / _FILE, codec.encode(written))


def _renamed(journal: Journal, name: Callable[[str], str]) -> Journal:
    """Return the journal with every path replaced by `name` of it."""
    return replace(
        journal,
        entries=tuple(
            replace(
                entry,
                path=name(entry.path),
                target=name(entry.target),
                staged=name(entry.staged),
                spare=name(entry.spare),
            )
            for entry in journal.entries
        ),
        new_folders=tuple(map(name, journal.new_folders)),
        drop_folders=tuple(map(name, journal.drop_folders)),
    )


def drop(state: State) -> None:
    """Remove the journal: the transaction is over. Raises FileProblem."""
    path = state.journal / _FILE
    try:
        files.remove(path)
        tidy(state)
    except OSError as error:
        raise FileProblem.of(path, error) from None


def tidy(state: State) -> None:
    """Remove files that a dropped journal has left behind. Raises OSError."""
    files.discard(state.journal / name for name in files.names_in(state.journal))


def temporary_files(entries: Iterable[JournalEntry]) -> list[str]:
    """Return the paths of all files that may lie beside the targets."""
    return [path for entry in entries for path in (entry.staged, entry.spare)]
