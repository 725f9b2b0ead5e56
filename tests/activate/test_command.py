"""The commands in host entries: every form, shell and scope, run where this machine can."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.activate.commands import (
    Caller,
    CommandError,
    command,
    fill_artifact,
    line,
    render,
    shim,
    slots_in,
)

ODD = '/tmp/it\'s "my" $HOME `ça` ünd\\x/launch'
WINDOWS = r"C:\Users\O'Neil & Söhne\.agent-plugin\acme\launch.cmd"


def caller(path: str = "/h/launch", **more: Any) -> Caller:
    return Caller("acme", "host", path, **more)


# --- POSIX


def test_plain_line_is_words_without_quotes() -> None:
    """The form that is right with a shell and without one."""
    assert line(caller(), "turn-end") == "/h/launch host turn-end"


def test_guarded_line_tests_for_the_launcher() -> None:
    assert line(caller(), "turn-end", guard=True) == (
        "[ -x /h/launch ] || exit 0; exec /h/launch host turn-end"
    )


def test_argv_and_words() -> None:
    """A list, and words that split into that list."""
    assert command(caller(ODD), "turn-end", "argv") == [ODD, "host", "turn-end"]
    words = command(caller(ODD), "turn-end", "words")
    assert isinstance(words, str)
    assert shlex.split(words) == [ODD, "host", "turn-end"]
    guarded = command(caller(), "turn-end", "argv", guard=True)
    assert guarded == ["sh", "-c", "[ -x /h/launch ] || exit 0; exec /h/launch host turn-end"]


@pytest.mark.parametrize("guard", [False, True], ids=["plain", "guarded"])
@given(name=st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1))
def test_any_path_reaches_the_launcher(
    tmp_path_factory: pytest.TempPathFactory, guard: bool, name: str
) -> None:
    """Whatever letters the home folder's name has, as a shell line and as words."""
    if name in (".", "..") or len(name.encode()) > 200:
        return
    folder = tmp_path_factory.mktemp("home") / name
    folder.mkdir()
    launch = folder / "launch"
    launch.write_text('#!/bin/sh\necho "$@"\n')
    launch.chmod(0o700)
    who = caller(str(launch))
    text = line(who, "turn-end", guard)
    assert subprocess.check_output(["sh", "-c", text]) == b"host turn-end\n"
    words = command(who, "turn-end", "words", guard)
    assert isinstance(words, str)
    assert subprocess.check_output(shlex.split(words)) == b"host turn-end\n"
    script = folder / "shim"
    script.write_bytes(shim(who, "turn-end"))
    assert subprocess.check_output(["sh", str(script)]) == b"host turn-end\n"
    shutil.rmtree(folder)


def shared() -> Caller:
    return caller(ODD, shared=True, flag="--project")


@pytest.mark.parametrize("form", ["sh", "argv", "words", "shim"])
@pytest.mark.parametrize("variable", [True, False], ids=["AGENT_PLUGIN_HOME", "HOME"])
def test_shared_command_finds_the_launcher_of_its_user(
    tmp_path: Path, form: str, variable: bool
) -> None:
    """In a project's file the command holds no path, and runs what the user at hand has."""
    text: Any
    if form == "shim":
        text = ["sh", "-c", shim(shared(), "turn-end").decode()]
    else:
        text = command(shared(), "turn-end", form)  # type: ignore[arg-type]
        assert ODD not in str(text)
        if isinstance(text, str):
            text = ["sh", "-c", text] if form == "sh" else shlex.split(text)
    home = tmp_path / "a home"
    root = home / ".agent-plugin"
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    if variable:
        root = tmp_path / "else where"
        environ["AGENT_PLUGIN_HOME"] = str(root)
    assert subprocess.check_output(text, env=environ) == b"", "silent where there is none"
    (root / "acme").mkdir(parents=True)
    launch = root / "acme/launch"
    launch.write_text('#!/bin/sh\necho "$@"\n')
    launch.chmod(0o700)
    assert subprocess.check_output(text, env=environ) == b"host turn-end --project\n"


def test_shared_line_is_this_very_text() -> None:
    """Teams commit it: it must not change between versions of ours."""
    assert line(shared(), "turn-end") == (
        'f="${AGENT_PLUGIN_HOME:-$HOME/.agent-plugin}/acme/launch"; '
        '[ -x "$f" ] || exit 0; exec "$f" host turn-end --project'
    )


# --- Windows: pure texts, as no such shell is here


def windows(shell: Any, **more: Any) -> Caller:
    return caller(WINDOWS, shell=shell, **more)


@pytest.mark.parametrize(
    ("shell", "guard", "expected"),
    [
        ("cmd", False, f'"{WINDOWS}" host turn-end'),
        ("cmd", True, f'if exist "{WINDOWS}" "{WINDOWS}" host turn-end'),
        ("none", False, f'"{WINDOWS}" host turn-end'),
        (
            "powershell", False,
            r"& 'C:\Users\O''Neil & Söhne\.agent-plugin\acme\launch.cmd' host turn-end",
        ),
        (
            "bash", False,
            "'C:/Users/O'\"'\"'Neil & Söhne/.agent-plugin/acme/launch.cmd' host turn-end",
        ),
    ],
)  # fmt: skip
def test_windows_line(shell: str, guard: bool, expected: str) -> None:
    assert line(windows(shell), "turn-end", guard) == expected


def test_windows_guards_in_powershell_and_bash() -> None:
    path = r"'C:\a\launch.cmd'"
    assert line(caller(r"C:\a\launch.cmd", shell="powershell"), "turn-end", True) == (
        f"if (Test-Path -LiteralPath {path}) {{ & {path} host turn-end; exit $LASTEXITCODE }}"
    )
    assert line(caller(r"C:\a\launch.cmd", shell="bash"), "turn-end", True) == (
        "[ -f C:/a/launch.cmd ] || exit 0; exec C:/a/launch.cmd host turn-end"
    )


def test_plain_windows_path_is_right_in_bash_and_powershell() -> None:
    """Without blanks there are no quotes: a host may fall back from one shell to the other."""
    text = line(caller(r"C:\Users\me\launch.cmd", shell="bash"), "turn-end")
    assert text == "C:/Users/me/launch.cmd host turn-end"


def test_windows_batch_file_is_run_by_cmd_in_lists() -> None:
    """A program that is started without a shell can't be a batch file."""
    assert command(windows("cmd"), "turn-end", "argv") == [
        "cmd.exe", "/d", "/c", WINDOWS, "host", "turn-end",
    ]  # fmt: skip


@pytest.mark.parametrize("shell", ["cmd", "powershell", "bash"])
def test_shared_windows_lines_hold_no_path(shell: str) -> None:
    text = line(windows(shell, shared=True, flag="--project"), "turn-end")
    assert "Neil" not in text
    assert ".agent-plugin" in text
    assert "host turn-end --project" in text
    assert "if" in text or "|| exit 0" in text


def test_shared_list_is_refused_on_windows() -> None:
    with pytest.raises(CommandError, match="another user"):
        command(windows("cmd", shared=True), "turn-end", "argv")


@pytest.mark.parametrize(
    ("suffix", "start", "holds"),
    [
        (".ps1", b"\xef\xbb\xbf# ", b"exit $LASTEXITCODE"),
        (".cmd", b"@rem ", b"@chcp 65001"),
        ("", b"#!/bin/sh\n", b"exec "),
    ],
)
def test_windows_scripts_have_the_right_language(suffix: str, start: bytes, holds: bytes) -> None:
    data = shim(windows("cmd" if suffix else "bash"), "turn-end", suffix)
    assert data.startswith(start)
    assert holds in data
    assert (b"\r\n" in data) is bool(suffix)


# --- values and artifacts


def test_render_replaces_nodes_and_lists_commands() -> None:
    node = {"$launcher": {"slot": "turn-end", "form": "sh"}}
    value, commands = render({"a": [{"command": node, "n": 1}], "b": node}, caller())
    assert value == {
        "a": [{"command": "/h/launch host turn-end", "n": 1}],
        "b": "/h/launch host turn-end",
    }
    assert commands == ("/h/launch host turn-end",) * 2
    assert slots_in({"a": [node], "b": {"$launcher": node, "more": 1}}) == ("turn-end",) * 2


@pytest.mark.parametrize("node", [None, "x", {"slot": 1}, {"form": "sh"}])
def test_node_without_a_slot_is_refused(node: object) -> None:
    with pytest.raises(CommandError, match="does not name a slot"):
        render({"$launcher": node}, caller())


def test_artifact_holds_the_path_as_json() -> None:
    """Also with the two letters that end a line in JavaScript."""
    path = ODD + "\u2028\u2029"
    data = fill_artifact(b"const l = @AGENT_PLUGIN_LAUNCHER@;", caller(path))
    assert b"\\u2028\\u2029" in data
    assert json.loads(data.decode().split("= ")[1].rstrip(";")) == path


def test_artifact_with_a_path_is_not_shared() -> None:
    with pytest.raises(CommandError, match="cannot be shared"):
        fill_artifact(b"@AGENT_PLUGIN_LAUNCHER@", caller(shared=True))
    assert fill_artifact(b"no path", caller(shared=True)) == b"no path"
