"""Files, ledger and report as one run will leave them. Writes nothing to the disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from hatch_agentplugin import edit
from hatch_agentplugin.activate.document import Document
from hatch_agentplugin.activate.insertion import canonical, foreign_part
from hatch_agentplugin.activate.ledger_index import LedgerIndex, OwnerId, identity
from hatch_agentplugin.activate.result import Refused, Row
from hatch_agentplugin.edit import MISSING, Found, Json, Missing
from hatch_agentplugin.transaction.ledger import Inserted, Kind, Ledger, LedgerEntry, PluginRow
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Change
from hatch_agentplugin.words import ScopeName


@dataclass(frozen=True)
class Owner:
    """The owner of placements: one plugin in one host and scope."""

    plugin: str
    version: str
    host: str
    scope: ScopeName
    project: str | None
    environment: str

    @property
    def id(self) -> OwnerId:
        """What its ledger entries have in common."""
        return self.plugin, self.host, self.scope, self.project

    def row(self, state: Any, note: str = "", **more: Any) -> Row:
        """Return a row of the report about this owner."""
        return Row(
            self.plugin, self.host, self.scope, state, note=note, project=self.project, **more
        )

    def entry(self, path: Path, kind: Kind, **more: Any) -> LedgerEntry:
        """Return a ledger entry of this owner."""
        return LedgerEntry(
            plugin=self.plugin,
            version=self.version,
            host=self.host,
            scope=self.scope,
            path=str(path),
            kind=kind,
            environment=self.environment,
            project=self.project,
            **more,
        )


#: Ledger entries by the key of the placement and the file.
Known: TypeAlias = dict[tuple[str, str], LedgerEntry]
#: The batch of what this run inserts, until the document is rewritten.
UNWRITTEN = -1


class Workspace:
    """Files, ledger entries and report rows as one run will leave them."""

    def __init__(
        self,
        read: Callable[[Path], bytes | None],
        ledger: Ledger,
        resolve: Callable[[Path], Path] = Path,
        *,
        failed: Collection[str] = (),
        refused: Mapping[OwnerId, str] | None = None,
    ) -> None:
        self.failed = failed
        """Hosts that were given up: nothing is placed for them, and nothing removed."""
        self._refused = refused or {}
        self._refused_now: dict[OwnerId, str] = {}
        self.drop_folders: list[Path] = []
        """Folders of ours to remove if they are empty, innermost first."""
        self.keep: list[Path] = []
        """Files to back up although they already hold something of ours."""
        self.read_disk = read
        self._resolve = resolve
        self._names: dict[Path, Path] = {}
        self._files: dict[Path, Change] = {}
        self._documents: dict[str, Document] = {}
        self._groups: dict[Path, str] = {}
        self._created = {entry.path for entry in ledger.entries if entry.created}
        self.patches = dict(ledger.documents)
        self.entries = LedgerIndex(ledger.entries)
        self.plugins: dict[str, PluginRow] = dict(ledger.plugins)
        self.rows: list[Row] = []
        for path in dict.fromkeys(entry.path for entry in ledger.entries):
            with suppress(FileProblem):
                self.known_path(Path(path))

    def known_path(self, path: Path) -> Path:
        """Return the path by which this file is known already: two paths may mean one file."""
        return self._names.setdefault(self._resolve(path), path)

    def check_allowed(self, owner: Owner) -> None:
        """Raise Refused if an earlier computation has shown that an owner's changes are impossible."""
        if owner.id in self._refused:
            raise Refused(self._refused[owner.id])

    def refuse(self, owner: Owner, error: Exception) -> None:
        """Give up all changes for an owner; the operation is computed again without it."""
        self._refused_now[owner.id] = str(error)

    def known(self, owner: Owner) -> Known:
        """Return the existing ledger entries of an owner."""
        return {(entry.key, entry.path): entry for entry in self.entries.of_owner(owner.id)}

    # --- files that are ours alone

    def read(self, path: Path) -> bytes | None:
        """Return the future content of a file, None for no file. Raises FileProblem."""
        change = self._files.get(path)
        return self.read_disk(path) if change is None else change.data

    def exists(self, path: Path) -> bool:
        """Return whether a file will exist. Raises FileProblem."""
        document = self._documents.get(str(path))
        return (document is not None and document.is_changed) or self.read(path) is not None

    def write(
        self,
        path: Path,
        data: bytes | None,
        group: str,
        *,
        executable: bool = False,
        private: bool = False,
    ) -> None:
        """Give a file new content; None removes it. `group` is the host that it is for."""
        self._files[path] = Change(path, data, group, executable, private)
        self._groups[path] = group

    # --- documents

    def document(self, path: Path | str, format: str) -> Document:
        """Return a document of the user's. Raises Refused for one that cannot be parsed."""
        name = str(path)
        if name not in self._documents:
            self._documents[name] = Document(
                Path(path),
                format,
                self.read_disk(Path(path)),
                self.entries.at(name),
                self.patches.get(name, ()),
            )
        return self._documents[name]

    def value_at(self, path: Path, format: str, at: Sequence[str]) -> Json | Missing:
        """Return a value of a document, or MISSING. Raises Refused and FileProblem."""
        if not self.exists(path):
            return MISSING
        return self.document(self.known_path(path), format).get(tuple(at))

    def document_of(self, entry: LedgerEntry) -> Document:
        """Return the document that a ledger entry is in. Raises Refused."""
        return self.document(entry.path, inserted_by(entry).format)

    def found(self, entry: LedgerEntry) -> Found:
        """Return whether an entry is present, changed or absent. Raises Refused, FileProblem."""
        return self.document_of(entry).found(entry)

    def insert(self, owner: Owner, path: Path, format: str, entry: edit.Entry, **more: Any) -> None:
        """Insert an entry into a document and add it to the ledger."""
        document = self.document(path, format)
        created = document.is_missing or str(path) in self._created
        inserted = Inserted(format, entry.path, entry.value, UNWRITTEN)
        row = owner.entry(path, entry.op, inserted=inserted, created=created, **more)
        document.insert(identity(row), entry)
        self._groups[path] = owner.host
        self.entries.put(row)

    def share(
        self, owner: Owner, path: Path, format: str, entry: edit.Entry, keep: bool, **more: Any
    ) -> str:
        """Make an owner share a key of ours, with a new value unless `keep`.

        Returns the host that it was inserted for.
        """
        document = self.document(path, format)
        insertion = document.keys[entry.path]
        first = self.entries.get(next(iter(insertion.owners)))
        row = owner.entry(path, "key", inserted=first.inserted, created=first.created, **more)
        document.share(identity(row), insertion)
        self.entries.put(row)
        if not keep and canonical(insertion.value) != canonical(entry.value):
            self.change_value(row, entry.value)
        return first.host

    def adopt(
        self, owner: Owner, path: Path, format: str, entry: edit.Entry, **more: Any
    ) -> LedgerEntry:
        """Add an item to the ledger that is in the document already. Returns its ledger entry."""
        inserted = Inserted(format, entry.path, entry.value, UNWRITTEN)
        row = owner.entry(path, "item", inserted=inserted, **more)
        self.document(path, format).adopt(identity(row), entry)
        self._groups[path] = owner.host
        return self.entries.put(row)

    def change_value(self, entry: LedgerEntry, value: Json) -> None:
        """Give an entry in a document a new value. Raises Refused."""
        self.document_of(entry).change(entry, value)
        self._groups[Path(entry.path)] = entry.host

    def remove(self, entry: LedgerEntry) -> None:
        """Remove an entry from its document and from the ledger. Raises Refused."""
        self.document_of(entry).remove(entry)
        self._groups[Path(entry.path)] = entry.host
        self.entries.remove(entry)

    def forget(self, entry: LedgerEntry) -> None:
        """Remove an entry from the ledger; it stays in its file."""
        if entry.inserted is not None and entry.path in self._documents:
            self._documents[entry.path].disown(entry)
        self.entries.remove(entry)

    def keep_foreign_part(self, entry: LedgerEntry, value: Json) -> bool:
        """Move the user's additions to an item of ours into an item of their own.

        `value` is our item as it is now. Returns True if something was moved.
        """
        inserted = inserted_by(entry)
        rest = foreign_part(value, inserted.value)
        if rest is None:
            return False
        self.document_of(entry).insert_foreign(inserted.at, rest)
        self._groups[Path(entry.path)] = entry.host
        return True

    # --- the result

    def finish(self) -> tuple[list[Change], dict[OwnerId, str]]:
        """Complete the ledger, and return the files that change in the order of their changes.

        Also returns the owners whose changes are impossible, and why. Unless there are none, the
        workspace is of no use, and has to be computed again without them.
        """
        changes: list[Change] = []
        for path, group in self._groups.items():
            try:
                change = self._files.get(path) or self._rewritten(path, group)
            except Refused as error:
                for one, why in self._documents[str(path)].culprits(error).items():
                    self._refused_now[one[:4]] = why
                continue
            if change is not None and self.read_disk(path) != change.data:
                changes.append(change)
        return changes, self._refused_now

    def ledger(self, before: Ledger) -> Ledger:
        """Return the future ledger; the transaction keeps its tables of files and folders."""
        entries = tuple(self.entries)
        paths = {entry.path for entry in entries}
        documents = {path: found for path, found in self.patches.items() if path in paths}
        return replace(before, entries=entries, plugins=self.plugins, documents=documents)

    def _rewritten(self, path: Path, group: str) -> Change | None:
        document = self._documents[str(path)]
        if not document.is_changed:
            return None
        data, patches, inserted = document.rewritten()
        for entry in self.entries.at(str(path)):
            if identity(entry) in inserted:
                self.entries.put(replace(entry, inserted=inserted[identity(entry)]))
        self.patches[str(path)] = patches
        is_gone = not data and not inserted and (document.is_missing or str(path) in self._created)
        return Change(path, None if is_gone else data, group)


def inserted_by(entry: LedgerEntry) -> Inserted:
    """Return the insertion of an item or a key."""
    assert entry.inserted is not None, f"{entry.key} is a file"
    return entry.inserted
