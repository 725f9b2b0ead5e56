"""Packages whose handlers come by ``uvx``: with the real uv, without it, and with worse ones."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from hatch_agentplugin import packages as bundling
from hatch_agentplugin.packages import Packages
from tests.built import TREE
from tests.packages.made import FORBIDDEN, fire, make

UVX = '\n[tool.agent-plugin.packages]\nrunner = "uvx"\n\n[tool.agent-plugin.hooks]'
HOST = "claude-code"
REASON = "example-plugin refuses to delete"


def uvx() -> str:
    """uv's own program, as it is installed from PyPI beside the tests."""
    found = shutil.which("uvx", path=str(Path(sys.executable).parent)) or shutil.which("uvx")
    return found or pytest.skip("uv is not installed")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return make(tmp_path_factory.mktemp("uvx"), HOST, more=UVX, requires=("hatch-agentplugin", "x"))


@pytest.fixture
def package(made: Packages, tmp_path: Path) -> Path:
    """The package where a user has it."""
    folder = tmp_path / 'it\'s ünd "more" $x'
    bundling.write(made.files, folder)
    script = folder / HOST / "example-plugin/lib/ask-uvx.sh"
    text = script.read_text("utf-8")
    for place in ("/opt/homebrew", "/usr/local"):  # with or without a uvx on this machine
        text = text.replace(f" {place}/", f" '{tmp_path}{place}'/")
    script.write_text(text, "utf-8")
    return folder / HOST / "example-plugin"


def program(home: Path, text: str) -> Path:
    """A program called uvx, first on the path that :func:`fire` gives."""
    file = home / "bin/uvx"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def state(home: Path) -> Path:
    return home / ".agent-plugin/example-plugin"


def settled(home: Path) -> Mapping[str, bytes]:
    """The files of the state, with the time of each."""
    files = (path for path in sorted(state(home).rglob("*")) if path.is_file())
    return {path.name: path.read_bytes() for path in files}


def refuses(package: Path, home: Path, **env: str) -> bool:
    return REASON in fire(package, HOST, "pre-tool-use", FORBIDDEN, home, **env)


def test_the_package_carries_no_python(made: Packages) -> None:
    """Neither the author's nor ours, whatever it depends on; and no path of the builder's."""
    inside = [name.partition("/lib/")[2] for name in made.files if "/lib/" in name]
    assert "ask-uvx.sh" in inside
    assert not any(name.startswith(("example_plugin/", "hatch_agentplugin/")) for name in inside)
    assert not any("does not contain" in note for note in made.notes)
    text = made.files[f"{HOST}/example-plugin/lib/ask-uvx.sh"][0].decode()
    assert "--from example-plugin==1.0 " in text


@pytest.mark.slow
def test_real_uvx_runs_the_handlers_offline(package: Path, wheels: Path, tmp_path: Path) -> None:
    """From a folder of wheels and nothing else; after the first call without uvx."""
    home = tmp_path / "home"
    program(home, f'echo asked >>"{home}/asked"; exec "{uvx()}" "$@"')
    env = {
        "UV_FIND_LINKS": str(wheels),
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_CACHE_DIR": str(tmp_path / "cache"),
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
    }
    assert refuses(package, home, **env)
    python, packages = (state(home) / "uvx-1.0").read_text("utf-8").splitlines()
    assert python.startswith(str(tmp_path / "cache"))
    assert (Path(packages) / "example_plugin/hooks.py").is_file()

    program(home, "exit 1")
    start = time.monotonic()
    assert refuses(package, home)
    assert time.monotonic() - start < 2
    assert (home / "asked").read_text() == "asked\n"

    # uv has cleaned its cache: silence at worst, and the environment is made anew.
    shutil.rmtree(tmp_path / "cache")
    (state(home) / "uvx-1.0.asked").unlink()
    program(home, f'exec "{uvx()}" "$@"')
    assert refuses(package, home, **env)


def test_without_uvx_nothing_happens(package: Path, tmp_path: Path) -> None:
    """No handler runs, no reply, no failure; the portable command does its work as ever."""
    home = tmp_path / "home"
    for _ in range(2):
        assert fire(package, HOST, "pre-tool-use", FORBIDDEN, home) == ""
    assert settled(home) == {}
    assert fire(package, HOST, "turn-end", {}, home) == ""
    assert f"{HOST} turn-end" in (state(home) / "data/sessions.log").read_text("utf-8")


@pytest.mark.parametrize(
    "folder", ["$HOME/.local/bin", "$HOME/.cargo/bin", "/opt/homebrew/bin", "/usr/local/bin"]
)
def test_uvx_that_is_on_no_path(package: Path, tmp_path: Path, folder: str) -> None:
    """Where installers put it."""
    home = tmp_path / "home"
    uvx = program(home, f'echo asked >>"{home}/asked"; exit 1')
    there = Path(folder.replace("$HOME", str(home)) if "$" in folder else f"{tmp_path}{folder}")
    there.mkdir(parents=True)
    uvx.rename(there / "uvx")
    assert fire(package, HOST, "pre-tool-use", FORBIDDEN, home) == ""
    assert (home / "asked").exists()


def test_commands_that_only_python_can_choose_between(tmp_path: Path) -> None:
    """uvx is asked where the shell can't be sure which of them the tool is for, and else not."""
    row = '{{ command = "./scripts/session-log.sh", args = ["${{PLUGIN_DATA}}"], tools = ["{}"] }}'
    table = (
        '[tool.agent-plugin.packages]\nrunner = "uvx"\n[tool.agent-plugin.hooks]\n'
        'session-start = { handler = "example_plugin.hooks:greet" }\n'
        f"pre-tool-use = [{row.format('shell')}, {row.format('file.write')}]\n"
    )
    bundling.write(make(tmp_path / "made", HOST, table=table).files, tmp_path)
    package, home = tmp_path / HOST / "example-plugin", tmp_path / "home"
    program(home, f'echo asked >>"{home}/asked"; echo "{sys.executable}"; echo "{TREE}"')
    fire(package, HOST, "pre-tool-use", {"tool_name": "Read", "tool_input": {}}, home)
    assert not (home / "asked").exists()
    fire(package, HOST, "pre-tool-use", FORBIDDEN, home)
    assert f"{HOST} pre-tool-use" in (state(home) / "data/sessions.log").read_text("utf-8")


def test_uvx_is_not_asked_for_commands_nor_where_the_plugin_is_active(
    package: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    program(home, f'touch "{home}/asked"')
    fire(package, HOST, "turn-end", {}, home)
    (state(home) / "placed").write_text(f"{HOST}.user\n")
    assert fire(package, HOST, "pre-tool-use", FORBIDDEN, home) == ""
    assert not (home / "asked").exists()


@pytest.mark.parametrize(
    "text",
    [
        "exit 1",
        "exit 0",
        "echo nonsense",
        "echo /bin/sh; echo /nowhere",
        "echo /bin/sh; echo /tmp",
        "printf '/bin/sh\\n/tmp'; exit 2",
        "yes | head -c 2000000",
    ],
)
def test_uvx_that_gives_nothing_of_use(package: Path, tmp_path: Path, text: str) -> None:
    """Silence; and it is not asked again at the next call."""
    home = tmp_path / "home"
    program(home, f'echo asked >>"{home}/asked"; {text}')
    for _ in range(3):
        assert fire(package, HOST, "pre-tool-use", FORBIDDEN, home) == ""
    assert (home / "asked").read_text().count("asked") <= 2  # offline, then online


@pytest.mark.slow
def test_uvx_that_takes_long_goes_on_behind_the_agents_back(package: Path, tmp_path: Path) -> None:
    """A call waits a bounded time; what uvx then finds serves the next."""
    home = tmp_path / "home"
    program(home, f'sleep 10; echo "{sys.executable}"; echo "{TREE}"')
    start = time.monotonic()
    assert fire(package, HOST, "pre-tool-use", FORBIDDEN, home) == ""
    assert time.monotonic() - start < 10
    deadline = time.monotonic() + 20
    while not (state(home) / "uvx-1.0").exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    # There is no author's package in our tree, which the log says.
    assert fire(package, HOST, "pre-tool-use", FORBIDDEN, home) == ""
    assert "\timport\tModuleNotFoundError" in (state(home) / "log").read_text("utf-8")


def test_state_that_cant_be_written(package: Path, tmp_path: Path) -> None:
    """Nobody is asked what could not be kept."""
    home = tmp_path / "home"
    program(home, f'touch "{tmp_path}/asked"; exit 1')
    (home / ".agent-plugin").write_text("a file where the folder would be")
    assert fire(package, HOST, "pre-tool-use", FORBIDDEN, home) == ""
    assert not (tmp_path / "asked").exists()


def test_ask_uvx_in_every_shell(package: Path, tmp_path: Path) -> None:
    """The same silence in whatever ``sh`` is."""
    for shell in filter(shutil.which, ("dash", "bash", "busybox", "zsh", "ksh")):
        home = tmp_path / shell
        program(home, "exit 1")
        words = [shell, "sh"] if shell == "busybox" else [shell]
        done = subprocess.run(
            [*words, str(package / "launch"), HOST, "pre-tool-use"],
            input="{}",
            env={"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), shell
