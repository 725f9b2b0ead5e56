"""A plan comes from another author's wheel, so it is read strictly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.names import is_id, is_safe_relative, is_slot
from hatch_agentplugin.plan import MAX_BYTES, Plan, PlanError


def plan(**changes: Any) -> dict[str, Any]:
    """Return a small valid plan as JSON."""
    target = {"dir": {"default": "~/.alpha"}, "path": "settings.json"}
    item = {
        "op": "item",
        "event": "turn-end",
        "files": [target],
        "format": "json",
        "at": ["hooks", "Stop"],
        "value": {"command": {"$launcher": {"slot": "turn-end", "form": "sh"}}},
    }
    host = {
        "name": "Alpha",
        "binaries": ["alpha"],
        "dirs": [{"default": "~/.alpha"}],
        "slots": ["turn-end"],
        "scopes": {"user": [item]},
    }
    base = {
        "format": 1,
        "plugin": {"id": "acme", "name": "Acme", "version": "1"},
        "inputs": "",
        "hosts": {"alpha": host},
    }
    return {**base, **changes}


def read(value: Any) -> Plan:
    return Plan.from_bytes(json.dumps(value).encode())


def test_small_plan_is_read() -> None:
    """The example of the other tests is valid, so each refusal has one cause."""
    assert read(plan()).hosts["alpha"].name == "Alpha"


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the small plan with the value at a path replaced."""
    result = json.loads(json.dumps(plan()))
    node = result
    *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    for part in parents:
        node = node[part]
    node[last] = value
    return result


ITEM = "hosts/alpha/scopes/user/0"


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("format", 2, "format"),
        ("format", True, "format"),
        ("extra", 1, "extra"),
        ("plugin/id", "../evil", "plugin.id"),
        ("plugin/version", 1, "plugin.version"),
        (f"{ITEM}/op", "run", "scopes.user[0]"),
        (f"{ITEM}/format", "ini", "scopes.user[0].format"),
        (f"{ITEM}/files", [], "scopes.user[0].files"),
        (f"{ITEM}/files/0/path", "../../.bashrc", "scopes.user[0].files"),
        (f"{ITEM}/files/0/path", "/etc/passwd", "scopes.user[0].files"),
        (f"{ITEM}/files/0/path", "a\0b", "scopes.user[0].files"),
        (f"{ITEM}/files/0/path", "C:\\x", "scopes.user[0].files"),
        (f"{ITEM}/files/0/windows", "../../.bashrc", "scopes.user[0].files"),
        (f"{ITEM}/files/0/windows", "C:\\x", "scopes.user[0].files"),
        (f"{ITEM}/files/0/dir/default", "~/../other", "scopes.user[0].files"),
        (f"{ITEM}/files/0/dir/inside", "..", "scopes.user[0].files"),
        ("hosts/alpha/slots", ["../../x"], "hosts.alpha.slots"),
        ("hosts/alpha/scopes", {"everyone": []}, "hosts.alpha.scopes"),
        ("hosts/alpha/unknown", True, "hosts.alpha.unknown"),
    ],
)
def test_bad_plans_are_refused_by_key(path: str, value: Any, where: str) -> None:
    """The error names the key."""
    with pytest.raises(PlanError) as error:
        read(changed(path, value))
    assert where in error.value.where


@pytest.mark.parametrize(
    ("plugin", "where"),
    [
        ({"id": "acme", "version": 1, "b": 1, "a": 1}, "plugin.a"),
        ({"version": 1}, "plugin.id"),
        ({"id": "acme", "name": "Acme"}, "plugin.version"),
    ],
)
def test_keys_are_told_before_values(plugin: dict[str, Any], where: str) -> None:
    """Unknown keys come first, then missing keys, then wrong values."""
    with pytest.raises(PlanError) as error:
        read(plan(plugin=plugin))
    assert error.value.where == where


def test_an_unknown_scope_is_told_before_what_is_in_it() -> None:
    with pytest.raises(PlanError) as error:
        read(changed("hosts/alpha/scopes", {"everyone": [{"op": "item"}]}))
    assert (
        str(error.value)
        == "hosts.alpha.scopes.everyone: 'everyone' is not one of user, project, local, managed"
    )


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"null",
                                  b" " * (MAX_BYTES + 1)], ids=len)  # fmt: skip
def test_anything_else_is_refused(data: bytes) -> None:
    """Broken, deep or foreign documents are a PlanError and no other exception."""
    with pytest.raises(PlanError):
        Plan.from_bytes(data)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused(data: bytes) -> None:
    """No bytes give another exception."""
    with pytest.raises(PlanError):
        Plan.from_bytes(data)


@pytest.mark.parametrize("text", ["a", "9", "a-b.c_d", "a" * 64])
def test_names_that_can_be_an_id(text: str) -> None:
    assert is_id(text)


@pytest.mark.parametrize("text", ["", "A", "-a", "a-", "a/b", "é", "a\n", "a" * 65])
def test_names_that_can_not_be_an_id(text: str) -> None:
    assert not is_id(text)


@pytest.mark.parametrize("text", ["a", "pre-tool-use.BeforeTool", "a-", "a" * 121])
def test_names_that_can_be_a_slot(text: str) -> None:
    assert is_slot(text)


@pytest.mark.parametrize("text", ["", ".a", "-a", "a/b", "é", "a\n", "a" * 122])
def test_names_that_can_not_be_a_slot(text: str) -> None:
    assert not is_slot(text)


@pytest.mark.parametrize("path", ["a", "a/b.json", ".claude/x", "å b/c"])
def test_safe_paths(path: str) -> None:
    assert is_safe_relative(path)


@pytest.mark.parametrize("path", ["", "/a", "../a", "a/../b", "~/a", "a\\b", "c:x", "a\nb"])
def test_unsafe_paths(path: str) -> None:
    assert not is_safe_relative(path)
