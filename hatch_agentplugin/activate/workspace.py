"""The working copy of one run: files, ledger and report, changed together. Writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate.drafts import Desk
from hatch_agentplugin.activate.ledger_index import Placements, key_of
from hatch_agentplugin.activate.result import Refused, Row
from hatch_agentplugin.edit import (
    MISSING,
    DocumentError,
    Found,
    Json,
    Missing,
    Record,
)
from hatch_agentplugin.edit import entries as documents
from hatch_agentplugin.plan import ScopeName
from hatch_agentplugin.transaction.ledger import Ledger, Placed
from hatch_agentplugin.transaction.problem import FileProblem


@dataclass(frozen=True)
class Owner:
    """For whom something is placed: one plugin in one host and scope."""

    plugin: str
    version: str
    host: str
    scope: ScopeName
    project: str | None
    environment: str

    def has(self, placed: Placed) -> bool:
        """Whether a placement is of this plugin, host and scope."""
        return (placed.plugin, placed.host, placed.scope, placed.project) == (
            self.plugin,
            self.host,
            self.scope,
            self.project,
        )

    def row(self, state: Any, note: str = "", **more: Any) -> Row:
        """A row of the report about this owner."""
        return Row(
            self.plugin, self.host, self.scope, state, note=note, project=self.project, **more
        )


@dataclass
class _Entry:
    """One insertion in a document, and everything in the ledger that stands for it.

    A key that several plugins need is inserted once and goes with the last of them.
    """

    record: Record
    owners: list[Placed]


class Work:
    """Files, ledger entries and report rows as they will be."""

    def __init__(
        self,
        read: Callable[[Path], bytes | None],
        ledger: Ledger,
        resolve: Callable[[Path], Path] = Path,
    ) -> None:
        self.desk = Desk(read)
        self._resolve = resolve
        self._names: dict[Path, Path] = {}
        self.placed = Placements(ledger.entries)
        self.plugins = dict(ledger.plugins)
        self.rows: list[Row] = []
        for path in dict.fromkeys(placed.path for placed in ledger.entries):
            with suppress(FileProblem):
                self.name(Path(path))

    def name(self, path: Path) -> Path:
        """The name by which a file is known here: two paths may mean the same file."""
        return self._names.setdefault(self._resolve(path), path)

    def save(self) -> tuple[Any, ...]:
        """What `restore` takes, to give up all changes made from here on."""
        return self.desk.save(), list(self.placed), dict(self.plugins), list(self.rows)

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Give up the changes made since `save`."""
        drafts, placed, plugins, rows = saved
        self.desk.restore(drafts)
        self.placed, self.plugins, self.rows = Placements(placed), dict(plugins), list(rows)

    # --- documents

    def found(self, placed: Placed) -> Found:
        """What has become of an entry. Raises Refused."""
        data = self.desk.read(Path(placed.path))
        if data is None:
            return Found.ABSENT
        with named(placed.path):
            return documents.state(data, record_of(placed))

    def change(
        self, path: str, group: str, changes: Sequence[tuple[Placed, Json | Missing]]
    ) -> None:
        """Give entries in a document new values, or drop them (`MISSING`). Raises Refused."""
        entries = self._entries(path)
        data = self.desk.read(Path(path)) or b""
        values: dict[int, Json | Missing] = {}
        for placed, value in changes:
            index = next(i for i, entry in enumerate(entries) if _holds(entry.owners, placed))
            owners = entries[index].owners
            if value is MISSING and len(owners) > 1:
                owners[:] = [other for other in owners if key_of(other) != key_of(placed)]
            else:
                values[index] = value
        with named(path):
            data, standing = documents.rework(data, [entry.record for entry in entries], values)
        left = [
            replace(owner, record=record.to_json())
            for index, record in standing
            for owner in entries[index].owners
        ]
        self.placed.put(path, left)
        self._write_document(path, data, group, bool(left), [placed for placed, _ in changes])

    def append(
        self, owner: Owner, path: Path, kind: str, format: str, at: tuple[str, ...], value: Json,
        placement: dict[str, Any],
    ) -> None:  # fmt: skip
        """Insert an entry and enter it into the ledger. Raises Refused."""
        data = self.desk.read(path)
        created = data is None or any(is_created(other) for other in self.at(str(path)))
        with named(path):
            edit = documents.insert(data or b"", kind, format, at, value)
        self.desk.write(path, edit.data, owner.host)
        self.enter(owner, path, kind, {**placement, "created": created}, record=edit.record)

    def ours(self, path: Path | str) -> list[Json]:
        """The values of all our entries in a document."""
        return [placed.record["value"] for placed in self.at(str(path)) if placed.record]

    def edited(self, placed: Placed) -> Record | None:
        """A record for an entry of ours as somebody has changed it, or None. Raises Refused."""
        data = self.desk.read(Path(placed.path))
        if data is None:
            return None
        with named(placed.path):
            return documents.edited(data, record_of(placed), self.ours(placed.path))

    def keep_others(self, placed: Placed, edit: Record, group: str) -> bool:
        """Give what others have put into an entry of ours an entry of its own, before ours goes.

        Returns whether there was anything. Raises Refused.
        """
        record = record_of(placed)
        rest = documents.others(edit.value, record)
        if isinstance(rest, Missing):
            return False
        path = Path(placed.path)
        with named(path):
            made = documents.insert(
                self.desk.read(path) or b"", "item", record.format, record.path, rest
            )
        self.desk.write(path, made.data, group)
        return True

    def copies(self, placed: Placed) -> int:
        """How many more entries there are like one that stands. Raises Refused."""
        record = record_of(placed)
        if record.op != "item":
            return 0
        data = self.desk.read(Path(placed.path)) or b""
        with named(placed.path):
            items = documents.items(data, record.format, record.path)
        ours = sum(value == record.value for value in self.ours(placed.path))
        return sum(item == record.value for item in items) - ours

    def at(self, path: str) -> list[Placed]:
        """What is placed in one file, in the order of insertion."""
        return self.placed.at(path)

    def _entries(self, path: str) -> list[_Entry]:
        entries: list[_Entry] = []
        for placed in self.at(path):
            if placed.record is None:
                continue
            record = record_of(placed)
            same = [
                e
                for e in entries
                if record.op == "key" == e.record.op and e.record.path == record.path
            ]
            if same:
                same[0].owners.append(placed)
            else:
                entries.append(_Entry(record, [placed]))
        return entries

    def _write_document(
        self, path: str, data: bytes, group: str, ours: bool, gone: Sequence[Placed]
    ) -> None:
        if not data and not ours and any(map(is_created, gone)):
            self.desk.write(Path(path), None, group)
        elif self.desk.read(Path(path)) is not None:
            self.desk.write(Path(path), data, group)

    # --- the ledger

    def enter(
        self, owner: Owner, path: Path, kind: Any, placement: dict[str, Any],
        record: Record | None = None, data: bytes | None = None,
    ) -> None:  # fmt: skip
        """Enter something that was placed into the ledger."""
        self.placed.append(
            Placed(
                plugin=owner.plugin,
                version=owner.version,
                host=owner.host,
                scope=owner.scope,
                path=str(path),
                kind=kind,
                placement=placement,
                environment=owner.environment,
                project=owner.project,
                record=None if record is None else record.to_json(),
                sha256=None if data is None else sha256(data).hexdigest(),
            )
        )

    def swap(self, old: Placed, new: Placed) -> Placed:
        """Replace one ledger entry. Returns the new one."""
        self.placed.swap(old, new)
        return new

    def strike(self, old: Placed) -> None:
        """Take one entry out of the ledger."""
        self.placed.strike(old)


class named:  # noqa: N801
    """Says which file a document error is about, as a `Refused`."""

    def __init__(self, path: Path | str) -> None:
        self.path = path

    def __enter__(self) -> None:
        return

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DocumentError):
            raise Refused(f"{self.path}: {error}; nothing was changed") from None


def record_of(placed: Placed) -> Record:
    """The record of an item or key."""
    return Record.from_json(placed.record)


def is_created(placed: Placed) -> bool:
    """Whether the file did not exist before we placed something in it."""
    return bool(placed.placement.get("created"))


def events_of(placed: Placed) -> tuple[str, ...]:
    """The canonical events that a placement serves."""
    return tuple(placed.placement.get("events", ()))


def _holds(owners: Sequence[Placed], placed: Placed) -> bool:
    return any(key_of(owner) == key_of(placed) for owner in owners)
