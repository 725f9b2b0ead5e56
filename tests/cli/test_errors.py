"""Errors: messages, JSON documents, exit statuses, and streams that cannot be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from hatch_agentplugin.cli import main, status
from tests.activate.world import TREE, World, flat, grouped, snapshot, write
from tests.cli._world import Ran, run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["activate", "--yes", "acmee"], 'unknown plugin "acmee"; did you mean "acme"?'),
        (["activate", "--yes", "--host", "flta"], 'unknown agent "flta"; did you mean "flat"?'),
        (["activate", "--yes", "--host", ","], "--host needs at least one name"),
        (["activate", "--yes", "--scope", "team"], "invalid choice"),
        (["activate", "--yes", "--project", "/nowhere"], "not a folder"),
        (
            ["activate", "--yes", "--project", ".", "--scope", "user"],
            "--project cannot be combined with --scope user",
        ),
        (["deactivate", "--yes", "acmee"], 'did you mean "acme"?'),
        (["restore", "--yes", "x.json"], "no backup"),
        (["bogus"], "invalid choice"),
        ([], "required"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage(world: World, arguments: list[str], said: str) -> None:
    """It exits with 2, suggests the nearest name, and changes nothing."""
    world.install("acme")
    before = snapshot(world.home)
    done = run(world, *arguments)
    assert done.status == 2
    assert said in done.err
    assert snapshot(world.home) == before


@pytest.mark.parametrize("command", ["activate", "deactivate", "prune"])
def test_no_terminal_to_ask_on(world: World, command: str) -> None:
    """Without a terminal, a command that changes files needs --yes."""
    world.install("acme")
    before = snapshot(world.home)
    done = run(world, command)
    assert done.status == 2
    assert "--yes" in done.err
    assert snapshot(world.home) == before


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["activate", "--json"], 2),
        (["activate", "nobody", "--yes", "--json"], 2),
        (["activate", "--yes", "--json"], 1),
        (["activate", "--json", "--no-such-option"], 2),
        (["deactivate", "--yes", "--json", "--scope", "nowhere"], 2),
        (["restore", "--yes", "--json", "/no/such/file"], 2),
        (["status", "--json", "nobody"], 2),
        (["doctor", "--json", "--root", "/"], 2),
        (["simulate", "--json", "nobody", "--event", "turn-end"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_json_document_of_an_error(world: World, words: list[str], status: int) -> None:
    """It has the message and the exit status of the same error without --json."""
    done = run(world, *words)
    assert done.status == status
    assert done.json["ok"] is False
    assert done.json["error"]
    assert done.json["error"].splitlines()[0] in done.err


@pytest.mark.parametrize(
    ("words", "is_document"),
    [
        (["--json", "nobody"], True),
        (["--jso", "nobody"], True),
        (["--j", "--scope", "nowhere"], True),
        (["--", "--json"], False),
        (["--project", ".", "nobody"], False),
    ],
)
def test_json_in_a_command_line_that_cannot_be_parsed(
    world: World, words: list[str], is_document: bool
) -> None:
    """As argparse reads the command line; if it cannot, any abbreviation of --json counts."""
    done = run(world, "status", *words)
    assert done.status == 2
    assert (done.out != "" and done.json["ok"] is False) == is_document


def test_json_document_of_a_file_error(world: World) -> None:
    """It names the file."""
    world.install("acme")
    write(world.home / ".agent-plugin", "a file")
    done = run(world, "activate", "--yes", "--json")
    assert (done.status, done.json["ok"]) == (1, False)
    assert str(world.home / ".agent-plugin") in done.json["error"]


@pytest.mark.parametrize(
    "arguments",
    [["activate", "--yes"], ["activate", "--dry-run"], ["deactivate", "--yes"], ["prune", "--yes"],
     ["status"], ["doctor"], ["doctor", "--fix"], ["restore"]],
    ids=" ".join,
)  # fmt: skip
def test_file_in_place_of_our_folder(world: World, arguments: list[str]) -> None:
    """The error names it, and nothing is written."""
    world.install("acme", {"grouped": grouped()})
    write(world.state, "mine")
    before = snapshot(world.home)
    done = run(world, *arguments)
    assert done.status == 1
    assert f"{world.state}{os.sep}" in done.err
    assert "a part of its path is a file, not a folder" in done.err
    assert snapshot(world.home) == before


@pytest.mark.skipif(os.name == "nt", reason="a folder in use can't be removed there")
def test_current_folder_no_longer_exists(world: World, tmp_path: Path) -> None:
    """Only a command that needs the folder fails."""
    world.install("acme", {"grouped": grouped()})

    def from_nowhere(*arguments: str) -> Ran:
        folder = tmp_path / "gone"
        folder.mkdir()
        return run(
            world,
            *arguments,
            shell=f'cd {folder} && PATH=/bin:/usr/bin rmdir {folder} && exec "$@"',
        )

    assert from_nowhere("activate", "--yes").status == 0
    assert "acme" in from_nowhere("status").out
    done = from_nowhere("activate", "--scope", "project", "--yes")
    assert (done.status, "current folder no longer exists" in done.err) == (2, True)
    done = from_nowhere("restore", "file", "--yes")
    assert (done.status, "current folder no longer exists" in done.err) == (1, True)


@pytest.mark.skipif(os.name == "nt", reason="sh")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(world: World, closed: str) -> None:
    """The command does its work, and no file of ours gets the number of a closed stream."""
    world.install("acme", {"grouped": grouped()})
    assert run(world, "activate", "--yes", shell=f'exec "$@" {closed}').status == 0
    assert run(world, "activate", "--yes").out.count("unchanged") == 1
    assert run(world, "status", shell=f'exec "$@" {closed}').status == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_full_disk(world: World) -> None:
    """The only message is the reason."""
    world.install("acme", {"flat": flat()})
    activate = "activate --yes --host flat"
    for words in ("--version", "status --help", "matrix", "matrix --json", "hosts", activate,
                  activate):  # fmt: skip
        done = run(world, *words.split(), shell='exec "$@" >/dev/full')
        assert (done.status, done.err) == (1, "error: No space left on device\n"), words


@pytest.mark.skipif(os.name == "nt", reason="sh")
@pytest.mark.parametrize(
    ("as_program", "answer", "goes"),
    [
        ("main()", "BrokenPipeError", "1 nowhere"),
        ("main(['--version'])", "BrokenPipeError", "1 on"),
        ("main()", "KeyboardInterrupt", "130 nowhere"),
        ("main(['--version'])", "KeyboardInterrupt", "130 on"),
    ],
)
def test_output_stops_at_the_final_flush(
    world: World, tmp_path: Path, as_program: str, answer: str, goes: str
) -> None:
    """The program then writes nothing at exit; a caller's stream is left alone."""
    file = write(
        tmp_path / "caller.py",
        f"""\
import os, sys
from hatch_agentplugin.cli import main

class Stops:
    encoding = "utf-8"
    def write(self, text): pass
    def isatty(self): return False
    def flush(self): raise {answer}

sys.stdout = Stops()
sys.argv = ["agent-plugin", "--version"]
status = {as_program}
sys.stdout = sys.__stdout__
where = "on" if os.path.sameopenfile(1, 9) else "nowhere"
os.write(9, f"{{status}} {{where}}".encode())
""",
    )
    done = run(world, str(file), program=sys.executable, shell='exec "$@" 9>&1')
    assert done.out == goes
    assert done.err == ("error: interrupted\n" if answer == "KeyboardInterrupt" else "")


@pytest.mark.parametrize(
    ("error", "exit_status", "message"),
    [
        (RuntimeError("odd"), 1, "this is a bug in hatch-agentplugin: RuntimeError: odd"),
        (PermissionError(13, "Permission denied", "/file"), 1, "/file: Permission denied"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
    ids=["bug", "system", "interrupt"],
)
def test_exception_in_a_command(
    error: BaseException,
    exit_status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It becomes a message and, with --json, a document."""
    monkeypatch.setattr(status, "ledger_views", raising(error))
    assert main(["status", "--json"]) == exit_status
    shown = capsys.readouterr()
    assert shown.err.startswith(f"error: {message}")
    assert json.loads(shown.out)["error"].startswith(message)


def test_traceback_of_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """AGENT_PLUGIN_DEBUG shows it, because the exception leaves `main`."""
    monkeypatch.setenv("AGENT_PLUGIN_DEBUG", "1")
    monkeypatch.setattr(status, "ledger_views", raising(RuntimeError("odd")))
    with pytest.raises(RuntimeError, match="odd"):
        main(["status"])


def raising(error: BaseException) -> Callable[..., NoReturn]:
    """Return a function that raises an error."""

    def function(*_: object) -> NoReturn:
        raise error

    return function


def test_build_requirements_are_not_imported() -> None:
    """A user's environment has none of these packages."""
    code = (
        "import sys\n"
        "import hatch_agentplugin.cli\n"
        "hatch_agentplugin.cli.main(['status'])\n"
        "print(sorted({'pydantic', 'pluggy', 'jinja2', 'hatchling'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=TREE, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
