"""The ledger as a file: paths in an image, parts of two ledgers, files that can't be read."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.transaction.ledger import (
    FileRow,
    Ledger,
    LedgerEntry,
    PluginRow,
    decode,
    encode,
    load,
    mend,
)
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State


def entry(path: str, plugin: str = "acme") -> LedgerEntry:
    return LedgerEntry(plugin, "1", "host", "user", path, "file", "key", "/image/env")


def row(name: str) -> PluginRow:
    return PluginRow(f"/image/{name}/b", f"/image/{name}/p", f"/image/{name}/r", "1", "/image/env")


LEDGER = Ledger(
    entries=(entry("/image/etc/x"),),
    plugins={"acme": row("one")},
    files={"/image/etc/x": FileRow("0")},
    documents={"/image/etc/x": ()},
    folders=("/image/etc",),
)


def test_paths_in_an_image() -> None:
    """The file names each path as the image will, and reading it gives the paths of here."""
    image = State(Path("/image/var"), Path("/image"), True, "/image")
    data = encode(image, LEDGER)
    assert b"/image" not in data
    assert json.loads(data)["entries"][0]["path"] == "/etc/x"
    assert decode(image, data) == LEDGER


def test_paths_of_this_machine() -> None:
    """Without an image no path changes."""
    here = State(Path("/var"), Path("/"), True)
    data = encode(here, LEDGER)
    assert json.loads(data)["entries"][0]["path"] == "/image/etc/x"
    assert decode(here, data) == LEDGER


def test_plugins_of_two_ledgers() -> None:
    """A plugin comes from the other ledger only if an entry needs it and this one lacks it."""
    here = Ledger(entries=(entry("/a"),), plugins={"acme": row("here")})
    there = Ledger(
        entries=(entry("/b"), entry("/b", "beta"), entry("/b", "gone")),
        plugins={"acme": row("there"), "beta": row("there"), "idle": row("there")},
    )
    mixed = here.with_paths_of(there, {"/b"})
    assert mixed.plugins == {"acme": row("here"), "beta": row("there")}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (LEDGER, "entries"),
        (LEDGER.entries[0], "path"),
        (row("x"), "bundle"),
        (FileRow(""), "sha256"),
    ],
)
def test_nothing_in_a_ledger_changes(value: Any, name: str) -> None:
    """Each run has the ledgers of before and after side by side."""
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, "")


@pytest.fixture
def state(tmp_path: Path) -> State:
    """A state folder with the folder for the ledger in it."""
    state = State.from_environ({}, tmp_path)
    state.ledger.parent.mkdir(parents=True)
    return state


def test_no_ledger(state: State) -> None:
    """Nothing is placed yet."""
    assert load(state) == (Ledger(), ())
    assert mend(state) == ()


def test_ledger_that_can_not_be_read(state: State) -> None:
    """The file system's reason is given; the copy is not used instead."""
    state.ledger.mkdir()
    state.ledger_copy.write_bytes(LEDGER.to_bytes())
    with pytest.raises(FileProblem) as error:
        load(state)
    assert error.value.path == state.ledger


@pytest.mark.parametrize("copy", ["missing", "damaged", "folder"])
def test_damaged_ledger_without_a_good_copy(state: State, copy: str) -> None:
    """The problem names both, whatever is wrong with the copy."""
    state.ledger.write_bytes(b"{")
    if copy == "folder":
        state.ledger_copy.mkdir()
    elif copy == "damaged":
        state.ledger_copy.write_bytes(b"[]")
    with pytest.raises(FileProblem) as error:
        load(state)
    assert error.value.path == state.ledger
    assert state.ledger_copy.name in error.value.reason


def test_damaged_ledger_that_can_not_be_set_aside(state: State) -> None:
    """Both files stay as they are."""
    state.ledger.write_bytes(b"{")
    state.ledger_copy.write_bytes(LEDGER.to_bytes())
    state.ledger.with_name("ledger.json.damaged").mkdir()
    with pytest.raises(FileProblem):
        mend(state)
    assert state.ledger.read_bytes() == b"{"
    assert load(state)[0] == LEDGER
