"""Every settings file of the collection takes our entries and gives back its bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_agentplugin.edit import DocumentError, Entry, Found, insert, read

from ._documents import hook, insert_each
from ._editing import Edit, Editing
from ._oracle import comments_of

CONFIGS = Path(__file__).parent.parent / "cases" / "configs"
FORMATS = {
    ".json": "json", ".jsonc": "jsonc", ".hook": "json", ".toml": "toml", ".yaml": "yaml",
    "": "text",
}  # fmt: skip
FILES = sorted(
    path.relative_to(CONFIGS).as_posix()
    for path in CONFIGS.glob("*/*")
    if not path.name.startswith(".")
)
REFUSED = {"claude/09-event-is-object.json": (3, "hooks.PreToolUse")}


def entries_of(name: str, plugin: str) -> list[Entry]:
    """Return the entries that suit a file."""
    if FORMATS[Path(name).suffix] == "text":
        return [Entry("key", (plugin,), f"# {plugin}\nrun {plugin}")]
    if name.startswith("kimi"):
        return [Entry("item", ("hooks",), {"event": "Stop", "command": plugin, "timeout": 5})]
    return [
        Entry("item", ("hooks", "PreToolUse"), hook(plugin, "PreToolUse")),
        Entry("item", ("hooks", "Stop"), hook(plugin, "Stop")),
        Entry("item", ("hooks", "ours"), hook(plugin, "ours")),
        Entry("key", ("mcp_servers", plugin), {"command": plugin, "args": ["serve"]}),
        Entry("key", (plugin,), {"enabled": True}),
    ]


def activate(name: str, data: bytes, plugin: str) -> Edit:
    document = read(data, FORMATS[Path(name).suffix])
    after, batch = insert(document, entries_of(name, plugin))
    assert all(after.find(entry) is Found.PRESENT for entry in batch.entries)
    assert insert_each(document, batch.entries)[0].data == after.data
    return Edit(after.data, batch)


def test_the_collection_is_complete() -> None:
    """There are thirty files: a test of a missing one would say nothing."""
    assert len(FILES) == 30


@pytest.mark.parametrize("name", [name for name in FILES if name not in REFUSED])
def test_two_plugins_come_and_go_in_either_order(name: str) -> None:
    """Whoever leaves first: the bytes are those of the other one alone, and in the end the old."""
    before = (CONFIGS / name).read_bytes()
    editing = Editing(FORMATS[Path(name).suffix])
    one, first = activate(name, before, "acme")
    both, second = activate(name, one, "beta")
    assert editing.take_out(both, [first, second], [0, 1]) == (before, [])
    data, batches = editing.take_out(both, [first, second], [0])
    assert data == activate(name, before, "beta").data
    assert editing.take_out(data, batches, [0]) == (before, [])
    data, batches = editing.take_out(both, [first, second], [1])
    assert (data, batches) == (one, [first])
    assert editing.take_out(data, batches, [0]) == (before, [])


@pytest.mark.parametrize("name", [name for name in FILES if name not in REFUSED])
def test_all_lines_of_before_are_still_there(name: str) -> None:
    """Nothing is moved, indented anew or written in another way."""
    before = (CONFIGS / name).read_bytes()
    after, batch = activate(name, before, "acme")
    rest = iter(after)
    assert all(byte in rest for byte in before), "the old bytes are not all there in their order"
    inserted = "".join(splice.inserted for splice in batch.patch.splices)
    assert len(after) == len(before) + len(inserted.encode())
    if Path(name).suffix in (".json", ".jsonc"):
        assert comments_of(after) == comments_of(before)
    if b"\r\n" in before:
        assert after.count(b"\n") == after.count(b"\r\n")
    assert after.endswith(b"\n") == (before.endswith(b"\n") or not before)


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_shape_is_refused_with_its_line(name: str) -> None:
    """An event that is an object is named, with its line; other events are not concerned."""
    before = (CONFIGS / name).read_bytes()
    line, path = REFUSED[name]
    with pytest.raises(DocumentError, match=path) as caught:
        Editing("json").item(before, tuple(path.split(".")), {})
    assert caught.value.line == line
    edit = Editing("json").item(before, ("hooks", "Stop"), {})
    assert Editing("json").remove(edit.data, edit.batch) == before


def test_an_off_switch_can_be_read() -> None:
    """`activate` warns about it."""
    data = (CONFIGS / "claude/08-disable-all-hooks.json").read_bytes()
    assert read(data, "json").get(("disableAllHooks",)) is True
    data = (CONFIGS / "codex/03-config-both-flags-array-tables-crlf.toml").read_bytes()
    assert read(data, "toml").get(("features", "codex_hooks")) is True
