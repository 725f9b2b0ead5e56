"""The ledger: what we placed, per user; the only proof of ownership. Format 2.

JSON, closed: an unknown key or a wrong type means that the file is damaged or newer than we are.
It is written only by a transaction, in one step, and then once more beside itself: the copy
serves when the first is damaged.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hatch_agentplugin import codec
from hatch_agentplugin.plan import ScopeName
from hatch_agentplugin.transaction import files as _files
from hatch_agentplugin.transaction.problem import FileProblem, shown
from hatch_agentplugin.transaction.state import State

FORMAT = 2
Kind = Literal["item", "key", "file", "shim"]


def _from_1(raw: dict[str, Any]) -> dict[str, Any]:
    """Entries held the folders made for them, which nobody asked for: `Ledger.folders` has them."""
    for entry in raw.get("entries", ()):
        entry.pop("created_dirs", None)  # not written where it was empty
    return {**raw, "format": 2}


MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1}
"""From each older format to the next."""


class LedgerError(ValueError):
    """Bytes that are no ledger of ours."""


class NewerLedgerError(LedgerError):
    """A ledger that a later version of this project wrote."""


@dataclass(frozen=True)
class Placed:
    """One thing that we placed."""

    plugin: str
    version: str
    host: str
    scope: ScopeName
    path: str
    """The file as it was named: that of the transaction's Change."""
    kind: Kind
    placement: dict[str, Any]
    """The plan's placement as JSON, to see later what an upgrade changes."""
    environment: str
    """``sys.prefix`` of the environment that placed it."""
    project: str | None = None
    """Root of the project, for the scopes that have one."""
    record: dict[str, Any] | None = None
    """How to take an item or key out again: ``documents.Record`` as JSON."""
    sha256: str | None = None
    """Content of a file or shim of our own."""


@dataclass(frozen=True)
class PluginRow:
    """What the ledger knows of a plugin, also when its package is gone."""

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
    """Its whole content after our last write, to see whether somebody else has written since."""


@dataclass(frozen=True)
class Ledger:
    """Everything that we placed for one user."""

    entries: tuple[Placed, ...] = ()
    plugins: dict[str, PluginRow] = field(default_factory=dict)
    """By plugin id."""
    files: dict[str, FileRow] = field(default_factory=dict)
    """By path, as in the entries. The transaction keeps it."""
    folders: tuple[str, ...] = ()
    """Folders that we made, links resolved. The transaction keeps it and removes empty ones."""
    format: int = FORMAT

    def to_bytes(self) -> bytes:
        """Return the ledger as JSON."""
        return codec.encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Ledger":
        """Read a ledger of this or an older format. Raises LedgerError."""
        try:
            return codec.decode(cls, _migrate(codec.parse(data)))
        except codec.Malformed as error:
            raise LedgerError(str(error)) from None

    def renamed(self, name: Callable[[str], str]) -> "Ledger":
        """Return this ledger with `name` of every path in it."""
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
            folders=tuple(map(name, self.folders)),
        )

    def with_paths_of(self, other: "Ledger", paths: Collection[str]) -> "Ledger":
        """Return this ledger, except that what it says of the files `paths` is what `other` says.

        So the ledger stays true when some files of a transaction could not be changed.
        """
        files = {path: row for path, row in self.files.items() if path not in paths}
        files |= {path: row for path, row in other.files.items() if path in paths}
        entries = [entry for entry in self.entries if entry.path not in paths]
        entries += [entry for entry in other.entries if entry.path in paths]
        plugins = dict(self.plugins)
        for entry in entries:
            if entry.plugin not in plugins and entry.plugin in other.plugins:
                plugins[entry.plugin] = other.plugins[entry.plugin]
        return replace(self, entries=tuple(entries), plugins=plugins, files=files)


def encode(state: State, ledger: Ledger) -> bytes:
    """Return a ledger as JSON; in an image with the paths inside."""
    return (ledger.renamed(state.inside) if state.image else ledger).to_bytes()


def decode(state: State, data: bytes) -> Ledger:
    """Read a ledger; in an image its paths become paths here. Raises LedgerError."""
    ledger = Ledger.from_bytes(data)
    return ledger.renamed(state.here) if state.image else ledger


def _migrate(raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict) or type(raw.get("format")) is not int:
        raise LedgerError("not a ledger")
    ledger: dict[str, Any] = raw
    while ledger["format"] < FORMAT:
        step = MIGRATIONS.get(ledger["format"])
        if step is None:
            raise LedgerError(f"format {ledger['format']} is not known")
        try:
            ledger = step(ledger)
        except (KeyError, TypeError):
            raise LedgerError(f"not a ledger of format {ledger['format']}") from None
    if ledger["format"] > FORMAT:
        raise NewerLedgerError(f"format {ledger['format']} is newer than {FORMAT}")
    return ledger


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
