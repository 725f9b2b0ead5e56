"""The example's packages, installed by the real programs' own commands and fired by them.

Nothing of ours is installed: neither the plugin's wheel nor ``agent-plugin`` itself.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from hatch_agentplugin import packages as bundling
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.detect import package_seen
from hatch_agentplugin.activate.locate import Machine
from hatch_agentplugin.activate.workspace import Workspace
from hatch_agentplugin.compiler.bundle import seen_packages
from hatch_agentplugin.declaration import RunnerName
from hatch_agentplugin.hatch import packages_of
from hatch_agentplugin.hosts.registry import load_hosts
from hatch_agentplugin.packages import Packages
from hatch_agentplugin.plan import HostPlan
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.state import State
from tests.content.test_hosts import SERVER
from tests.hosts._sandbox import environment
from tests.hosts.drivers import DRIVERS, Driver, run
from tests.hosts.model import Script
from tests.hosts.test_drivers import seen
from tests.packages.made import MORE, make
from tests.packages.made import project as copy_of_example

pytestmark = pytest.mark.hosts

EXAMPLE = Path(__file__).parents[2] / "example-plugin"
FORBIDDEN = "rm -rf ~"
GREETING = "example-plugin guards this session"
REASON = "example-plugin refuses to delete"
NAME = "example-plugin@example-plugin-plugins"


@dataclass(frozen=True)
class Way:
    """How a host gets a package."""

    commands: Callable[[Path], tuple[tuple[str, ...], ...]] = lambda _: ()
    """Commands of the program's own, for the host's folder."""
    args: Callable[[Path], tuple[str, ...]] = lambda _: ()
    """Arguments of the run instead."""
    settings: Callable[[Path], dict[str, str]] = lambda _: {}
    """Settings that name the package: path below HOME to text."""


def _opencode(folder: Path) -> dict[str, str]:
    config = {"plugin": [f"file://{folder}/example-plugin"]}
    return {".config/opencode/opencode.json": json.dumps(config)}


def _kimi(folder: Path) -> dict[str, str]:
    """What its `/plugins install` writes, which only a terminal has."""
    record = {
        "id": "example-plugin",
        "root": f"{folder}/example-plugin",
        "source": "local-path",
        "enabled": True,
        "installedAt": "2026-11-30T00:00:00Z",
    }
    installed = {"version": 1, "plugins": [record]}
    return {".kimi-code/plugins/installed.json": json.dumps(installed)}


WAYS = {
    "claude-code": Way(
        lambda f: (("plugin", "marketplace", "add", str(f)), ("plugin", "install", NAME))
    ),
    "codex": Way(lambda f: (("plugin", "marketplace", "add", str(f)), ("plugin", "add", NAME))),
    "gemini-cli": Way(lambda f: (("extensions", "link", f"{f}/example-plugin", "--consent"),)),
    "qwen-code": Way(lambda f: (("extensions", "install", f"{f}/example-plugin", "--consent"),)),
    "copilot-cli": Way(
        lambda f: (("plugin", "marketplace", "add", str(f)), ("plugin", "install", NAME))
    ),
    # Droid calls a marketplace by the name of its folder.
    "droid": Way(
        lambda f: (
            ("plugin", "marketplace", "add", str(f)),
            ("plugin", "install", f"example-plugin@{f.name}"),
        )
    ),
    "opencode": Way(settings=_opencode),
    "kimi": Way(settings=_kimi),
    "pi": Way(lambda f: (("install", f"{f}/example-plugin"),)),
}
each_driver = pytest.mark.parametrize(
    "driver", [d for d in DRIVERS if d.id in WAYS], ids=lambda driver: driver.id
)


def install(driver: Driver, way: Way, folder: Path, home: Path, project: Path) -> None:
    for name, text in way.settings(folder).items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
    base = environment(home, dict(driver.env))
    base["PATH"] = os.pathsep.join([*driver.install.path(), base["PATH"]])
    for command in way.commands(folder):
        done = subprocess.run(
            [*driver.install.command(), *command],
            env=base,
            cwd=project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)


#: Hosts that take a package for one run, installing nothing.
FOR_ONE_RUN = {
    "claude-code": Way(args=lambda f: ("--plugin-dir", f"{f}/example-plugin")),
    "pi": Way(args=lambda f: ("-e", f"{f}/example-plugin")),
}


def value_at() -> Callable[..., Any]:
    """Reads values of documents as they are on the disk now."""
    return Workspace(Reader({}).read, Ledger()).value_at


@each_driver
def test_package_is_installed_and_fired_by_the_real_program(driver: Driver, tmp_path: Path) -> None:
    """Context, refusal with the reason, an allowed command and the portable command."""
    home = fired(driver, WAYS[driver.id], tmp_path)
    assert package_seen(plan(driver.id), "example-plugin", context(home), value_at()) is not None


@pytest.mark.parametrize(
    "driver", [d for d in DRIVERS if d.id in FOR_ONE_RUN], ids=lambda driver: driver.id
)
def test_package_for_one_run(driver: Driver, tmp_path: Path) -> None:
    """The folder is named on the command line; nothing of it stays."""
    home = fired(driver, FOR_ONE_RUN[driver.id], tmp_path)
    assert package_seen(plan(driver.id), "example-plugin", context(home), value_at()) is None


@pytest.mark.parametrize(
    "driver", [d for d in DRIVERS if d.id == "claude-code"], ids=lambda driver: driver.id
)
def test_handlers_by_uvx(driver: Driver, wheels: Path, tmp_path: Path) -> None:
    """The program hands its environment on, and uvx finds the plugin in a folder of wheels."""
    uvx = shutil.which("uvx", path=str(Path(sys.executable).parent)) or shutil.which("uvx")
    if uvx is None:
        pytest.skip("uv is not installed")
    local = tmp_path / "hömе/.local/bin"
    local.mkdir(parents=True)
    (local / "uvx").symlink_to(uvx)
    env = {
        "UV_FIND_LINKS": str(wheels),
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_PYTHON": sys.executable,
    }
    driver = replace(driver, env={**driver.env, **env})
    home = fired(driver, WAYS[driver.id], tmp_path, "uvx")
    assert (home / ".agent-plugin/example-plugin/uvx-1.0").is_file()


@each_driver
def test_skill_of_the_package_is_offered_to_the_model(driver: Driver, tmp_path: Path) -> None:
    """Where the package can carry skills; and a package with servers that don't start still runs."""
    bundle = load_hosts()[driver.id].package
    assert bundle is not None
    if reason := driver.skip_reason():
        pytest.skip(reason)
    home, project, folder = tmp_path / "home", tmp_path / "project", tmp_path / "packages"
    home.mkdir()
    driver.prepare(home, project)
    bundling.write(make(tmp_path / "made", driver.id, more=MORE).files, folder)
    install(driver, WAYS[driver.id], folder / driver.id, home, project)
    result = run(driver, home, project, "please work", Script.of(final="all-done"))
    assert (result.rc, result.timed_out) == (0, False), seen(result)
    assert ("Tidies." in result.requests) == bool(bundle.skills), seen(result)


#: Servers of one tool: a console script, a program of the project, and a file for the plugin's Python.
SERVERS = """
[tool.agent-plugin]
include = ["./scripts"]
[tool.agent-plugin.mcp]
script = { command = "acme-mcp" }
program = { command = "./scripts/server.py" }
file = { command = "python", args = ["${PLUGIN_ROOT}/scripts/file.py"] }
[tool.agent-plugin.hooks]
turn-end = { command = "true" }
"""


@pytest.mark.parametrize(
    "driver",
    [d for d in DRIVERS if d.id in WAYS and (b := load_hosts()[d.id].package) and b.servers],
    ids=lambda driver: driver.id,
)
def test_servers_of_the_package_are_started(driver: Driver, tmp_path: Path) -> None:
    """From where the program keeps the package; none where it has no word for that place."""
    bundle = load_hosts()[driver.id].package
    assert bundle is not None
    assert bundle.servers is not None
    if reason := driver.skip_reason():
        pytest.skip(reason)
    home, project, folder = tmp_path / "home", tmp_path / "project", tmp_path / "pack ages"
    home.mkdir()
    driver.prepare(home, project)
    bundling.write(with_servers(tmp_path / "made", driver.id).files, folder)
    install(driver, WAYS[driver.id], folder / driver.id, home, project)
    script = Script.of(driver.shell("sleep 3"), final="all-done")
    result = run(driver, home, project, "please work", script)
    assert (result.rc, result.timed_out) == (0, False), seen(result)
    started = [name for name in ("script", "program", "file") if (home / name).exists()]
    assert started == (["script", "program", "file"] if bundle.servers.root else []), seen(result)


def with_servers(folder: Path, host: str) -> Packages:
    """The package of a plugin whose servers leave a file in the home folder when they start."""

    def server(name: str) -> str:
        return f"import os; open(os.path.expanduser('~/{name}'), 'w').close()\n{SERVER}"

    asked = copy_of_example(folder, table=SERVERS)
    texts = {"scripts/server.py": f"#!/usr/bin/env python3\n{server('program')}",
             "scripts/file.py": server("file"),
             "example_plugin/server.py": f"def main():\n{indent(server('script'), '    ')}"}  # fmt: skip
    for name, text in texts.items():
        (asked.root / name).write_text(text)
        (asked.root / name).chmod(0o755)
    own = {"example_plugin/server.py": asked.root / "example_plugin/server.py"}
    asked = replace(
        asked, sources={**asked.sources, **own}, scripts={"acme-mcp": "example_plugin.server:main"}
    )
    scratch = folder.parent / "scratch"
    scratch.mkdir()
    return bundling.make_packages(asked, load_hosts(), [host], scratch)


#: Hosts that check a package: the words, for the host's folder.
CHECKS = {
    "claude-code": (("plugin", "validate", "{0}"), ("plugin", "validate", "{0}/example-plugin")),
    "gemini-cli": (("extensions", "validate", "{0}/example-plugin"),),
}


@pytest.mark.parametrize(
    "driver", [d for d in DRIVERS if d.id in CHECKS], ids=lambda driver: driver.id
)
def test_the_programs_own_check_finds_nothing(driver: Driver, tmp_path: Path) -> None:
    """Of a package with a skill, a command and servers beside the hooks."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    home, project, folder = tmp_path / "home", tmp_path / "project", tmp_path / "packages"
    home.mkdir()
    driver.prepare(home, project)
    bundling.write(make(tmp_path / "made", driver.id, more=MORE).files, folder)
    words = [[word.format(folder / driver.id) for word in row] for row in CHECKS[driver.id]]
    install(driver, Way(lambda _: tuple(map(tuple, words))), folder, home, project)


def fired(driver: Driver, way: Way, tmp_path: Path, runner: RunnerName = "python") -> Path:
    """Make the package, have the program take and fire it; the home folder of the run."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    home, project, folder = tmp_path / "hömе", tmp_path / "project", tmp_path / "mar ket"
    home.mkdir(exist_ok=True)
    driver.prepare(home, project)
    bundling.write(packages_of(EXAMPLE, [driver.id], runner).files, folder)
    install(driver, way, folder / driver.id, home, project)
    driver = replace(driver, args=(*driver.args, *way.args(folder / driver.id)))
    allowed = f"echo allowed-ran; touch '{project}/made'"
    script = Script.of(driver.shell(FORBIDDEN), driver.shell(allowed), final="all-done")

    result = run(driver, home, project, "please work", script)

    assert (result.rc, result.timed_out) == (0, False), seen(result)
    assert REASON in "\n".join(result.requests.results()), seen(result)
    assert (project / "made").exists(), seen(result)
    assert "allowed-ran" in "\n".join(result.requests.results()), seen(result)
    (start,) = load_hosts()[driver.id].natives("session-start")
    assert (GREETING in result.requests) == ("context" in start.can), seen(result)
    log = home / ".agent-plugin/example-plugin/data/sessions.log"
    assert f"{driver.id} turn-end" in log.read_text("utf-8"), seen(result)
    return home


def plan(host: str) -> HostPlan:
    """What of a plan says where the host notes its packages."""
    packages = seen_packages(load_hosts()[host], "example-plugin")
    return HostPlan(host, (), (), (), {}, packages=packages)


def context(home: Path) -> Context:
    machine = Machine({"HOME": str(home)}, str(home), "linux")
    return Context(machine, State(home / ".agent-plugin", home), "", "", "")
