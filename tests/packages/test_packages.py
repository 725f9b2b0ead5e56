"""The hosts' own plugin packages: what is in them, and that they run where nothing is installed."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin import bundling
from hatch_agentplugin._build import Project
from hatch_agentplugin.adapter import Host, Module
from hatch_agentplugin.bundling import Packages
from hatch_agentplugin.portable.install import _builtin_hosts
from hatch_agentplugin.portable.manifest import About

EXAMPLE = Path(__file__).parents[2] / "example-plugin"
ABOUT = About(author="Ann", email="ann@acme.dev", license="MIT", keywords=("hooks",))
MORE = """
skills = "skills"
commands = "commands"

[tool.agent-plugin.mcp]
notes = { url = "https://acme.dev/mcp" }
local = { command = "./scripts/session-log.sh", args = ["${PLUGIN_ROOT}/scripts"] }
data = { command = "npx", args = ["${PLUGIN_DATA}"] }
secret = { url = "https://acme.dev/mcp", headers = { A = "${env:TOKEN}" } }

[tool.agent-plugin.hooks]"""


@cache
def hosts() -> Mapping[str, Host]:
    return _builtin_hosts()


WITH_PACKAGES = bundling.hosts_with_packages(_builtin_hosts())


def project(root: Path, more: str = "") -> Project:
    """A copy of the example as the build backend sees it."""
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    if more:
        for name in ("skills/tidy/SKILL.md", "commands/tidy.md"):
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text("---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n")
        file = root / "pyproject.toml"
        text = file.read_text("utf-8")
        head = "[tool.agent-plugin.hooks]"
        assert head in text
        file.write_text(text.replace(head, "[tool.agent-plugin]" + more), "utf-8")
    package = root / "example_plugin"
    sources = {p.relative_to(root).as_posix(): p for p in package.rglob("*") if p.is_file()}
    return Project(
        root=root,
        name="example-plugin",
        version="1.0",
        summary="An example.",
        requires=("hatch-agentplugin",),
        scripts=("x",),
        sources=sources,
        bundle="example_plugin_agent_plugin",
        about=ABOUT,
    )


def make(tmp_path: Path, *wanted: str, more: str = "") -> Packages:
    (tmp_path / "scratch").mkdir()
    made = project(tmp_path / "project", more)
    return bundling.packages(made, hosts(), wanted or WITH_PACKAGES, tmp_path / "scratch")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return make(tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return make(tmp_path_factory.mktemp("rich"), more=MORE)


def document(made: Packages, path: str) -> Any:
    return json.loads(made.files[path][0])


def test_hosts_that_have_packages() -> None:
    assert set(WITH_PACKAGES) >= {"claude-code", "codex", "cursor", "gemini-cli", "qwen-code",
                                  "copilot-cli", "droid", "antigravity-cli", "kimi", "opencode",
                                  "pi"}  # fmt: skip


@pytest.mark.parametrize("host", WITH_PACKAGES)
def test_manifest_index_and_launcher(example: Packages, host: str) -> None:
    """Each has its manifest, its index where there is one, and a launcher that can be executed."""
    bundle = hosts()[host].bundle
    assert bundle is not None
    manifest = document(example, f"{host}/example-plugin/{bundle.manifest}")
    assert (manifest["name"], manifest["version"]) == ("example-plugin", "1.0")
    assert example.files[f"{host}/example-plugin/launch"][1]
    if bundle.marketplace:
        index = document(example, f"{host}/{bundle.marketplace}")
        assert index["name"] == "example-plugin-plugins"
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


@pytest.mark.parametrize(
    "host",
    [name for name in WITH_PACKAGES if not isinstance(_builtin_hosts()[name].delivery, Module)],
)
def test_every_slot_is_in_the_hooks(example: Packages, host: str) -> None:
    bundle = hosts()[host].bundle
    assert bundle is not None
    text = example.files[f"{host}/example-plugin/{bundle.hooks}"][0].decode()
    tables = f"{host}/example-plugin/lib/example_plugin_agent_plugin/fire/{host}/"
    slots = [name.removeprefix(tables)[:-3] for name in example.files
             if name.startswith(tables) and name.endswith(".sh")]  # fmt: skip
    assert slots
    for slot in slots:
        assert f"{host} {slot}" in text or f'"{slot}"' in text


def test_droid_has_its_events_below_hooks(example: Packages) -> None:
    """In the package they are below a key, unlike in the user's own file."""
    assert list(document(example, "droid/example-plugin/hooks/hooks.json")) == ["hooks"]


def test_skills_commands_and_servers(rich: Packages) -> None:
    """They go where the package has a place; the rest is said."""
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
    assert "gemini-cli: the package can't carry commands" in rich.notes
    assert "gemini-cli: the package can't carry the server data" in rich.notes
    assert "claude-code: the package can't carry the server secret" in rich.notes
    assert "opencode: the package can't carry skills" in rich.notes


def fire(package: Path, host: str, slot: str, payload: Any, home: Path, **env: str) -> str:
    """Start the package's launcher with nothing of ours on any path."""
    tools = home / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    if not (tools / "python3").exists():
        (tools / "python3").symlink_to(os.path.realpath(sys.executable))
    done = subprocess.run(
        ["sh", str(package / "launch"), host, slot],
        input=json.dumps(payload),
        env={"HOME": str(home), "PATH": f"{tools}:/usr/bin:/bin", **env},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


FORBIDDEN = {"tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}, "session_id": "s"}


@pytest.fixture
def placed(example: Packages, tmp_path: Path) -> Path:
    """The packages, written to a folder with an odd name."""
    folder = tmp_path / 'it\'s ünd "more" $x'
    bundling.write(example.files, folder)
    return folder


def test_handler_and_command_run_from_the_package(placed: Path, tmp_path: Path) -> None:
    """A refusal by the vendored handler; the portable command by the shell; data in the user's folder."""
    package = placed / "claude-code/example-plugin"
    answer = fire(package, "claude-code", "pre-tool-use", FORBIDDEN, tmp_path / "home")
    assert "example-plugin refuses to delete" in answer
    assert fire(package, "claude-code", "turn-end", {}, tmp_path / "home") == ""
    log = tmp_path / "home/.agent-plugin/example-plugin/data/sessions.log"
    assert "claude-code turn-end" in log.read_text("utf-8")
    mode = (tmp_path / "home/.agent-plugin/example-plugin").stat().st_mode
    assert stat.S_IMODE(mode) == 0o700


def test_package_stands_down_where_the_user_has_activated_the_plugin(
    placed: Path, tmp_path: Path
) -> None:
    """Nothing runs twice: the user's own entry does the work."""
    mark = tmp_path / "home/.agent-plugin/example-plugin/placed"
    mark.parent.mkdir(parents=True)
    mark.write_text("claude-code.user\n")
    package = placed / "claude-code/example-plugin"
    assert fire(package, "claude-code", "pre-tool-use", FORBIDDEN, tmp_path / "home") == ""


def test_package_that_was_moved_or_has_lost_files(placed: Path, tmp_path: Path) -> None:
    """It finds itself wherever it is; in pieces it is silent."""
    package = placed / "claude-code/example-plugin"
    moved = tmp_path / "elsewhere"
    shutil.move(str(package), moved)
    answer = fire(moved, "claude-code", "pre-tool-use", FORBIDDEN, tmp_path / "home")
    assert "refuses" in answer
    shutil.rmtree(moved / "lib")
    assert fire(moved, "claude-code", "pre-tool-use", FORBIDDEN, tmp_path / "home") == ""


def test_same_input_gives_the_same_archive(tmp_path: Path) -> None:
    """Whenever and wherever it is built, up to the epoch that is asked for."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        made = make(tmp_path / name, "codex", "opencode")
        bundling.archive(made.files, tmp_path / f"{name}.zip")
        bundling.archive(made.files, tmp_path / f"{name}-later.zip", 1_800_000_000)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert (tmp_path / "a.zip").read_bytes() != (tmp_path / "a-later.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        modes = {row.filename: row.external_attr >> 16 for row in archive.infolist()}
    assert modes["codex/example-plugin/launch"] == 0o100755
    assert modes["codex/.agents/plugins/marketplace.json"] == 0o100644


def test_dependencies_of_handlers_are_named(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    from dataclasses import replace

    asked = replace(project(tmp_path / "p"), requires=("hatch-agentplugin", "requests"))
    made = bundling.packages(asked, hosts(), ["codex"], tmp_path / "scratch")
    assert "codex: handlers find only what python3 has: requests is not carried" in made.notes
