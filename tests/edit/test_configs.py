"""Every settings file of the collection takes our edits and gives back its bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_agentplugin.edit import (
    DocumentError,
    Found,
    Record,
    editor,
    take_out,
    unwind,
)

from ._documents import hook
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


def edits_of(name: str, plugin: str) -> list[tuple[str, tuple[str, ...], object]]:
    """Return the insertions that suit a file."""
    if FORMATS[Path(name).suffix] == "text":
        return [("key", (plugin,), f"# {plugin}\nrun {plugin}")]
    if name.startswith("kimi"):
        return [("item", ("hooks",), {"event": "Stop", "command": plugin, "timeout": 5})]
    return [
        ("item", ("hooks", "PreToolUse"), hook(plugin, "PreToolUse")),
        ("item", ("hooks", "Stop"), hook(plugin, "Stop")),
        ("item", ("hooks", "ours"), hook(plugin, "ours")),
        ("key", ("mcp_servers", plugin), {"command": plugin, "args": ["serve"]}),
        ("key", (plugin,), {"enabled": True}),
    ]


def activate(name: str, data: bytes, plugin: str) -> tuple[bytes, list[Record]]:
    if FORMATS[Path(name).suffix] == "yaml":
        pytest.importorskip("yaml")
    editing, records = editor(FORMATS[Path(name).suffix]), []
    for op, path, value in edits_of(name, plugin):
        insert = editing.insert_item if op == "item" else editing.insert_key
        edit = insert(data, path, value)  # type: ignore[arg-type]
        assert editing.find(edit.data, edit.record) is Found.PRESENT
        data = edit.data
        records.append(edit.record)
    return data, records


def test_the_collection_is_complete() -> None:
    """Thirty files; a missing one would be a test that says nothing."""
    assert len(FILES) == 30


@pytest.mark.parametrize("name", [name for name in FILES if name not in REFUSED])
def test_two_plugins_come_and_go_in_either_order(name: str) -> None:
    """Whatever goes first, the file ends as it began, and between as if only the other had come."""
    before = (CONFIGS / name).read_bytes()
    one, first = activate(name, before, "acme")
    both, second = activate(name, one, "beta")
    assert unwind(both, [*first, *second]) == before
    data, records = take_out(both, [*first, *second], range(len(first)))
    assert data == activate(name, before, "beta")[0]
    assert take_out(data, records, range(len(records))) == (before, [])
    data, records = take_out(both, [*first, *second], range(len(first), len(first) + len(second)))
    assert data == one
    assert take_out(data, records, range(len(records))) == (before, [])


@pytest.mark.parametrize("name", [name for name in FILES if name not in REFUSED])
def test_all_lines_of_before_are_still_there(name: str) -> None:
    """Nothing is moved, indented anew or written in another way."""
    before = (CONFIGS / name).read_bytes()
    after, records = activate(name, before, "acme")
    rest = iter(after)
    assert all(byte in rest for byte in before), "the old bytes are not all there in their order"
    assert len(after) == len(before) + sum(len(r.inserted.encode()) for r in records)
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
        editor("json").insert_item(before, tuple(path.split(".")), {})
    assert caught.value.line == line
    edit = editor("json").insert_item(before, ("hooks", "Stop"), {})
    assert editor("json").remove(edit.data, edit.record) == before


def test_an_off_switch_can_be_read() -> None:
    """`get` answers what the installer must warn about."""
    data = (CONFIGS / "claude/08-disable-all-hooks.json").read_bytes()
    assert editor("json").get(data, ("disableAllHooks",)) is True
    data = (CONFIGS / "codex/03-config-both-flags-array-tables-crlf.toml").read_bytes()
    assert editor("toml").get(data, ("features", "codex_hooks")) is True
