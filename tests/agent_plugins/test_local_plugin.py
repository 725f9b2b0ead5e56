"""Plugins as others make them, compiled for every host where they are installed."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.adapter import Host, Module
from hatch_agentplugin.agent_plugins import hooks as portable
from hatch_agentplugin.agent_plugins import local_plugin, manifest, mcp
from hatch_agentplugin.agent_plugins.local_plugin import Compiled, LocalPluginError, compile_folder
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.words import PORTABLE_EVENTS

SKILL = "---\nname: {name}\ndescription: Does it.\n---\nDo it.\n"


def lay(root: Path, name: str, files: dict[str, Any] | None = None, **more: Any) -> Path:
    """A plugin's folder; values that are no text are written as JSON."""
    made = {"plugin.json": {"$schema": manifest.SCHEMA, "name": name, **more}}
    for path, content in {**made, **(files or {})}.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return root


def hooks(**events: Any) -> dict[str, Any]:
    rows = {name.replace("_", "-"): value for name, value in events.items()}
    return {"$schema": portable.SCHEMA, "hooks": rows}


def servers(**rows: Any) -> dict[str, Any]:
    return {"$schema": mcp.SCHEMA, "mcpServers": rows}


@pytest.fixture(scope="module")
def hosts() -> dict[str, Host]:
    return dict(built_in_hosts())


def states(compiled: Compiled, event: str) -> set[str]:
    return {cell.state for cell in compiled.plan.report if cell.event == event}


def test_recorder_with_a_script_per_event(tmp_path: Path, hosts: dict[str, Host]) -> None:
    """All six events reach every host that has them; the scripts can be executed."""
    names = ("session_start", "turn_start", "pre_tool_use", "post_tool_use", "turn_end",
             "session_end")  # fmt: skip
    rows = {name: [{"command": "./record", "args": [name, "${PLUGIN_DATA}"]}] for name in names}
    lay(tmp_path, "recorder", {"hooks.json": hooks(**rows), "record": "#!/bin/sh\n"})
    compiled = compile_folder(tmp_path, hosts)
    assert compiled.notes == ()
    assert compiled.files["record"][1]
    for host in hosts.values():
        plan = compiled.plan.hosts.get(host.id)
        has = {e for e in host.events if e in PORTABLE_EVENTS} if host.delivery else set()
        slots = set() if plan is None else {slot.partition(".")[0] for slot in plan.slots}
        assert slots == has, host.id


def test_commands_whose_path_is_written_oddly(tmp_path: Path, hosts: dict[str, Host]) -> None:
    """An author's ``./bin/./it`` stands in our own folders as he has written it."""
    files = {
        "hooks.json": hooks(turn_end=[{"command": "./bin//it"}]),
        "mcp.json": servers(it={"type": "stdio", "command": "./bin/./it"}),
        "bin/it": "#!/bin/sh\n",
    }
    compiled = compile_folder(lay(tmp_path, "odd", files), hosts)
    assert compiled.notes == ()
    assert compiled.files["bin/it"][1]
    assert "native" in states(compiled, "turn-end")
    assert "native" in states(compiled, "mcp:it")


def test_skills_and_servers_without_hooks(tmp_path: Path, hosts: dict[str, Host]) -> None:
    """A plugin as most are today; a folder without SKILL.md and a deep one are no skills."""
    files = {
        "skills/deploy/SKILL.md": SKILL.format(name="deploy"),
        "skills/deploy/references/a.md": "a",
        "skills/none/README.md": "x",
        "skills/deploy/inner/SKILL.md": SKILL.format(name="inner"),
        "mcp.json": servers(
            api={"type": "streamable-http", "url": "https://acme.dev/mcp"},
            local={"type": "stdio", "command": "./bin/server", "args": ["${PLUGIN_ROOT}/x"]},
        ),
        "bin/server": "#!/bin/sh\n",
        "com.example.client/hooks/hooks.json": {"Stop": []},
    }
    compiled = compile_folder(lay(tmp_path, "ops.kit", files), hosts)
    assert compiled.notes == ()
    assert states(compiled, "mcp:api") >= {"native"}
    assert states(compiled, "skills") >= {"native"}
    assert compiled.files["bin/server"][1]


def test_working_folder_of_servers(tmp_path: Path, hosts: dict[str, Host]) -> None:
    """The format's own default, the plugin, is lost with a word where a host has no key for it; a
    folder that the file names is a condition."""
    files = {
        "mcp.json": servers(
            silent={"type": "stdio", "command": "npx"},
            named={"type": "stdio", "command": "npx", "cwd": "${PLUGIN_DATA}"},
        )
    }
    compiled = compile_folder(lay(tmp_path, "ops", files), hosts)
    cells = {(cell.host, cell.event): cell for cell in compiled.plan.report}
    silent, named = (cells["claude-code", f"mcp:{name}"] for name in ("silent", "named"))
    assert (silent.state, named.state) == ("native", "skipped")
    assert silent.reason == "it runs where the agent runs servers, not in the plugin"
    assert named.reason == "has no place for cwd"
    assert cells["gemini-cli", "mcp:silent"].reason == ""
    assert cells["gemini-cli", "mcp:named"].state == "native"


def test_half_of_it_is_wrong(tmp_path: Path, hosts: dict[str, Host]) -> None:
    """Every wrong entry is named, and nothing else suffers."""
    rows = hooks(
        turn_end=[
            {"command": "true"},
            {"command": "sh -c 'x'"},
            {"command": "../up"},
            {"command": "./up/../../x"},
            {"command": "./gone"},
            {"command": "true", "timeout": 5},
            {"command": "true", "env": {"PLUGIN_ROOT": "/"}},
            {"command": "true", "cwd": "${PLUGIN_DATA}/../.."},
            {"command": "true", "cwd": "/tmp"},
            {"command": "true", "args": [1]},
            "true",
            {},
        ],
        pre_compact=[{"command": "true"}],
        session_start={"command": "true"},
    )
    broken = servers(bad={"type": "stdio", "command": "a b"}, old={"command": "npx"},
                     plain={"type": "sse", "url": "http://acme.dev"},
                     good={"type": "stdio", "command": "npx"})  # fmt: skip
    files = {"hooks.json": rows, "mcp.json": broken, "fire/x": "mine"}
    compiled = compile_folder(lay(tmp_path, "half", files, colour="red"), hosts)
    places = [note.split(": ")[:2] for note in compiled.notes]
    assert ["plugin.json", "colour"] in places
    assert ["hooks.json", "hooks.pre-compact"] in places
    assert ["hooks.json", "hooks.session-start"] in places
    assert [p[1] for p in places if "turn-end" in p[1]] == [
        f"hooks.turn-end[{n}]" for n in range(2, 13)
    ]
    assert [p[1] for p in places if p[0] == "mcp.json"] == [
        "mcpServers.bad",
        "mcpServers.old",
        "mcpServers.plain",
    ]
    assert any(note.startswith("fire: left out") for note in compiled.notes)
    assert compiled.files["fire/claude-code/turn-end.sh"][0] != b"mine"
    assert states(compiled, "mcp:good") >= {"native"}
    assert "turn-end" in compiled.plan.hosts["claude-code"].slots


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"hooks": 1}', '{"$schema": "https://x.dev/2", "hooks": {}}', "[" * 99_999],
    ids=["no JSON", "array", "no object", "another version", "deep"],
)  # fmt: skip
def test_unreadable_hooks_leave_the_skills_alone(
    tmp_path: Path, hosts: dict[str, Host], text: str
) -> None:
    files = {"hooks.json": text, "skills/a/SKILL.md": SKILL.format(name="a")}
    compiled = compile_folder(lay(tmp_path, "torn", files), hosts)
    assert compiled.notes[0].startswith("hooks.json: ")
    assert states(compiled, "skills") >= {"native"}
    assert not any(plan.slots for plan in compiled.plan.hosts.values())


def test_nothing_that_can_be_placed(tmp_path: Path, hosts: dict[str, Host]) -> None:
    compiled = compile_folder(lay(tmp_path, "bare"), hosts)
    assert compiled.plan.hosts == {}
    assert "nothing to activate" in compiled.notes[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"name": "x"}', r"\$schema"),
        ({"$schema": manifest.SCHEMA, "name": "Über"}, "is not a valid name"),
        ({"$schema": manifest.SCHEMA, "name": "a--b"}, "is not a valid name"),
        ({"$schema": manifest.SCHEMA, "name": "../a"}, "is not a valid name"),
        ({"$schema": manifest.SCHEMA, "name": "a", "version": 1}, "version"),
        ("{", "not valid JSON"),
        ("[]", "an object"),
    ],
)
def test_manifest_that_makes_no_plugin(tmp_path: Path, text: Any, says: str) -> None:
    with pytest.raises(LocalPluginError, match=says):
        compile_folder(lay(tmp_path, "x", {"plugin.json": text}), {})


def test_without_jinja2_and_pluggy(
    tmp_path: Path, hosts: dict[str, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base install serves every host but those whose hooks are code, and names these."""
    monkeypatch.setitem(sys.modules, "hatch_agentplugin.compiler.code_modules", None)
    monkeypatch.setitem(sys.modules, "hatch_agentplugin.hosts.registry", None)
    assert set(local_plugin._installed_hosts()) == set(hosts)
    lay(tmp_path, "rec", {"hooks.json": hooks(turn_end=[{"command": "true"}])})
    compiled = compile_folder(tmp_path, hosts)
    modules = {host.id for host in hosts.values() if isinstance(host.delivery, Module)}
    assert set(compiled.notes[0].split(": ")[0].split(", ")) == modules
    assert not modules & set(compiled.plan.hosts)
    assert "turn-end" in compiled.plan.hosts["codex"].slots


def test_same_folder_gives_the_same_bundle(tmp_path: Path, hosts: dict[str, Host]) -> None:
    lay(tmp_path, "rec", {"hooks.json": hooks(turn_end=[{"command": "true"}])})
    again = {name: hosts[name] for name in reversed(list(hosts))}
    assert compile_folder(tmp_path, hosts).files == compile_folder(tmp_path, again).files


def test_nothing_heavy_is_needed() -> None:
    """Reading the format works in the base install: the modules import no build package."""
    for name in ("hooks", "manifest", "read_files", "mcp", "entry_values"):
        module = importlib.import_module(f"hatch_agentplugin.agent_plugins.{name}")
        text = Path(str(module.__file__)).read_text("utf-8")
        assert "pydantic" not in text
        assert "jsonschema" not in text
