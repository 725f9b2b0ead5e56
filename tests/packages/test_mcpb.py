"""MCPB files: they contain one local server each, are valid, and start as in a client."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hatch_agentplugin.agent_plugins
from hatch_agentplugin import packages as bundling
from hatch_agentplugin.config import ConfigError
from hatch_agentplugin.packages import Packages
from hatch_agentplugin.packages.output import semver
from tests.hosts import _cache
from tests.hosts._sandbox import environment
from tests.packages.made import hosts, make, project

jsonschema = pytest.importorskip("jsonschema")
SCHEMAS = Path(hatch_agentplugin.agent_plugins.__file__).parent / "schemas"

SCRIPT = '{ command = "./scripts/session-log.sh", args = ["${PLUGIN_DATA}"] }'
PROGRAM = (
    '{ command = "acme-mcp", args = ["--log", "${PLUGIN_DATA}/log"],'
    ' env = { TOKEN = "${env:ACME_TOKEN}" } }'
)
SCRIPTS = {"acme-mcp": "example_plugin.server:serve.stdio [more]"}
UVX = '\n[tool.agent-plugin.packages]\nrunner = "uvx"\n'
#: A server that prints how it was started instead of speaking the protocol.
SERVER = """
import json, os, sys
class serve:
    @staticmethod
    def stdio():
        print(json.dumps([sys.argv[1:], os.environ.get("TOKEN")]))
"""


def declare(**servers: str) -> str:
    rows = "\n".join(f"{name} = {row}" for name, row in servers.items())
    return f"[tool.agent-plugin.mcp]\n{rows}\n"


def made(tmp_path: Path, table: str, **changes: Any) -> Packages:
    return make(tmp_path, "mcpb", table=table, **{"scripts": SCRIPTS, **changes})


def with_server(tmp_path: Path, table: str, **changes: Any) -> Packages:
    """The same with a console script in the author's package."""
    tmp_path.mkdir(exist_ok=True)
    source = tmp_path / "server.py"
    source.write_text(SERVER)
    package = {f"example_plugin/{name}.py": tmp_path / f"{name}.py" for name in ("server",)}
    (tmp_path / "__init__.py").touch()
    package["example_plugin/__init__.py"] = tmp_path / "__init__.py"
    return made(tmp_path / "made", table, sources=package, **changes)


def opened(packages: Packages, name: str = "example-plugin") -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(packages.files[f"mcpb/{name}.mcpb"][0]))


def manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Return the manifest, validated, after checking that every file in it exists."""
    document: dict[str, Any] = json.loads(archive.read("manifest.json"))
    version = document["manifest_version"]
    schema = json.loads((SCHEMAS / f"mcpb-manifest-v{version}.schema.json").read_bytes())
    checker = jsonschema.Draft7Validator.FORMAT_CHECKER
    jsonschema.Draft7Validator(schema, format_checker=checker).validate(document)
    assert document["server"]["entry_point"] in archive.namelist()
    return document


def start(archive: zipfile.ZipFile, folder: Path, **asked: str) -> subprocess.CompletedProcess[str]:
    """Unpack the file and run it as the manifest says, with placeholders replaced."""
    home = folder / "home"
    home.mkdir(parents=True)
    for row in archive.infolist():
        archive.extract(row, folder)
        (folder / row.filename).chmod(row.external_attr >> 16)
    config = manifest(archive)["server"]["mcp_config"]

    def filled(text: str) -> str:
        text = text.replace("${__dirname}", str(folder)).replace("${HOME}", str(home))
        for name, value in asked.items():
            text = text.replace(f"${{user_config.{name}}}", value)
        assert "${" not in text
        return text

    words = [filled(word) for word in (config["command"], *config.get("args", ()))]
    words[0] = sys.executable if words[0] == "python3" else words[0]
    env = {name: filled(value) for name, value in config.get("env", {}).items()}
    return subprocess.run(
        words, env={**environment(home, {}), **env}, capture_output=True, text=True, check=False
    )


def test_console_script_is_bundled_and_runs(tmp_path: Path) -> None:
    """The file contains the author's package; placeholders have the format's own syntax."""
    packages = with_server(tmp_path, declare(acme=PROGRAM), requires_python=">=3.11")
    archive = opened(packages)
    document = manifest(archive)
    assert document["server"]["type"] == "python"
    assert document["name"] == "example-plugin"
    config = document["server"]["mcp_config"]
    assert config["platform_overrides"] == {"win32": {"command": "python"}}
    assert document["version"] == "1.0.0"
    assert document["author"] == {"name": "Ann", "email": "ann@acme.dev"}
    assert document["compatibility"] == {"runtimes": {"python": ">=3.11"}}
    assert document["user_config"]["acme_token"]["sensitive"] is True
    done = start(archive, tmp_path / "it's ü", acme_token="s3cret")
    log = f"{tmp_path}/it's ü/home/.agent-plugin/example-plugin/data/log"
    assert json.loads(done.stdout) == [["--log", log], "s3cret"], done.stderr
    assert "mcpb: install it by opening the .mcpb file in Claude Desktop" in packages.notes


@pytest.mark.parametrize("name", ["example_plugin", "json"])
def test_console_script_with_the_name_of_a_module(tmp_path: Path, name: str) -> None:
    """The name may be that of the author's package or of a standard module."""
    row = f'{{ command = "{name}", args = ["-v"] }}'
    scripts = {name: "example_plugin.server:serve.stdio"}
    archive = opened(with_server(tmp_path, declare(acme=row), scripts=scripts))
    done = start(archive, tmp_path / "run")
    assert json.loads(done.stdout) == [["-v"], None], done.stderr


def test_runner_uvx_leaves_dependencies_to_the_clients_uv(tmp_path: Path) -> None:
    requires = ("hatch-agentplugin", "mcp")
    packages = made(tmp_path, declare(acme=PROGRAM) + UVX, requires=requires)
    archive = opened(packages)
    document = manifest(archive)
    assert (document["manifest_version"], document["server"]["type"]) == ("0.4", "uv")
    assert document["server"]["mcp_config"]["command"] == "uv"
    assert sorted(archive.namelist()) == ["manifest.json", "pyproject.toml", "src/run-server.py"]
    assert 'dependencies = ["example-plugin==1.0"]' in archive.read("pyproject.toml").decode()
    assert "from example_plugin.server import serve" in archive.read("src/run-server.py").decode()
    assert "serve.stdio()" in archive.read("src/run-server.py").decode()


def test_script_of_the_project(tmp_path: Path) -> None:
    """A script runs on platforms with its interpreter and keeps its exec bit."""
    archive = opened(made(tmp_path, declare(log=SCRIPT)))
    document = manifest(archive)
    assert document["server"]["type"] == "binary"
    assert document["compatibility"]["platforms"] == ["darwin", "linux"]
    entry = archive.getinfo(document["server"]["entry_point"])
    assert entry.external_attr >> 16 == 0o100755
    start(archive, tmp_path / "run")
    assert (tmp_path / "run/home/.agent-plugin/example-plugin/data").is_dir()  # as the script does


#: Servers in Python without a console script; they print how they were started.
OTHERS = {
    "module": '{ command = "python", args = ["-m", "example_plugin.server", "-v"] }',
    "package": '{ command = "python3", args = ["-m", "example_plugin", "-v"] }',
    "file": '{ command = "python", args = ["${PLUGIN_ROOT}/run/it.py", "-v"] }',
    "script": '{ command = "./run/it.py", args = ["-v"] }',
    "odd file": '{ command = "python", args = ["${PLUGIN_ROOT}/run//it.py", "-v"] }',
    "odd script": '{ command = "./run/./it.py", args = ["-v"] }',
}


def other(tmp_path: Path, kind: str, more: str = "", **changes: Any) -> zipfile.ZipFile:
    (tmp_path / "server.py").write_text(f"{SERVER}\nif __name__ == '__main__': serve.stdio()\n")
    (tmp_path / "__main__.py").write_text(
        "from example_plugin.server import serve\nserve.stdio()\n"
    )
    (tmp_path / "__init__.py").touch()
    names = ("server", "__main__", "__init__")
    sources = {f"example_plugin/{name}.py": tmp_path / f"{name}.py" for name in names}
    asked = project(tmp_path / "made/project", table=declare(own=OTHERS[kind]) + more)
    script = asked.root / "run/it.py"
    script.parent.mkdir()
    script.write_text("#!/usr/bin/env python3\n" + (tmp_path / "__main__.py").read_text())
    script.chmod(0o755)
    (tmp_path / "scratch").mkdir()
    asked = replace(asked, sources=sources, **changes)
    return opened(bundling.make_packages(asked, hosts(), ["mcpb"], tmp_path / "scratch"))


@pytest.mark.parametrize("kind", OTHERS)
def test_other_ways_to_name_a_server_in_python(tmp_path: Path, kind: str) -> None:
    """Each finds the author's package in the file."""
    archive = other(tmp_path, kind)
    assert manifest(archive)["server"]["type"] == "python"
    done = start(archive, tmp_path / "it's ü")
    assert json.loads(done.stdout) == [["-v"], None], done.stderr


@pytest.mark.parametrize("kind", OTHERS)
def test_the_same_by_the_clients_uv(tmp_path: Path, kind: str) -> None:
    """The code for uv runs in a Python that has the plugin's packages."""
    archive = other(tmp_path, kind, UVX, requires=("hatch-agentplugin", "mcp"))
    document = manifest(archive)
    assert document["server"]["type"] == "uv"
    assert document["server"]["mcp_config"]["args"][-1] == "-v"
    out = tmp_path / "out"
    archive.extractall(out)
    site = tmp_path / "site/example_plugin"
    site.mkdir(parents=True)
    for name in ("server", "__main__", "__init__"):
        (site / f"{name}.py").write_bytes((tmp_path / f"{name}.py").read_bytes())
    done = subprocess.run(
        [sys.executable, str(out / "src/run-server.py"), "-v"],
        env={"PYTHONPATH": str(site.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(done.stdout) == [["-v"], None], done.stderr


def test_module_that_is_not_there(tmp_path: Path) -> None:
    row = '{ command = "python", args = ["-m", "other.server"] }'
    with pytest.raises(ConfigError, match=r"the plugin has no module other\.server"):
        made(tmp_path, declare(own=row))


def test_one_file_per_server_and_what_is_left_out(tmp_path: Path) -> None:
    """Every omission has its reason, and the files have the same bytes each time."""
    table = declare(
        one=SCRIPT,
        two='{ command = "./scripts/session-log.sh", args = ["-x"] }',
        far='{ url = "https://acme.dev/mcp" }',
        npx='{ command = "npx", args = ["-y", "acme"] }',
        cwd='{ command = "./scripts/session-log.sh", cwd = "${PLUGIN_DATA}" }',
        dep=PROGRAM,
    )
    table += '[tool.agent-plugin.hooks]\nturn-end = [{ command = "git" }]\n'
    packages = with_server(tmp_path, table, requires=("hatch-agentplugin", "mcp"))
    assert sorted(packages.files) == [
        "mcpb/example-plugin-one.mcpb",
        "mcpb/example-plugin-two.mcpb",
    ]
    names = [manifest(opened(packages, f"example-plugin-{name}")) for name in ("one", "two")]
    assert [one["name"] for one in names] == ["example-plugin-one", "example-plugin-two"]
    assert names[0]["display_name"] != names[1]["display_name"]
    said = "\n".join(packages.notes)
    assert "the server far is left out: MCPB has local servers only" in said
    assert "npx is left out: the plugin does not contain npx, and an MCPB file must contain" in said
    assert "the server cwd is left out: MCPB has no key for its working folder" in said
    assert "the server dep is left out: an MCPB file must contain mcp" in said
    assert "an MCPB file contains one server and no hooks" in said
    again = with_server(tmp_path / "again", table, requires=("hatch-agentplugin", "mcp"))
    assert again.files == packages.files
    assert str(tmp_path).encode() not in b"".join(data for data, _ in packages.files.values())


@pytest.mark.parametrize(
    ("table", "changes", "says"),
    [
        (
            '[tool.agent-plugin.hooks]\nturn-end = [{ command = "git" }]',
            {},
            "tool.agent-plugin.mcp: no MCPB file can be made",
        ),
        (declare(log=SCRIPT), {"summary": ""}, "project.description: is missing"),
        (
            declare(log=SCRIPT),
            {"version": "1.2.3.4"},
            'project.version: "1.2.3.4" is not a semantic version',
        ),
    ],
    ids=["no server", "no description", "version"],
)
def test_metadata_that_the_manifest_requires(
    tmp_path: Path, table: str, changes: dict[str, Any], says: str
) -> None:
    """It is an error if the file was asked for; otherwise the file is left out with a note."""
    with pytest.raises(ConfigError) as caught:
        made(tmp_path / "a", table, **changes)
    assert says in str(caught.value)
    packages = make(tmp_path / "b", table=table, **changes)
    assert not any("mcpb" in name for name in packages.files)
    said = [note for note in packages.notes if note.startswith("mcpb: ")]
    assert len(said) == len(changes)
    assert all(says.partition(": ")[2] in note for note in said)


@pytest.mark.parametrize(
    ("version", "semantic"),
    [
        ("1", "1.0.0"),
        ("1.02", "1.2.0"),
        ("1.2.3rc1", "1.2.3-rc.1"),
        ("1.0a2.dev3", "1.0.0-alpha.2.dev.3"),
        ("1.0.post4+deb.5", "1.0.0+post.4.deb.5"),
        ("1.2.3.4", None),
        ("x", None),
    ],
)
def test_versions(version: str, semantic: str | None) -> None:
    assert semver(version) == semantic


@pytest.mark.slow
@pytest.mark.hosts
def test_the_formats_own_tool_takes_them(tmp_path: Path) -> None:
    """``mcpb`` validates the files by more rules than the schema's and unpacks them."""
    folder = _cache.npm(["@anthropic-ai/mcpb@2.1.2"])
    tool = folder / "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"
    for name, table in {"own": declare(acme=PROGRAM), "uv": declare(acme=PROGRAM) + UVX}.items():
        data = with_server(tmp_path / name, table).files["mcpb/example-plugin.mcpb"][0]
        file, out = tmp_path / f"{name}.mcpb", tmp_path / f"{name}-out"
        file.write_bytes(data)

        def run(*words: str | Path) -> str:
            done = subprocess.run(
                ["node", str(tool), *map(str, words)],
                env=environment(tmp_path, {"PATH": os.environ["PATH"]}),
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            return done.stdout + done.stderr

        run("unpack", file, out)
        assert "Manifest schema validation passes" in run("validate", out / "manifest.json")
        with zipfile.ZipFile(file) as archive:
            assert {
                path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()
            } == {*archive.namelist()}
