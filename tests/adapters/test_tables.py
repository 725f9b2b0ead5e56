"""The built-in adapters are complete, consistent and backed by evidence."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import agentplugin_adapters
import pytest

from hatch_agentplugin.adapter import (
    BRIDGE,
    BRIDGE_WIRE,
    Dir,
    Entries,
    Executables,
    Host,
    Module,
    Native,
)
from hatch_agentplugin.hosts.adapters import built_in_adapters, built_in_hosts
from hatch_agentplugin.hosts.check import FIELDS, check_host
from hatch_agentplugin.words import EVENTS, SELECTORS

ADAPTERS = {point.name: point for point in built_in_adapters()}
HOSTS = built_in_hosts()
SEVEN = ("claude-code", "cline", "codex", "copilot-cli", "cursor", "gemini-cli", "opencode")
each_host = pytest.mark.parametrize("host", HOSTS.values(), ids=list(HOSTS))
#: Outcome -> the placeholder of its value.
PLACEHOLDER_OF = {
    "allow": "$reason",
    "deny": "$reason",
    "ask": "$reason",
    "halt": "$reason",
    "keep-going": "$reason",
    "context": "$text",
    "message": "$text",
    "modify-input": "$input",
    "modify-output": "$output",
}


def natives(host: Host) -> Iterator[tuple[str, Native]]:
    for event in host.events:
        for native in host.natives(event):
            yield event, native


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from strings(item)


@each_host
def test_host_passes_the_check_of_the_registry(host: Host) -> None:
    assert check_host(host) == []


def test_every_folder_is_an_adapter() -> None:
    """A host's folder has an entry point of the host's id, and describes that host alone."""
    folder = Path(agentplugin_adapters.__file__).parent
    folders = {path.parent.name for path in folder.glob("*/__init__.py")} - {"dialects"}
    assert {name.replace("-", "_") for name in ADAPTERS} == folders
    for name, point in ADAPTERS.items():
        module = point.load()
        assert Path(module.__file__).parent == folder / name.replace("-", "_")
        assert [host.id for host in module.agent_plugin_hosts()] == [name]


@pytest.mark.parametrize("name", ADAPTERS)
def test_module_docstring_names_the_host_in_one_line(name: str) -> None:
    """Versions and dates are in the evidence only, so they cannot differ from it."""
    text = ADAPTERS[name].load().__doc__ or ""
    assert HOSTS[name].name.partition(" (")[0] in text or HOSTS[name].through
    assert len(text.splitlines()) == 1
    assert not re.search(r"\d\.\d|20\d\d", text)


def test_folder_outside_the_project_is_spelt_once() -> None:
    """A second spelling drifts: one host was once detected in a folder that was never written to."""
    spelt: dict[str, list[str]] = {}
    for path in Path(agentplugin_adapters.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Dir":
                for text in strings([getattr(one, "value", "") for one in arguments(node)]):
                    if text.startswith(("~/", "/", "%")):
                        spelt.setdefault(text, []).append(path.parent.name)
    assert len(spelt) > 50
    assert {folder: where for folder, where in spelt.items() if len(where) > 1} == {}


def arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


@each_host
def test_one_folder_is_found_in_one_way(host: Host) -> None:
    """Detection, hooks and content agree about variables and systems."""
    found: dict[str, set[Dir]] = {}
    for folder in dirs(host):
        found.setdefault(folder.default, set()).add(folder)
    if host.id == "omp":  # it shares a variable with Pi, which cannot tell whether it is installed
        found.pop("~/.omp/agent")
    assert {name: ways for name, ways in found.items() if len(ways) > 1} == {}


def dirs(value: Any) -> Iterator[Dir]:
    """Every folder in a value."""
    if isinstance(value, Dir):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from dirs(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from dirs(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from dirs(item)


@pytest.mark.parametrize("host_id", SEVEN)
def test_the_six_portable_events(host_id: str) -> None:
    """The seven hosts of the main job have every portable event."""
    missing = {name for name, event in EVENTS.items() if event.kind == "portable"} - set(
        HOSTS[host_id].events
    )
    assert missing == set()


@each_host
def test_replies_pass_on_what_the_handler_said(host: Host) -> None:
    """A reply has its outcome's placeholder and no other; allow and halt may have none."""
    for event, native in natives(host):
        for outcome, template in native.can.items():
            assert outcome in EVENTS[event].outcomes, (event, outcome)
            used = {text for text in strings(template) if text.startswith("$")} - {"$event"}
            where = (event, native.name, outcome)
            assert used <= {PLACEHOLDER_OF[outcome], f"{PLACEHOLDER_OF[outcome]}-text"}, where
            assert used or outcome in ("allow", "halt", "ask"), where
            json.dumps(template)


@each_host
def test_an_event_whose_answers_are_lost_promises_none(host: Host) -> None:
    for event, native in natives(host):
        assert not (native.detached and native.can), event


@each_host
def test_evidence_is_filled(host: Host) -> None:
    for evidence in [host.evidence, *(n.evidence for _, n in natives(host) if n.evidence)]:
        assert evidence.version
        assert evidence.source
        assert evidence.date <= "2026-11-30"


@each_host
def test_selectors_are_in_their_order(host: Host) -> None:
    """The first match decides, so a pattern for MCP tools comes after plain names."""
    assert set(host.tools) <= set(SELECTORS)
    names = [name for tools in host.tools.values() for name in tools]
    assert len(names) == len(set(names))
    if "mcp" in host.tools and any(name.startswith("*") for name in host.tools["mcp"]):
        assert list(host.tools)[-1] == "mcp"


@each_host
def test_a_code_module_speaks_the_bridge_dialect(host: Host) -> None:
    if isinstance(host.delivery, Module):
        for _, native in natives(host):
            for outcome, template in native.can.items():
                assert template == BRIDGE[outcome]


@each_host
def test_files_are_the_hosts_own_and_plainly_named(host: Host) -> None:
    """Folders are below home, the project or a root; no path leaves its folder."""
    if not isinstance(host.delivery, (Entries, Executables, Module)):
        return
    for scope, files in host.delivery.files.items():
        for file in files:
            start = file.dir.default
            assert start.startswith("~/") == (scope == "user"), (scope, start)
            assert start.startswith("/") == (scope == "managed"), (scope, start)
            assert ".." not in file.path.split("/")


@each_host
def test_own_files_carry_the_plugins_name(host: Host) -> None:
    """Two plugins never share a file of ours."""
    delivery = host.delivery
    if isinstance(delivery, Module) or (isinstance(delivery, Entries) and delivery.own):
        for files in delivery.files.values():
            assert all("{plugin}" in file.path for file in files)


@each_host
def test_hosts_that_read_others_files_can_be_told_apart(host: Host) -> None:
    for other in host.also_reads:
        assert other in HOSTS
    assert bool(host.signatures) or not host.also_reads


def test_the_dialect_of_our_own_modules_has_a_place_for_every_field() -> None:
    """Everything that a module knows about an event reaches the handler."""
    assert set(BRIDGE_WIRE.fields) == set(FIELDS)
