"""The journal: its format, and what the disk says about each entry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hatch_agentplugin.transaction import journal
from hatch_agentplugin.transaction.journal import Journal, JournalEntry
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.state import State

ENTRY = JournalEntry(
    path="/home/file",
    target="/home/file",
    group="alpha",
    staged="/home/.tmp",
    spare="/home/.old.tmp",
    kept="0.before",
    mode=0o644,
    before="old",
    after="new",
)
REPLACE = ENTRY
CREATE = replace(ENTRY, before=None)
REMOVE = replace(ENTRY, after=None)
NEW_MODE = replace(ENTRY, after="old")


@pytest.mark.parametrize(
    ("entry", "now", "staged", "applied"),
    [
        (REPLACE, "old", True, False),
        (REPLACE, "new", False, True),
        (REPLACE, "edited since", False, True),
        (REPLACE, "old", False, False),
        (CREATE, None, True, False),
        (CREATE, "new", False, True),
        (CREATE, None, False, False),
        (REMOVE, "old", False, False),
        (REMOVE, None, True, True),
        (NEW_MODE, "old", True, False),
        (NEW_MODE, "old", False, True),
    ],
)
def test_applied(entry: JournalEntry, now: str | None, staged: bool, applied: bool) -> None:
    """The target's content and the staged file tell whether a change was made."""
    assert entry.is_applied(now, staged) is applied


def test_round_trip(tmp_path: Path) -> None:
    """Writing and reading gives the same journal; dropping it leaves no file."""
    state = State.from_environ({}, tmp_path)
    state.create()
    written = Journal("applying", (CREATE, REMOVE), ("/home/new",), ("/home/old",))
    journal.write(state, written)
    assert journal.is_left_over(state)
    assert journal.read(state) == written
    (state.journal / "0.before").write_bytes(b"old")
    journal.drop(state)
    assert not journal.is_left_over(state)
    assert list(state.journal.iterdir()) == []
    assert journal.read(state) is None


@pytest.mark.parametrize("field", ["path", "target", "staged", "spare"])
def test_journal_that_leads_out_of_its_image(tmp_path: Path, field: str) -> None:
    """An image may hold a prepared journal: it must not touch files of this machine."""
    root = tmp_path / "image"
    outside = tmp_path / "outside"
    outside.mkdir()
    state = State(root / "var/lib/agent-plugin", root, shared=True, image=str(root))
    state.create()
    (root / "home").mkdir()
    (root / "link").symlink_to(outside)
    good = Journal("applying", (ENTRY,), (), ())
    journal.write(state, good)
    read = journal.read(state)
    assert read is not None
    assert read.entries[0].target == str(root / "home/file")
    entry = replace(ENTRY, **{field: "/link/file"})  # type: ignore[arg-type]
    journal.write(state, replace(good, entries=(entry,)))
    with pytest.raises(FileProblem, match="leads out of the image") as caught:
        journal.read(state)
    assert str(outside / "file") in caught.value.reason
