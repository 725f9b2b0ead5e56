"""The hosts' own plugin packages: their contents, and that they run without installation."""

from __future__ import annotations

import ast
import json
import re
import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from hatch_agentplugin import packages
from hatch_agentplugin.adapter import Module
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.packages import Packages
from tests.built import TREE
from tests.packages.made import FORBIDDEN, MORE, WITH_PACKAGES, document, fire, hosts, make


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return make(tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return make(tmp_path_factory.mktemp("rich"), more=MORE)


def test_hosts_that_have_packages() -> None:
    assert set(WITH_PACKAGES) >= {"claude-code", "codex", "cursor", "gemini-cli", "qwen-code",
                                  "copilot-cli", "droid", "antigravity-cli", "kimi", "opencode",
                                  "pi"}  # fmt: skip


@pytest.mark.parametrize("host", WITH_PACKAGES)
def test_manifest_index_and_launcher(example: Packages, host: str) -> None:
    """Each has its manifest, an index if the host has one, and an executable launcher."""
    bundle = hosts()[host].package
    assert bundle is not None
    manifest = document(example, f"{host}/example-plugin/{bundle.manifest}")
    assert manifest["name"] == "example-plugin"
    # npm accepts only semantic versions
    version = "1.0.0" if bundle.manifest == "package.json" else "1.0"
    assert manifest.get("version", version) == version
    assert example.files[f"{host}/example-plugin/launch"][1]
    if bundle.marketplace:
        index = document(example, f"{host}/{bundle.marketplace}")
        assert index.get("name", "example-plugin-plugins") == "example-plugin-plugins"
        assert "./example-plugin" in json.dumps(index["plugins"])


@pytest.mark.parametrize("host", WITH_PACKAGES)
def test_no_template_word_and_no_path_of_the_builder_is_left(example: Packages, host: str) -> None:
    for name, (data, _) in example.files.items():
        if name.startswith(f"{host}/"):
            assert str(Path.home()).encode() not in data or str(Path.home()) == "/", name
            assert b"/scratch/" not in data, name
            if "/lib/" not in name:
                assert b"@AGENT_PLUGIN" not in data, name
                assert b"$launcher" not in data, name
                assert b'"$name' not in data, name
                assert b"agent-plugin deactivate" not in data, name


@pytest.mark.parametrize(
    "host",
    [name for name in WITH_PACKAGES if not isinstance(built_in_hosts()[name].delivery, Module)],
)
def test_every_slot_is_in_the_hooks(example: Packages, host: str) -> None:
    bundle = hosts()[host].package
    assert bundle is not None
    text = example.files[f"{host}/example-plugin/{bundle.hooks}"][0].decode()
    tables = f"{host}/example-plugin/lib/example_plugin_agent_plugin/fire/{host}/"
    slots = [name.removeprefix(tables)[:-3] for name in example.files
             if name.startswith(tables) and name.endswith(".sh")]  # fmt: skip
    assert slots
    for slot in slots:
        assert f"{host} {slot}" in text or f'"{slot}"' in text


def test_droid_has_its_events_below_hooks(example: Packages) -> None:
    """In the package events are below the key hooks, unlike in the user's own file."""
    assert list(document(example, "droid/example-plugin/hooks/hooks.json")) == ["hooks"]


def test_skills_commands_and_servers(rich: Packages) -> None:
    """They have the host's paths; notes list what is left out."""
    assert "claude-code/example-plugin/skills/tidy/SKILL.md" in rich.files
    assert "claude-code/example-plugin/commands/tidy.md" in rich.files
    root = "${CLAUDE_PLUGIN_ROOT}/lib/example_plugin_agent_plugin"
    assert document(rich, "claude-code/example-plugin/.mcp.json")["mcpServers"] == {
        "notes": {"type": "http", "url": "https://acme.dev/mcp"},
        "local": {"command": f"{root}/scripts/session-log.sh", "args": [f"{root}/scripts"]},
        "data": {"command": "npx", "args": ["${CLAUDE_PLUGIN_DATA}"]},
    }
    extension = document(rich, "gemini-cli/example-plugin/gemini-extension.json")
    assert extension["mcpServers"]["notes"] == {"httpUrl": "https://acme.dev/mcp"}
    assert "gemini-cli: commands are left out" in rich.notes
    lost = "is left out: it"
    no_data = "has no placeholder for ${PLUGIN_DATA}"
    assert f"gemini-cli: the server data {lost} {no_data}" in rich.notes
    assert f"claude-code: the server secret {lost} does not replace ${{env:NAME}}" in rich.notes
    assert f"pi: the server notes {lost} has no key for servers" in rich.notes
    assert "opencode: skills are left out" in rich.notes


@pytest.mark.parametrize("host", WITH_PACKAGES)
def test_the_page_lists_what_a_package_leaves_out(rich: Packages, host: str) -> None:
    """The column of the table agrees with the notes for a plugin that declares everything."""
    page = (TREE / "docs/how-to/portable.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w[^|]*) \|[^|]*\|[^|]*\| ([^|]*) \|", page, re.MULTILINE)
    (cell,) = (lost for first, lost in rows if first in hosts()[host].name)
    kinds = cell.partition(";")[0]
    for kind in ("skills", "commands", "rules"):
        told = f"{host}: {kind} are left out" in rich.notes
        assert (kind in kinds) == told, kind
    bundle = hosts()[host].package
    assert bundle is not None
    assert ("servers" in kinds) == (bundle.servers is None)
    servers = [note for note in rich.notes if note.startswith(f"{host}: the server ")]
    for word in ("${PLUGIN_DATA}", "${PLUGIN_ROOT}", "${env:NAME}"):
        if bundle.servers is not None:
            told = any(
                word in note or ("package's folder" in note and word == "${PLUGIN_ROOT}")
                for note in servers
            )
            assert (word in cell) == told, word


def test_kimi_names_its_folders_and_antigravity_finds_them(
    rich: Packages, example: Packages
) -> None:
    """Kimi loads no folder that its manifest does not name; Antigravity's manifest is closed."""
    manifest = document(rich, "kimi/example-plugin/kimi.plugin.json")
    assert (manifest["skills"], manifest["commands"]) == ("./skills/", "./commands/")
    assert manifest["mcpServers"] == {
        "notes": {"url": "https://acme.dev/mcp"},
        "local": {
            "command": "./lib/example_plugin_agent_plugin/scripts/session-log.sh",
            "args": ["./lib/example_plugin_agent_plugin/scripts"],
            "cwd": "./",
        },
    }
    assert "kimi/example-plugin/commands/tidy.md" in rich.files
    assert "skills" not in document(example, "kimi/example-plugin/kimi.plugin.json")
    assert set(document(rich, "antigravity-cli/example-plugin/plugin.json")) == {
        "name",
        "description",
    }
    assert document(rich, "antigravity-cli/example-plugin/mcp_config.json")["mcpServers"] == {
        "notes": {"serverUrl": "https://acme.dev/mcp"}
    }
    assert "antigravity-cli/example-plugin/skills/tidy/SKILL.md" in rich.files


def test_files_of_servers_travel_without_hooks(tmp_path: Path) -> None:
    """A plugin with one local server contains its program, and no launcher."""
    project = ONLY_SERVER % '{ command = "./scripts/session-log.sh" }'
    made = make(tmp_path, "claude-code", table=project)
    start = "claude-code/example-plugin/"
    assert f"{start}lib/example_plugin_agent_plugin/scripts/session-log.sh" in made.files
    assert f"{start}launch" not in made.files


ONLY_SERVER = "[tool.agent-plugin.mcp]\nlocal = %s\n"


@pytest.mark.parametrize(
    ("host", "start"),
    [
        ("claude-code", "${CLAUDE_PLUGIN_ROOT}/"),
        ("codex", "./"),
        ("gemini-cli", "${extensionPath}/"),
    ],
)
def test_console_script_of_the_plugin_as_a_server(tmp_path: Path, host: str, start: str) -> None:
    """python3 runs it from the package; uvx needs no files."""
    table = ONLY_SERVER % '{ command = "acme-mcp", args = ["-v"] }'
    scripts = {"acme-mcp": "example_plugin.shell:deletes_everything"}
    made = make(tmp_path / "a", host, table=table, scripts=scripts)
    where = hosts()[host].package
    assert where is not None
    assert where.servers is not None
    rows = document(made, f"{host}/example-plugin/{where.servers.file}")["mcpServers"]
    path = f"{start}lib/example_plugin_agent_plugin/../programs/run-acme-mcp.py"
    folder = {"cwd": where.servers.folder} if where.servers.folder else {}
    assert rows["local"] == {"command": "python3", "args": [path, "-v"], **folder}
    assert f"{host}/example-plugin/lib/programs/run-acme-mcp.py" in made.files
    assert f"{host}/example-plugin/lib/example_plugin/shell.py" in made.files

    table += '[tool.agent-plugin.packages]\nrunner = "uvx"\n'
    made = make(tmp_path / "b", host, table=table, scripts=scripts)
    rows = document(made, f"{host}/example-plugin/{where.servers.file}")["mcpServers"]
    args = ["--from", "example-plugin==1.0", "acme-mcp", "-v"]
    assert rows["local"] == {"command": "uvx", "args": args}
    assert not any(name.startswith(f"{host}/example-plugin/lib/") for name in made.files)


def test_python_of_the_plugin_as_a_server(tmp_path: Path) -> None:
    """It finds the author's package by PYTHONPATH, or with uvx."""
    table = ONLY_SERVER % '{ command = "python", args = ["-m", "example_plugin.shell"] }'
    made = make(tmp_path / "a", "claude-code", table=table)
    lib = "${CLAUDE_PLUGIN_ROOT}/lib/example_plugin_agent_plugin/.."
    assert document(made, "claude-code/example-plugin/.mcp.json")["mcpServers"]["local"] == {
        "command": "python3",
        "args": ["-m", "example_plugin.shell"],
        "env": {"PYTHONPATH": lib},
    }
    assert "claude-code/example-plugin/lib/example_plugin/shell.py" in made.files
    table += '[tool.agent-plugin.packages]\nrunner = "uvx"\n'
    made = make(tmp_path / "b", "droid", table=table)
    row = document(made, "droid/example-plugin/mcp.json")["mcpServers"]["local"]
    args = ["--from", "example-plugin==1.0", "python", "-m", "example_plugin.shell"]
    assert row == {"command": "uvx", "args": args}


def test_relative_root_stands_for_the_packages_own_folder(tmp_path: Path) -> None:
    """If a host finds the package only by its working folder, a server cannot have another one."""
    row = '{ command = "%s", cwd = "${PLUGIN_ROOT}/scripts" }'
    table = ONLY_SERVER % row % "./scripts/session-log.sh"
    made = make(tmp_path / "a", "codex", table=table)
    assert any("only from the package's folder" in note for note in made.notes)
    made = make(tmp_path / "b", "claude-code", table=table)
    row = document(made, "claude-code/example-plugin/.mcp.json")["mcpServers"]["local"]
    assert row["cwd"] == "${CLAUDE_PLUGIN_ROOT}/lib/example_plugin_agent_plugin/scripts"


def test_server_program_that_is_not_there(tmp_path: Path) -> None:
    """A server that would not start is left out, and the note says what to do."""
    table = ONLY_SERVER % '{ command = "acme-mcp" }'
    made = make(tmp_path / "a", "codex", table=table, scripts={"acme-mcp": "other.dist:main"})
    lost = "codex: the server local is left out: acme-mcp"
    assert f'{lost} is a program of another distribution; runner = "uvx" installs it' in made.notes
    scripts = {"acme-mcp": "example_plugin.hooks:greet"}
    made = make(tmp_path / "b", "codex", table=table, scripts=scripts,
                requires=("hatch-agentplugin", "mcp"))  # fmt: skip
    assert f'{lost} needs mcp; runner = "uvx" installs it' in made.notes
    assert ".mcp.json" not in " ".join(made.files)


@pytest.fixture
def placed(example: Packages, tmp_path: Path) -> Path:
    """Write the packages to a folder with an odd name."""
    folder = tmp_path / 'it\'s ünd "more" $x'
    packages.write(example.files, folder)
    return folder


def test_handler_and_command_run_from_the_package(placed: Path, tmp_path: Path) -> None:
    """The handler refuses, the portable command runs, and data is in the user's folder."""
    package = placed / "claude-code/example-plugin"
    answer = fire(package, "claude-code", "pre-tool-use", FORBIDDEN, tmp_path / "home")
    assert "example-plugin refuses to delete" in answer
    assert fire(package, "claude-code", "turn-end", {}, tmp_path / "home") == ""
    log = tmp_path / "home/.agent-plugin/example-plugin/data/sessions.log"
    assert "claude-code turn-end" in log.read_text("utf-8")
    mode = (tmp_path / "home/.agent-plugin/example-plugin").stat().st_mode
    assert stat.S_IMODE(mode) == 0o700


def test_package_has_every_module_of_ours_that_its_own_import(placed: Path) -> None:
    """No import of our modules in a package may fail on a user's machine."""
    lib = placed / "claude-code/example-plugin/lib"
    for path in (lib / "hatch_agentplugin").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                module = Path(*name.split("."))
                there = (TREE / module).with_suffix(".py").is_file()
                if name.startswith("hatch_agentplugin.") and there:
                    assert (lib / module).with_suffix(".py").is_file(), f"{path}: {name}"


def test_package_stands_down_where_the_user_has_activated_the_plugin(
    placed: Path, tmp_path: Path
) -> None:
    """Only the user's own entry runs, so nothing runs twice."""
    mark = tmp_path / "home/.agent-plugin/example-plugin/placed"
    mark.parent.mkdir(parents=True)
    mark.write_text("claude-code.user\n")
    package = placed / "claude-code/example-plugin"
    assert fire(package, "claude-code", "pre-tool-use", FORBIDDEN, tmp_path / "home") == ""


def test_package_that_was_moved_or_has_lost_files(placed: Path, tmp_path: Path) -> None:
    """It works at any path; with missing files it does nothing."""
    package = placed / "claude-code/example-plugin"
    moved = tmp_path / "elsewhere"
    shutil.move(str(package), moved)
    answer = fire(moved, "claude-code", "pre-tool-use", FORBIDDEN, tmp_path / "home")
    assert "refuses" in answer
    shutil.rmtree(moved / "lib")
    assert fire(moved, "claude-code", "pre-tool-use", FORBIDDEN, tmp_path / "home") == ""


def test_same_input_gives_the_same_archive(tmp_path: Path) -> None:
    """The archive does not depend on time and place, except for the given epoch."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        made = make(tmp_path / name, "codex", "opencode")
        packages.archive(made.files, tmp_path / f"{name}.zip")
        packages.archive(made.files, tmp_path / f"{name}-later.zip", 1_800_000_000)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert (tmp_path / "a.zip").read_bytes() != (tmp_path / "a-later.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        modes = {row.filename: row.external_attr >> 16 for row in archive.infolist()}
    assert modes["codex/example-plugin/launch"] == 0o100755
    assert modes["codex/.agents/plugins/marketplace.json"] == 0o100644


def test_dependencies_of_handlers_are_named(tmp_path: Path) -> None:
    made = make(tmp_path, "codex", requires=("hatch-agentplugin", "requests"))
    said = "codex: the package does not contain requests, so handlers need a python3 that has it"
    assert any(note.startswith(said) for note in made.notes)


@pytest.mark.parametrize("host", ["claude-code", "opencode", "pi"])
def test_package_without_hooks(tmp_path: Path, host: str) -> None:
    """Its manifest names only files that exist, and notes list everything left out."""
    table = (
        '[tool.agent-plugin.prebuilt]\nopencode = { "plugin/a.js" = "./README.md" }\n'
        "[tool.agent-plugin.native.claude-code]\nWorktreeCreate = [{ hooks = [] }]\n"
    )
    made = make(tmp_path, host, table=table)
    bundle = hosts()[host].package
    assert bundle is not None
    assert [name for name in made.files if "/example-plugin/" in name] == [
        f"{host}/example-plugin/{bundle.manifest}"
    ]
    assert ".js" not in made.files[f"{host}/example-plugin/{bundle.manifest}"][0].decode()
    said = {"claude-code": "native entries", "opencode": "prebuilt files"}
    if host in said:
        assert f"{host}: {said[host]} are left out" in made.notes
    assert f"{host}: the package contains only its manifest" in made.notes
