"""The ledger: format, migration, damage, and the files beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.transaction.ledger import (
    FileRow,
    Inserted,
    Ledger,
    LedgerEntry,
    LedgerError,
    NewerLedgerError,
    PluginRow,
    load,
)
from hatch_agentplugin.transaction.problem import FileProblem

from ._world import World

PLACED = LedgerEntry(
    plugin="acme", version="1.0", host="gemini-cli", scope="project", path="/home/ü/\udcff.json",
    kind="key", key="key:a/b", events=("mcp:x",), environment="/venv", project="/work",
    inserted=Inserted("json", ("a", "b"), {"deep": [1, None]}, 0),
)  # fmt: skip
FULL = Ledger(
    entries=(PLACED, replace(PLACED, kind="shim", inserted=None, sha256="0" * 64, created=True,
                             commands={"turn-end": "/launch gemini-cli turn-end"})),
    plugins={"acme": PluginRow("/bundle", "/python", "/runtime", "1.0", "/venv")},
    files={PLACED.path: FileRow("f" * 64)},
    documents={PLACED.path: ({"splices": ["\r\n", "x"], "before": None},)},
    folders=("/home/ü",),
)  # fmt: skip


def test_round_trip() -> None:
    """Writing and reading gives the same ledger, even for a path that is not UTF-8."""
    assert Ledger.from_bytes(FULL.to_bytes()) == FULL
    assert Ledger.from_bytes(Ledger().to_bytes()) == Ledger()


@given(st.text(), st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_round_trip_of_anything(text: str, value: object) -> None:
    """Whatever the strings and values are."""
    entry = replace(PLACED, path=text, inserted=Inserted("json", (text,), value, 0))
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
        b'{"format": 1, "files": {"/a": {"sha256": 1}}}',
        b'{"format": 1, "documents": {"/a": [1]}}',
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
        Ledger.from_bytes(b'{"format": 2, "what": "ever"}')


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
    Path(world.state.ledger).write_bytes(b'{"format": 2}')
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
