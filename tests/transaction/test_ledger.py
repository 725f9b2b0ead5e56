"""The ledger: format, migration, damage, and the files beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.transaction import ledger as module
from hatch_agentplugin.transaction.ledger import (
    FileRow,
    Ledger,
    LedgerError,
    NewerLedgerError,
    Placed,
    PluginRow,
    load,
)
from hatch_agentplugin.transaction.problem import FileProblem

from ._world import World

PLACED = Placed(
    plugin="acme", version="1.0", host="gemini-cli", scope="project", path="/home/ü/\udcff.json",
    kind="key", placement={"op": "key", "at": ["a", "b"], "value": {"deep": [1, None]}},
    environment="/venv", project="/work", record={"pieces": ["\r\n", "x"], "before": None},
    sha256=None,
)  # fmt: skip
FULL = Ledger(
    entries=(PLACED, replace(PLACED, kind="shim", record=None, sha256="0" * 64)),
    plugins={"acme": PluginRow("/bundle", "/python", "/runtime", "1.0", "/venv")},
    files={PLACED.path: FileRow("f" * 64)},
    folders=("/home/ü",),
)


def test_round_trip() -> None:
    """Writing and reading gives the same ledger, even for a path that is not UTF-8."""
    assert Ledger.from_bytes(FULL.to_bytes()) == FULL
    assert Ledger.from_bytes(Ledger().to_bytes()) == Ledger()


@given(st.text(), st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_round_trip_of_anything(text: str, value: object) -> None:
    """The same for any strings and values."""
    entry = replace(PLACED, path=text, placement={text: value})
    ledger = replace(FULL, entries=(entry,), files={text: FileRow(text)})
    assert Ledger.from_bytes(ledger.to_bytes()) == ledger


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"null",
        b"[]",
        b"\x00\x00\x00\x00",
        b"\xff",
        FULL.to_bytes()[:-40],
        b'{"format": 0}',
        b'{"format": "1"}',
        b'{"format": 1, "more": 1}',
        b'{"format": 1, "entries": [{}]}',
        b'{"format": 1, "entries": 1}',
        b'{"format": 2, "more": 1}',
        b'{"format": 2, "entries": [{}]}',
        b'{"format": 2, "files": {"/a": {"sha256": 1}}}',
        b"[" * 100_000,
    ],
)
def test_not_a_ledger(data: bytes) -> None:
    """The format is closed: unknown keys and wrong types are refused."""
    with pytest.raises(LedgerError):
        Ledger.from_bytes(data)


def test_newer_ledger() -> None:
    """A newer ledger is not a damaged one: it must not be replaced by an old copy."""
    with pytest.raises(NewerLedgerError):
        Ledger.from_bytes(b'{"format": 3, "what": "ever"}')


def test_older_ledger_is_migrated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrations run one by one, in order."""

    def from_0(raw: dict[str, object]) -> dict[str, object]:
        return {"format": 1, "folders": raw["made"], "entries": []}

    monkeypatch.setitem(module.MIGRATIONS, -1, lambda raw: {"format": 0, "made": raw["dirs"]})
    monkeypatch.setitem(module.MIGRATIONS, 0, from_0)
    old = Ledger.from_bytes(json.dumps({"format": -1, "dirs": ["/x"]}).encode())
    assert old == Ledger(folders=("/x",))


def test_ledger_that_version_1_wrote() -> None:
    """A real file: fields that equal their default are not in it."""
    old = Ledger.from_bytes((Path(__file__).parent / "data/ledger-1.json").read_bytes())
    assert {placed.host for placed in old.entries} == {
        "claude-code", "codex", "cursor", "gemini-cli",
    }  # fmt: skip
    assert all(placed.record or placed.sha256 for placed in old.entries)
    assert Ledger.from_bytes(old.to_bytes()) == old


def test_ledger_of_format_1() -> None:
    """Its entries named the folders made for them; format 2 leaves that to the table of folders."""
    entry = {
        "plugin": "acme", "version": "1.0", "host": "gemini-cli", "scope": "user",
        "path": "/home/me/.gemini/settings.json", "kind": "item", "placement": {"key": "item:x"},
        "environment": "/venv", "project": None, "record": {"pieces": ["x"]}, "sha256": None,
        "created_dirs": ["/home/me/.gemini"],
    }  # fmt: skip
    row = {"bundle": "/b", "python": "/p", "runtime": "/r", "version": "1.0", "environment": "/v"}
    old = {
        "entries": [entry], "plugins": {"acme": row}, "files": {entry["path"]: {"sha256": "0"}},
        "folders": ["/home/me/.gemini"], "format": 1,
    }  # fmt: skip
    new = Ledger.from_bytes(json.dumps(old).encode())
    assert new.entries[0].path == entry["path"]
    assert new.folders == ("/home/me/.gemini",)
    assert new.plugins["acme"].bundle == "/b"
    assert b"created_dirs" not in new.to_bytes()
    assert Ledger.from_bytes(new.to_bytes()) == new


def test_paths_of_another_ledger() -> None:
    """Entries, plugins and files of the named paths are replaced; the rest stays."""
    here = Ledger(
        entries=(replace(PLACED, path="/a", version="2"), replace(PLACED, path="/b", version="2")),
        files={"/a": FileRow("2"), "/b": FileRow("2")},
    )
    there = replace(FULL, entries=(replace(PLACED, path="/a"),), files={"/a": FileRow("1")})
    mixed = here.with_paths_of(there, {"/a"})
    assert {(entry.path, entry.version) for entry in mixed.entries} == {("/a", "1.0"), ("/b", "2")}
    assert mixed.files == {"/a": FileRow("1"), "/b": FileRow("2")}
    assert mixed.plugins == FULL.plugins


@pytest.mark.parametrize("damage", [b"", b"{", None], ids=["empty", "truncated", "missing"])
def test_damaged_ledger_is_replaced_by_its_copy(world: World, damage: bytes | None) -> None:
    """A note says so, the damaged file is renamed, and no entry is lost."""
    world.activate(1)
    if damage is None:
        Path(world.state.ledger).unlink()
    else:
        Path(world.state.ledger).write_bytes(damage)
    assert len(load(world.state)[0].entries) == 4
    outcome = world.activate(1)
    assert "its copy is used" in outcome.notes[0]
    world.check_recovered(1)
    aside = Path(world.state.ledger).with_name("ledger.json.damaged")
    assert (aside.read_bytes() if aside.exists() else None) == damage
    assert world.activate(0).notes == ()
    assert world.files() == world.expected(0)


def test_both_damaged(world: World) -> None:
    """The error names the ledger and says what to do; no host file is touched."""
    world.activate(1)
    Path(world.state.ledger).write_bytes(b"{")
    Path(world.state.ledger_copy).write_bytes(b"{")
    with pytest.raises(FileProblem) as caught:
        world.activate(0)
    assert caught.value.path == world.state.ledger
    assert "move them away" in caught.value.advice
    assert world.files() == world.expected(1)


def test_newer_ledger_stops_everything(world: World) -> None:
    """The advice is to update; the copy is not used."""
    world.activate(1)
    Path(world.state.ledger).write_bytes(b'{"format": 3}')
    with pytest.raises(FileProblem, match="update hatch-agentplugin"):
        world.activate(0)
    assert world.files() == world.expected(1)


def test_damaged_journal_stops_everything(world: World) -> None:
    """Nothing else is done until the killed run can be recovered."""
    world.activate(1)
    (Path(world.state.journal) / "journal.json").write_bytes(b"{")
    with pytest.raises(FileProblem, match="journal"):
        world.activate(0)
    assert world.files() == world.expected(1)
