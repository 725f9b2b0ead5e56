"""Selectors of tools: which native names they stand for, and which hosts they choose."""

from __future__ import annotations

import pytest

from hatch_agentplugin.compiler.slots import native_names, selects_host
from hatch_agentplugin.declaration import Hook
from tests.compiler.hosts import entries_host

ALPHA = entries_host()


@pytest.mark.parametrize(
    ("selectors", "names"),
    [
        ([], ()),
        (["shell"], ("Bash",)),
        (["file.write", "shell"], ("Write", "Edit", "Bash")),
        (["web"], ()),
        (["alpha:Own"], ("Own",)),
        (["alpha:a:b"], ("a:b",)),
        (["aaa:Foreign", "zzz:Foreign"], ()),
        (["shell", "alpha:Bash", "shell"], ("Bash",)),
    ],
)
def test_native_names(selectors: list[str], names: tuple[str, ...]) -> None:
    """In the order of the selectors, each name once, without names for other hosts."""
    assert native_names(ALPHA, selectors) == names


@pytest.mark.parametrize(
    ("hosts", "tools", "selected"),
    [
        ((), (), True),
        (("alpha",), (), True),
        (("aaa", "zzz"), (), False),
        ((), ("shell",), True),
        ((), ("alpha:Own",), True),
        ((), ("aaa:Foreign",), False),
        ((), ("aaa:Foreign", "zzz:Foreign"), False),
        ((), ("aaa:Foreign", "shell"), True),
        ((), ("alphabet:Foreign",), False),
        (("zzz",), ("alpha:Own",), False),
    ],
)
def test_selects_host(hosts: tuple[str, ...], tools: tuple[str, ...], selected: bool) -> None:
    """A hook is for a host unless ``hosts`` or all of its selectors name others only."""
    hook = Hook(key="hooks.x[1]", event="pre-tool-use", command="x", hosts=hosts, tools=tools)
    assert selects_host(hook, ALPHA) is selected
