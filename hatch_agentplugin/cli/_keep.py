"""Leaves the note from which the same ``activate`` is answered once more: see `_again`.

What the note says of a file is what the run has decided by: of those it has written, what it wrote.
So whatever others have done meanwhile is a difference, and the next run is made. Where a run has
decided by what was not there and has then made it, it is decided again, and without a note if that
comes out otherwise.
"""

from __future__ import annotations

import os
import sys

from hatch_agentplugin._contexts import suppress
from hatch_agentplugin._record import replace
from hatch_agentplugin._sha256 import digest
from hatch_agentplugin.cli import _again
from hatch_agentplugin.place._lock import if_free
from hatch_agentplugin.place._path import FilePath
from hatch_agentplugin.place._steps import parents_of
from hatch_agentplugin.place.ledger import encode
from hatch_agentplugin.place.locate import LocateError, locate
from hatch_agentplugin.place.looks import look
from hatch_agentplugin.place.packages import package_seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO, TypeAlias

    from hatch_agentplugin.place.activate import Activation
    from hatch_agentplugin.place.context import Context
    from hatch_agentplugin.place.engine import Result
    from hatch_agentplugin.place.locate import Place
    from hatch_agentplugin.place.looks import Look
    from hatch_agentplugin.place.noted import Noted
    from hatch_agentplugin.place.state import State
    from hatch_agentplugin.place.transaction import Outcome
    from hatch_agentplugin.plan import HostPlan

    Looks: TypeAlias = dict[Look, str]

#: What a row may be in this run, to be "unchanged" in the next.
_DONE = ("placed", "updated", "unchanged")


def following(result: Result) -> Result | None:
    """What the next run would come to; None where that can't be known, or nothing is placed."""
    known = {row.state for row in result.rows} <= {*_DONE, "skipped"}
    if not known or not result.outcome.ledger.entries:
        return None
    rows = [
        row if row.state == "skipped" else replace(row, state="unchanged", note="")
        for row in result.rows
    ]
    outcome = replace(result.outcome, written=(), made_dirs=(), diffs=(), notes=())
    return replace(result, rows=tuple(rows), outcome=outcome, after={}, notes=())


def keep(
    arguments: Sequence[str],
    noted: Noted,
    context: Context,
    asked: Activation,
    outcome: Outcome,
    said: _again.Said,
) -> None:
    """Leave the note of a run: what it has looked at and written, and what the next one says.

    Raises whatever goes wrong: nothing depends on the note.
    """
    state = context.state
    if _is_seen_now(asked, context, outcome):
        return
    looks = {**noted.looks, **_written(noted.looks, state, outcome), **_code()}
    data = _again.packed(_again.key(arguments), said, looks)
    if not noted.sound or data is None:
        return
    # With the lock, so that it can't come behind a command that takes all of ours away.
    with if_free(state.lock) as held:
        if held:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
            with open(os.open(state.again, flags, 0o600), "wb") as file:
                file.write(data)


def _is_seen_now(asked: Activation, context: Context, outcome: Outcome) -> bool:
    """Whether what we have written passes for a package of a host's own: it was decided by that."""
    touched = {*map(str, outcome.made_dirs), *(str(one.path) for one in outcome.written)}
    touched |= {os.path.dirname(path) for path in touched}
    return any(
        _is_among(touched, plan.hosts[host], context, asked.place)
        and package_seen(plan.hosts[host], installed.id, context)
        for installed, plan in asked.plugins
        for host in asked.hosts
        if host in plan.hosts
    )


def _is_among(paths: set[str], plan: HostPlan, context: Context, place: Place) -> bool:
    """Whether a host's packages can be seen by one of some paths."""
    for target in [target for seen in plan.packages for target in seen.files]:
        with suppress(LocateError):
            if locate(target, context.machine, place) in paths:
                return True
    return False


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
    if written or ("read", str(state.ledger)) not in looks:
        now["read", str(state.ledger)] = digest(encode(state, outcome.ledger))
    now["list", str(state.journal)] = _EMPTY
    now["stat", str(state.home)] = look("stat", state.home)
    for folder in {*outcome.ledger.folders} - parents_of(map(FilePath, written)):
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

    def __init__(self, stream: TextIO, number: int, said: _again.Said) -> None:
        self.encoding, self.isatty = stream.encoding, stream.isatty
        self._number, self._said = number, said

    def write(self, text: str) -> None:
        """Take it down."""
        self._said.append((self._number, text))

    def flush(self) -> None:
        """Nothing is held back."""


class Taped:
    """While it is entered, what is said is taken down in order instead."""

    def __enter__(self) -> _again.Said:
        said: _again.Said = []
        self._real = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (
            _Tape(stream, number, said) for number, stream in enumerate(self._real)
        )
        return said

    def __exit__(self, *_: object) -> None:
        sys.stdout, sys.stderr = self._real
