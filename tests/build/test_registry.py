"""Loading adapters: what is accepted, in which order, and what is said about the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from itertools import permutations
from pathlib import Path

import pytest

from hatch_agentplugin.hosts.registry import AdapterError, load_hosts

GROUP = "agent_plugin.adapters"
HOST = """
from dataclasses import replace
from hatch_agentplugin.adapter import Detect, Evidence, Host, hookimpl

def host(name, **changes):
    evidence = Evidence(basis="claimed", version="1", date="2026-11-01")
    return Host(**{"id": name, "name": name, "evidence": evidence, "detect": Detect(), **changes})
"""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of modules to import in this test only."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def point(folder: Path, name: str, body: str, *, preamble: str = HOST) -> EntryPoint:
    (folder / f"adapter_{name}.py").write_text(preamble + body, "utf-8")
    return EntryPoint(name, f"adapter_{name}", GROUP)


def hosts_of(*names: str) -> str:
    listed = ", ".join(f'host("{name}")' for name in names)
    return f"@hookimpl\ndef agent_plugin_hosts():\n    return [{listed}]\n"


def test_hosts_are_sorted_whatever_the_order_of_entry_points(modules: Path) -> None:
    points = [
        point(modules, "one", hosts_of("b-host", "a-host")),
        point(modules, "two", hosts_of("c-host")),
        point(modules, "three", hosts_of()),
    ]
    results = {tuple(load_hosts(order)) for order in permutations(points)}
    assert results == {("a-host", "b-host", "c-host")}


def test_built_in_adapters_come_by_the_same_door() -> None:
    """As installed, the entry points of this distribution give at least the seven shapes."""
    assert set(load_hosts()) >= {
        "claude-code", "cline", "codex", "copilot-cli", "cursor", "gemini-cli", "opencode",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import not_there", "fails: ModuleNotFoundError: No module named 'not_there'"),
        ("1 / 0", "fails: ZeroDivisionError: division by zero"),
        ("", "fails: TypeError: no function agent_plugin_hosts is marked with @hookimpl"),
        (
            "def agent_plugin_hosts():\n    return [host('x')]",
            "fails: TypeError: no function agent_plugin_hosts is marked with @hookimpl",
        ),
        ("@hookimpl\ndef agent_plugin_host():\n    return []", "does not fit: unknown hook"),
        ("@hookimpl\ndef agent_plugin_hosts(x):\n    return []", "does not fit: "),
        ("@hookimpl\ndef agent_plugin_hosts():\n    return ['x']", "returns str, a Host"),
        ("@hookimpl\ndef agent_plugin_hosts():\n    return 5", "fails: TypeError"),
        (
            "@hookimpl\ndef agent_plugin_hosts():\n    return [host('Bad Id', tools={'x': []})]",
            ("host \"Bad Id\": id: must be lower-case letters, digits and hyphens, got 'Bad Id'; "
            "tools: unknown \"x\""),
        ),
    ],
    ids=[
        "import", "raises", "empty", "unmarked", "misspelt", "signature", "not-a-host",
        "not-a-list", "mistakes",
    ],
)  # fmt: skip
def test_broken_adapter(modules: Path, body: str, why: str) -> None:
    """One error that names the adapter and says what to do, whatever went wrong."""
    good = point(modules, "good", hosts_of("good"))
    with pytest.raises(AdapterError) as caught:
        load_hosts([good, point(modules, "bad", body)])
    first, advice = str(caught.value).splitlines()
    assert first.startswith(f'host adapter "bad": {why}')
    assert advice == "  update or uninstall that distribution, or report this to its authors"


def test_two_adapters_of_one_host(modules: Path) -> None:
    """The same error from either order."""
    points = [point(modules, "one", hosts_of("x")), point(modules, "two", hosts_of("x"))]
    texts = set()
    for order in permutations(points):
        with pytest.raises(AdapterError) as caught:
            load_hosts(order)
        texts.add(str(caught.value))
    assert texts == {
        (
            'host adapter "two": describes "x", as does "one"\n'
            "  uninstall one of the two distributions, or give one host another id"
        )
    }


def test_adapter_without_a_result_gives_no_host(modules: Path) -> None:
    """A hook that returns None has no opinion, as everywhere in pluggy."""
    body = "@hookimpl\ndef agent_plugin_hosts():\n    return None\n"
    assert load_hosts([point(modules, "none", body)]) == {}
