"""Leaves the note from which the same ``activate`` is answered once more: see `_again`.

What the note says of a file is what the run has decided by: of those it has written, what it wrote.
So whatever others have done meanwhile is a difference, and the next run is made.
"""

from __future__ import annotations

import os
import sys

from hatch_agentplugin._contexts import suppress
from hatch_agentplugin._record import replace
from hatch_agentplugin._sha256 import digest
from hatch_agentplugin.cli import _again
from hatch_agentplugin.place._path import FilePath
from hatch_agentplugin.place.ledger import encode
from hatch_agentplugin.place.looks import look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO, TypeAlias

    from hatch_agentplugin.place.engine import Result
    from hatch_agentplugin.place.looks import Look, Noted
    from hatch_agentplugin.place.state import State
    from hatch_agentplugin.place.transaction import Outcome

    Looks: TypeAlias = dict[Look, str]

#: What a row is in the next run; where there is any other, the next run is made.
_UNCHANGED = ("placed", "updated", "unchanged")


def following(result: Result) -> Result | None:
    """What the next run would come to; None where that is not known, or nothing was written."""
    states = {row.state for row in result.rows}
    if not result.outcome.written or not states <= {*_UNCHANGED, "skipped"}:
        return None
    rows = [
        row if row.state == "skipped" else replace(row, state="unchanged", note="")
        for row in result.rows
    ]
    outcome = replace(result.outcome, written=(), made_dirs=(), diffs=(), notes=())
    return replace(result, rows=tuple(rows), outcome=outcome, after={}, notes=())


def keep(
    arguments: Sequence[str], noted: Noted, state: State, outcome: Outcome, said: Tapes
) -> None:
    """Leave the note of a run: what it has looked at and written, and what the next one says."""
    looks = {**noted.looks, **_written(noted.looks, state, outcome), **_code()}
    data = _again.packed(_again.key(arguments), said.out.text, said.err.text, looks)
    if noted.sound and data is not None:
        with suppress(OSError):  # It is a help, and nothing depends on it.
            fd = os.open(state.again, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(fd, "wb") as file:
                file.write(data)


def _written(looks: Looks, state: State, outcome: Outcome) -> Looks:
    """The looks at what the run itself has changed, as they are now."""
    written = {
        # By the name it was read under: with its links resolved.
        name if ("read", name) in looks else os.path.realpath(name): change.data
        for change in outcome.written
        for name in [str(change.path)]
    }
    touched = {*written, *outcome.made_dirs}
    listed = {os.path.dirname(path) for path in touched}
    now: Looks = {}
    for kind, what in looks:
        ours = what in touched or what.startswith(state.root + os.sep)
        if kind == "read" and what in written:
            data = written[what]
            now[kind, what] = "" if data is None else digest(data)
        elif kind not in ("read", "env") and (ours or (kind == "list" and what in listed)):
            now[kind, what] = look(kind, what)
    for name in written:  # Its mode counts from now on.
        now["stat", name] = look("stat", name)
    now["read", str(state.ledger)] = digest(encode(state, outcome.ledger))
    now["list", str(state.journal)] = _EMPTY
    now["stat", str(state.home)] = look("stat", state.home)
    full = {folder for name in written for folder in FilePath(name).parents}
    for folder in {*outcome.ledger.folders} - full:
        # One that we have made and that is empty in the end is to be removed.
        now["list", folder] = look("list", folder)
    return now


_EMPTY = digest(b"")


def _code() -> Looks:
    """Our own modules: another version may say something else."""
    return {
        ("code", file): look("code", file)
        for name, module in list(sys.modules.items())
        if name.startswith("hatch_agentplugin") and (file := getattr(module, "__file__", None))
    }


class _Tape:
    """Takes down what is written to a stream."""

    def __init__(self, stream: TextIO) -> None:
        self.encoding, self.isatty = stream.encoding, stream.isatty
        self.text = ""

    def write(self, text: str) -> None:
        """Take it down."""
        self.text += text

    def flush(self) -> None:
        """Nothing is held back."""


class Tapes:
    """While it is entered, it takes down what is said instead of having it said."""

    def __enter__(self) -> Tapes:
        self._real = sys.stdout, sys.stderr
        self.out, self.err = map(_Tape, self._real)
        sys.stdout, sys.stderr = self.out, self.err
        return self

    def __exit__(self, *_: object) -> None:
        sys.stdout, sys.stderr = self._real
