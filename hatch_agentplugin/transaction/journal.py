"""The journal: what a transaction is about to do, on the disk before it does it.

Two phases. While *staging*, no file of anybody has changed: a left-over journal is given up, and
what was staged is removed. While *applying*, everything needed to finish is on the disk: a
left-over journal is finished. Only the name of a staged file may be missing after a power cut: then
its target is as it was, and its group is taken back.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from hatch_agentplugin import codec
from hatch_agentplugin.transaction import files
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State

Phase = Literal["staging", "applying"]

_FILE = "journal.json"
BEFORE = "ledger.before"
"""Name in the journal folder: the ledger as it was."""
AFTER = "ledger.after"
"""The ledger as it shall be; put in its place as the last step."""


@dataclass(frozen=True)
class Operation:
    """One file to replace, create or remove."""

    path: str
    """As the user knows it."""
    target: str
    """All links resolved."""
    group: str
    staged: str
    """Beside the target: the new content; or, where the file is to be removed, its new name."""
    spare: str
    """Beside the target: the old content on its way back."""
    kept: str
    """Name in the journal folder of a copy of the old content; does not exist for a new file."""
    mode: int
    """Permission bits of the old file."""
    before: str | None
    """Digest of the old content; None for a new file."""
    after: str | None
    """Digest of the new content; None where the file is to be removed."""


@dataclass(frozen=True)
class Journal:
    """A whole transaction."""

    phase: Phase
    operations: tuple[Operation, ...]
    made_dirs: tuple[str, ...]
    """Folders to make, outermost first."""
    drop_dirs: tuple[str, ...]
    """Folders of ours that will be empty, innermost first."""
    format: Literal[1] = 1


def is_left_over(state: State) -> bool:
    """Whether there is a journal: of a run that was killed, or of one at work. Raises OSError."""
    return files.is_there(state.journal / _FILE)


def read(state: State) -> Journal | None:
    """Return a left-over journal. Raises FileProblem when it can't be read."""
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
            f"the journal of an interrupted command can't be used ({error})",
            f"if hatch-agentplugin has been downgraded, update it; else move {state.journal} away",
        ) from None
    return _of_image(state, journal) if state.image else journal


def _of_image(state: State, journal: Journal) -> Journal:
    """The journal with paths as they are here. Raises FileProblem for one outside of the image."""
    from hatch_agentplugin.activate.locate import LocateError, check_below

    here = _renamed(journal, state.here)
    for op in here.operations:
        for path in (op.path, op.target, op.staged, op.spare):
            try:
                check_below(path, state.image, "the image")
            except LocateError as error:
                raise FileProblem(
                    state.journal / _FILE,
                    f"it names {path}, and {error}",
                    f"move {state.journal} away, and see who has written it",
                ) from None
    return here


def encode(state: State, journal: Journal) -> bytes:
    """The bytes of a journal, in which an image's paths are named as it will name them."""
    return codec.encode(_renamed(journal, state.inside) if state.image else journal)


def promoted(data: bytes) -> bytes:
    """The bytes of a journal in the phase *staging*, in the phase *applying*; nothing else differs.

    The phase is what they begin with.
    """
    return data.replace(b'"staging"', b'"applying"', 1)


def write(state: State, data: bytes) -> None:
    """Put the bytes of a journal on the disk in one step. Raises OSError."""
    files.write_own(state.journal / _FILE, data)


def _renamed(journal: Journal, name: Callable[[str], str]) -> Journal:
    """The journal with `name` of every path in it."""
    return replace(
        journal,
        operations=tuple(
            replace(
                op,
                path=name(op.path),
                target=name(op.target),
                staged=name(op.staged),
                spare=name(op.spare),
            )
            for op in journal.operations
        ),
        made_dirs=tuple(map(name, journal.made_dirs)),
        drop_dirs=tuple(map(name, journal.drop_dirs)),
    )


def drop(state: State) -> None:
    """Remove the journal: the transaction is over. Raises OSError."""
    files.remove(state.journal / _FILE)
    tidy(state)


def tidy(state: State) -> None:
    """Remove what has no journal any more."""
    files.discard(state.journal / name for name in files.names_in(state.journal))
