"""The Agent Plugins folder as a package: valid, and its handlers run by any client's plain command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hatch_agentplugin.agent_plugins
from hatch_agentplugin import packages as bundling
from hatch_agentplugin.packages import Packages
from tests.activate.world import World
from tests.cli._world import run
from tests.packages.made import hosts, make, project

jsonschema = pytest.importorskip("jsonschema")
SCHEMAS = Path(hatch_agentplugin.agent_plugins.__file__).parent / "schemas"

#: Handlers that leave a trace, and one that must not be heard.
SOURCE = """
from pathlib import Path

def note(event):
    with (Path(event.data) / "notes").open("a") as file:
        file.write(f"{event.host} {event.event} {event.input} {event.raw}\\n")
    return {"context": "nobody hears this"}

def broken(event):
    raise SystemExit(3)
"""
TABLE = """
[tool.agent-plugin.mcp]
own = { command = "acme-mcp", args = ["${PLUGIN_ROOT}/scripts"] }

[tool.agent-plugin.hooks]
session-start = { handler = "example_plugin.notes:broken" }
turn-end = [
  { handler = "example_plugin.notes:note" },
  { command = "./scripts/session-log.sh", args = ["${PLUGIN_DATA}"] },
]
turn-start = { handler = "example_plugin.notes:note", hosts = ["codex"] }
pre-tool-use = { handler = "example_plugin.notes:note", on-error = "deny" }
pre-compact = { handler = "example_plugin.notes:note" }
"""
NAME = "agent-plugins"


def made(tmp_path: Path, table: str = TABLE) -> Packages:
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "notes.py").write_text(SOURCE)
    (tmp_path / "__init__.py").touch()
    names = ("notes", "__init__")
    return make(
        tmp_path / "made",
        NAME,
        table=table,
        sources={f"example_plugin/{name}.py": tmp_path / f"{name}.py" for name in names},
        scripts={"acme-mcp": "example_plugin.notes:note"},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    out = tmp_path / "it's ü"
    bundling.write(made(tmp_path).files, out)
    return out / NAME / "example-plugin"


def document(folder: Path, name: str) -> Any:
    """A file of the folder, valid by its schema."""
    value = json.loads((folder / f"{name}.json").read_bytes())
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(value)
    return value


def test_handlers_are_commands_where_they_can_be(folder: Path, tmp_path: Path) -> None:
    """One per event, beside the portable command; every other with its reason."""
    assert document(folder, "plugin")["name"] == "example-plugin"
    launch = {"command": "./launch", "args": [NAME, "turn-end"]}
    log = {"command": "./scripts/session-log.sh", "args": ["${PLUGIN_DATA}"]}
    assert document(folder, "hooks")["hooks"] == {
        "session-start": [{"command": "./launch", "args": [NAME, "session-start"]}],
        "turn-end": [log, launch],
    }
    assert document(folder, "mcp")["mcpServers"]["own"] == {
        "type": "stdio",
        "command": "python3",
        "args": ["${PLUGIN_ROOT}/lib/programs/run-acme-mcp.py", "${PLUGIN_ROOT}/scripts"],
    }
    said = [note.partition(": hooks.json: hooks.")[2] for note in made(tmp_path / "x").notes]
    assert [line for line in said if "left out" in line] == [
        'turn-start: left out: the format has no "hosts"',
        "pre-tool-use: left out: a portable command does not get the tool call",
        "pre-compact: left out: the format has no event pre-compact",
    ]
    assert "turn-end[1]: runs without the event's fields, and its answer is lost" in said


def path(home: Path) -> str:
    """A PATH with this Python as python3 and the system's programs."""
    tools = home / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    if not (tools / "python3").exists():
        (tools / "python3").symlink_to(os.path.realpath(sys.executable))
    return f"{tools}:/usr/bin:/bin"


def command(folder: Path, home: Path, event: str) -> str:
    """Run the entry for the launcher as the proposal has it: no shell, no input, any folder."""
    (entry,) = (row for row in document(folder, "hooks")["hooks"][event]
                if row["command"] == "./launch")  # fmt: skip
    done = subprocess.run(
        [str(folder / entry["command"]), *entry["args"]],
        stdin=subprocess.DEVNULL,
        env={"HOME": str(home), "PATH": path(home)},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_handler_observes_and_is_not_heard(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert command(folder, home, "turn-end") == ""
    data = home / ".agent-plugin/example-plugin/data"
    assert (data / "notes").read_text() == "agent-plugins turn-end None {}\n"
    assert command(folder, home, "session-start") == ""
    assert "session-start" in (data.parent / "log").read_text("utf-8")


def test_handlers_run_where_our_own_tool_activates_the_folder(tmp_path: Path, folder: Path) -> None:
    """As a command of the plugin's own launcher, which else keeps a hook from firing itself."""
    world = World.make(tmp_path, "home")
    host = "claude-code"
    done = run(world, "activate", str(folder), "--host", host, "--yes")
    assert done.status == 0, done.err
    settings = json.loads((world.home / ".claude/settings.json").read_bytes())
    (entry,) = settings["hooks"]["Stop"][0]["hooks"]
    ran = subprocess.run(
        ["/bin/sh", "-c", entry["command"]],
        input="{}",
        env={**world.environ, "PATH": path(tmp_path / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    data = world.home / ".agent-plugin/example-plugin/data"
    assert (data / "notes").read_text().startswith("agent-plugins turn-end None {'host': 'claude-")
    assert "claude-code turn-end" in (data / "sessions.log").read_text()


def test_runner_uvx(tmp_path: Path) -> None:
    files = made(tmp_path, TABLE + '[tool.agent-plugin.packages]\nrunner = "uvx"\n').files
    start = f"{NAME}/example-plugin/"
    assert f"{start}lib/ask-uvx.sh" in files
    assert not any(name.endswith("notes.py") for name in files)
    row = json.loads(files[f"{start}mcp.json"][0])["mcpServers"]["own"]
    assert row["args"][:3] == ["--from", "example-plugin==1.0", "acme-mcp"]


def test_folder_without_handlers_has_no_launcher(tmp_path: Path) -> None:
    table = '[tool.agent-plugin.hooks]\nturn-end = [{ command = "git" }]\n'
    names = sorted(name.partition("/example-plugin/")[2] for name in made(tmp_path, table).files)
    assert names == ["hooks.json", "plugin.json"]


def test_a_file_of_the_authors_is_never_replaced(tmp_path: Path) -> None:
    """If it has the path of the launcher, the handlers are left out with a note."""
    table = (
        "[tool.agent-plugin.hooks]\n"
        'session-start = { handler = "example_plugin.hooks:greet" }\n'
        'turn-end = { command = "./launch" }\n'
    )
    asked = project(tmp_path / "project", table=table)
    (asked.root / "launch").write_text("#!/bin/sh\necho mine\n")
    (asked.root / "launch").chmod(0o755)
    (tmp_path / "scratch").mkdir()
    packages = bundling.make_packages(asked, hosts(), [NAME], tmp_path / "scratch")
    start = f"{NAME}/example-plugin"
    assert packages.files[f"{start}/launch"] == (b"#!/bin/sh\necho mine\n", True)
    hooks = json.loads(packages.files[f"{start}/hooks.json"][0])["hooks"]
    assert hooks == {"turn-end": [{"command": "./launch"}]}
    said = "hooks.json: hooks.session-start: left out: the plugin has a file launch itself"
    assert f"{NAME}: {said}" in packages.notes
