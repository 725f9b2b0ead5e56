"""The ledger: what we placed, per user; the only proof of ownership. Format 1.

JSON, closed: an unknown key or a wrong type means that the file is damaged or newer than we are.
Only a transaction writes it, in one step, and then writes a copy beside it. The copy is used if the
ledger is damaged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from hatch_agentplugin import codec
from hatch_agentplugin.transaction import files as _files
from hatch_agentplugin.transaction.problem import FileProblem, shown
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.words import ScopeName

FORMAT = 1
Kind = Literal["item", "key", "file", "shim"]


class LedgerError(ValueError):
    """Bytes that are not a ledger."""


class NewerLedgerError(LedgerError):
    """A ledger that a later version of this project wrote."""


@dataclass(frozen=True)
class Inserted:
    """A value that we inserted into a document."""

    format: str
    """The document's format."""
    at: tuple[str, ...]
    """Keys from the root: of the list that holds an item, or of the key itself."""
    value: Any
    batch: int
    """Number of the batch in `Ledger.documents` that it was written with."""


@dataclass(frozen=True)
class LedgerEntry:
    """One thing that we placed."""

    plugin: str
    version: str
    host: str
    scope: ScopeName
    path: str
    """The file as it was named when it was placed."""
    kind: Kind
    key: str
    """Names the placement across versions of the plugin."""
    environment: str
    """``sys.prefix`` of the environment that placed it."""
    events: tuple[str, ...] = ()
    """Canonical events, or content, that it serves."""
    commands: dict[str, str] = field(default_factory=dict)
    """Slot -> the command that the host runs for it."""
    created: bool = False
    """Whether the file did not exist before we placed something in it."""
    project: str | None = None
    """Root of the project, for the scopes that have one."""
    inserted: Inserted | None = None
    """The value that an item or key added to a document."""
    sha256: str | None = None
    """Content of a file or shim of our own."""


@dataclass(frozen=True)
class PluginRow:
    """The record of a plugin; it remains when the plugin's package is gone."""

    bundle: str
    """Folder of the bundle."""
    python: str
    """Interpreter that runs its handlers."""
    runtime: str
    """Folder that holds our own package."""
    version: str
    environment: str
    """``sys.prefix`` of the environment that owns it."""


@dataclass(frozen=True)
class FileRow:
    """A file that holds something of ours."""

    sha256: str
    """Digest of its content after our last write, to detect later writes by others."""


@dataclass(frozen=True)
class Ledger:
    """Everything that we placed for one user."""

    entries: tuple[LedgerEntry, ...] = ()
    plugins: dict[str, PluginRow] = field(default_factory=dict)
    """By plugin id."""
    files: dict[str, FileRow] = field(default_factory=dict)
    """By path, as in the entries. The transaction keeps it."""
    documents: dict[str, tuple[dict[str, Any], ...]] = field(default_factory=dict)
    """By path, as in the entries: the patches of our batches of insertions, oldest first."""
    folders: tuple[str, ...] = ()
    """Folders that we made, links resolved. The transaction keeps it and removes empty ones."""
    format: int = FORMAT

    def to_bytes(self) -> bytes:
        """Return the ledger as JSON."""
        return codec.encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> Ledger:
        """Read a ledger. Raises LedgerError."""
        try:
            raw = codec.parse(data)
            _check_format(raw)
            return codec.decode(cls, raw)
        except codec.Malformed as error:
            raise LedgerError(str(error)) from None

    def renamed(self, name: Callable[[str], str]) -> Ledger:
        """Return this ledger with every path replaced by `name` of it."""
        return replace(
            self,
            entries=tuple(
                replace(one, path=name(one.path), environment=name(one.environment))
                for one in self.entries
            ),
            plugins={
                plugin: replace(
                    row,
                    bundle=name(row.bundle),
                    python=name(row.python),
                    runtime=name(row.runtime),
                    environment=name(row.environment),
                )
                for plugin, row in self.plugins.items()
            },
            files={name(path): row for path, row in self.files.items()},
            documents={name(path): patches for path, patches in self.documents.items()},
            folders=tuple(map(name, self.folders)),
        )

    def with_paths_of(self, other: Ledger, paths: Collection[str]) -> Ledger:
        """Return this ledger, with the entries of `other` for the files `paths`.

        So the ledger stays correct if some files of a transaction could not be changed.
        """
        entries = [entry for entry in self.entries if entry.path not in paths]
        entries += [entry for entry in other.entries if entry.path in paths]
        plugins = dict(self.plugins)
        for entry in entries:
            if entry.plugin not in plugins and entry.plugin in other.plugins:
                plugins[entry.plugin] = other.plugins[entry.plugin]
        return replace(
            self,
            entries=tuple(entries),
            plugins=plugins,
            files=_mixed(self.files, other.files, paths),
            documents=_mixed(self.documents, other.documents, paths),
        )


T = TypeVar("T")


def _mixed(mine: dict[str, T], other: dict[str, T], paths: Collection[str]) -> dict[str, T]:
    """Return `mine`, with the values of `other` for some paths."""
    kept = {path: row for path, row in mine.items() if path not in paths}
    return kept | {path: row for path, row in other.items() if path in paths}


def encode(state: State, ledger: Ledger) -> bytes:
    """Return a ledger as JSON; in an image with the paths inside."""
    return (ledger.renamed(state.inside) if state.image else ledger).to_bytes()


def decode(state: State, data: bytes) -> Ledger:
    """Read a ledger; in an image its paths become paths here. Raises LedgerError."""
    ledger = Ledger.from_bytes(data)
    return ledger.renamed(state.here) if state.image else ledger


def _check_format(raw: Any) -> None:
    found = raw.get("format") if isinstance(raw, dict) else None
    if type(found) is not int:
        raise LedgerError("not a ledger")
    if found > FORMAT:
        raise NewerLedgerError(f"format {found} is newer than {FORMAT}")
    if found < FORMAT:
        raise LedgerError(f"format {found} is not known")


def load(state: State) -> tuple[Ledger, tuple[str, ...]]:
    """Return the ledger, and notes for the user if it is damaged.

    If the ledger is damaged, its copy is returned; the next transaction writes both again. Raises
    FileProblem if neither can be used, or if a newer version of this project wrote the ledger.
    """
    try:
        found = _files.snapshot(state.ledger)
        if found is not None:
            return decode(state, found.data), ()
    except NewerLedgerError as error:
        raise FileProblem(state.ledger, str(error), "update hatch-agentplugin") from None
    except LedgerError as error:
        return _load_copy(state, str(error))
    except OSError as error:
        raise FileProblem.of(state.ledger, error) from None
    if _files.lexists(state.ledger_copy):
        return _load_copy(state, "missing")
    return Ledger(), ()


def _load_copy(state: State, why: str) -> tuple[Ledger, tuple[str, ...]]:
    try:
        found = _files.snapshot(state.ledger_copy)
        if found is None:
            raise LedgerError("it does not exist")
        ledger = decode(state, found.data)
    except (LedgerError, OSError) as error:
        raise FileProblem(
            state.ledger,
            f"damaged ({why}), and its copy {state.ledger_copy.name} is unusable ({error})",
            "restore both from a backup of yours, or move them away: activate finds entries that "
            "start one of our launchers",
        ) from None
    return ledger, (f"{shown(state.ledger)}: damaged ({why}); its copy is used instead",)


def mend(state: State) -> tuple[str, ...]:
    """Replace a damaged ledger with its copy, and return notes for the user.

    The damaged file is renamed to ``ledger.json.damaged``. Needs the lock. Raises FileProblem.
    """
    ledger, notes = load(state)
    if not notes:
        return ()
    try:
        if _files.lexists(state.ledger):
            aside = state.ledger.with_name("ledger.json.damaged")
            _files.replace(state.ledger, aside)
        _files.write_own(state.ledger, encode(state, ledger), state.mode)
    except OSError as error:
        raise FileProblem.of(state.ledger, error) from None
    return notes
