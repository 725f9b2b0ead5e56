"""Folders and files as hosts find them, by each system's rules; who is on the machine."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.activate.detect import Ours, presence
from hatch_agentplugin.activate.locate import (
    LocateError,
    Machine,
    Scope,
    System,
    file_path,
    folder,
    locate,
    system_folder,
)
from hatch_agentplugin.activate.placed_list import managed_hosts
from hatch_agentplugin.hosts.delivery import Dir, File
from hatch_agentplugin.transaction.ledger import FileRow, Ledger, LedgerEntry
from tests.activate.world import World, flat, grouped

USER = Scope()


def machine(system: Any = "linux", home: str = "/home/u", **environ: str) -> Machine:
    return Machine(environ, home, system)


@pytest.mark.parametrize(
    ("plan", "environ", "expected"),
    [
        (Dir("~/.x"), {}, "/home/u/.x"),
        (Dir("~"), {}, "/home/u"),
        (Dir("~/.x", "X_DIR"), {"X_DIR": "/else"}, "/else"),
        (Dir("~/.x", "X_DIR"), {"X_DIR": ""}, "/home/u/.x"),
        (Dir("~/.x", "X_HOME", ".x"), {"X_HOME": "/else"}, "/else/.x"),
        (Dir("~/.config/x", "XDG_CONFIG_HOME", "x"), {"XDG_CONFIG_HOME": "/c"}, "/c/x"),
        (Dir("~/.x", windows="%APPDATA%/x", macos="~/Library/x"), {}, "/home/u/.x"),
    ],
    ids=str,
)
def test_linux(plan: Dir, environ: dict[str, str], expected: str) -> None:
    assert folder(plan, machine(**environ), USER) == expected


def test_macos_default() -> None:
    plan = Dir("~/.x", macos="~/Library/Application Support/x")
    expected = "/Users/u/Library/Application Support/x"
    assert folder(plan, machine("macos", "/Users/u"), USER) == expected


@pytest.mark.parametrize(
    ("plan", "environ", "expected"),
    [
        (Dir("~/.x"), {}, r"C:\Users\u\.x"),
        (Dir("~/.x/y"), {}, r"C:\Users\u\.x\y"),
        (Dir("~/.x", windows="%APPDATA%/x"), {"APPDATA": r"D:\Roam"}, r"D:\Roam\x"),
        (Dir("~/.x", windows=r"%AppData%\x"), {"APPDATA": r"D:\Roam"}, r"D:\Roam\x"),
        (Dir("~/.x", windows="%APPDATA%/x"), {}, r"C:\Users\u\AppData\Roaming\x"),
        (Dir("~/.x", windows="%LOCALAPPDATA%/x"), {}, r"C:\Users\u\AppData\Local\x"),
        (Dir("~/.x", windows="%USERPROFILE%/x"), {}, r"C:\Users\u\x"),
        (Dir("~/.x", "X_DIR", "in/it"), {"x_dir": r"E:\e"}, r"E:\e\in\it"),
    ],
    ids=str,
)
def test_windows(plan: Dir, environ: dict[str, str], expected: str) -> None:
    """Variables whatever their case, with the usual places where they are missing."""
    assert folder(plan, machine("windows", r"C:\Users\u", **environ), USER) == expected


def test_windows_file_name_differs() -> None:
    target = File(Dir("~/.x"), "Hooks/Stop", windows="Hooks/Stop.ps1")
    assert file_path(target, machine("windows", r"C:\U"), USER) == r"C:\U\.x\Hooks\Stop.ps1"
    assert file_path(target, machine(), USER) == "/home/u/.x/Hooks/Stop"


def test_project_folders() -> None:
    scope = Scope("project", "/repo")
    assert folder(Dir(".x"), machine(), scope) == "/repo/.x"
    assert folder(Dir("."), machine(), scope).rstrip("/.") == "/repo"
    with pytest.raises(LocateError, match="the scope is user"):
        folder(Dir(".x"), machine(), USER)


@pytest.mark.parametrize(
    ("system", "expected"),
    [("linux", "/var/lib/agent-plugin"), ("macos", "/Library/agent-plugin"),
     ("windows", r"D:\Programs\agent-plugin")],
)  # fmt: skip
def test_folder_of_what_is_for_all_users(system: System, expected: str) -> None:
    """One that only an administrator can write to or make."""
    somewhere = Machine({"ProgramFiles": r"D:\Programs"}, "/home/me", system)
    assert system_folder(somewhere) == expected


def test_windows_without_a_folder_of_programs(plain: World) -> None:
    """An emptied environment keeps nobody from placing for himself."""
    context = replace(plain.context(), machine=Machine({}, r"C:\\Users\\me", "windows"))
    assert context.managed_folder("acme") == ""
    assert managed_hosts(context, "acme") == set()


def test_image_has_no_home_and_no_variables() -> None:
    """What is set on the machine that prepares it says nothing about the image."""
    prepared = Machine({"X_DIR": "/elsewhere"}, "/home/me", "linux", "/image")
    plan = Dir("/etc/x", "X_DIR")
    target = File(plan, "hooks.json")
    assert folder(plan, prepared, Scope("managed")) == "/etc/x"
    assert locate(target, prepared, Scope("managed")) == Path("/image/etc/x/hooks.json")
    for bad, scope in ((Dir("~/.x"), Scope("managed")), (plan, Scope("user"))):
        with pytest.raises(LocateError, match="image"):
            folder(bad, prepared, scope)


def test_managed_folders_are_absolute() -> None:
    """For administrators only."""
    assert folder(Dir("/etc/x"), machine(), Scope("managed")) == "/etc/x"
    windows = machine("windows", r"C:\U", PROGRAMDATA=r"C:\P")
    plan = Dir("/etc/x", windows="%ProgramData%/x")
    assert folder(plan, windows, Scope("managed")) == r"C:\P\x"
    with pytest.raises(LocateError, match="only the managed scope"):
        folder(Dir("/etc/x"), machine(), USER)


@pytest.mark.parametrize(
    ("plan", "environ"),
    [
        (Dir("~/../x"), {}),
        (Dir("~/a\0b"), {}),
        (Dir(""), {}),
        (Dir("~/.x", "X", "../y"), {"X": "/a"}),
        (Dir("~/.x", "X"), {"X": "relative"}),
        (Dir("~/.x", "X"), {"X": "/a\0b"}),
    ],
    ids=["dots", "NUL", "empty", "dots inside", "relative", "NUL in the variable"],
)
def test_refused(plan: Dir, environ: dict[str, str]) -> None:
    with pytest.raises(LocateError):
        folder(plan, machine(**environ), USER)


def test_windows_unknown_variable_is_refused() -> None:
    with pytest.raises(LocateError, match="%NOWHERE% is not set"):
        folder(Dir("~", windows="%NOWHERE%/x"), machine("windows", r"C:\U"), USER)


def test_links_of_a_project_are_looked_at(tmp_path: Path) -> None:
    """A link inside the project is fine, one that leads out is not; the user's own are his."""
    project = tmp_path / "p"
    (project / "real").mkdir(parents=True)
    (project / ".in").symlink_to("real")
    (project / ".out").symlink_to(tmp_path)
    here = machine(home=str(project))
    scope = Scope("project", str(project))
    assert locate(File(Dir(".in"), "x"), here, scope) == project / ".in/x"
    with pytest.raises(LocateError, match="out of the project"):
        locate(File(Dir(".out"), "x"), here, scope)
    assert locate(File(Dir("~/.out"), "x"), here, USER) == project / ".out/x"


# --- presence


def test_host_is_seen_by_program_or_folder(plain: World) -> None:
    """Without running anything."""
    here = plain.context().machine
    assert presence(flat(), here) is None
    (plain.home / ".flat").mkdir()
    assert presence(flat(), here) == str(plain.home / ".flat")
    plain.put_on_path("flat")
    assert presence(flat(), here) == str(plain.root / "bin/flat")


def test_file_that_is_no_program_is_no_host(plain: World) -> None:
    (plain.root / "bin/flat").write_text("")
    assert presence(flat(), plain.context().machine) is None


def test_host_is_seen_where_its_variable_points(plain: World) -> None:
    plan = grouped()
    moved = type(plan)(**{**vars(plan), "dirs": (Dir("~/.grouped", "GROUPED_CONFIG_DIR"),)})
    plain.environ["GROUPED_CONFIG_DIR"] = str(plain.root)
    assert presence(moved, plain.context().machine) == str(plain.root)


def placed(host: str, path: Path) -> LedgerEntry:
    """A ledger entry for a file of our own."""
    return LedgerEntry("acme", "1.0", host, "user", str(path), "file", "file", "env")


@pytest.mark.parametrize(
    ("content", "host", "expected"),
    [
        pytest.param(b"ours", "other", False, id="as-we-wrote-it"),
        pytest.param(b"ours, and mine", "other", True, id="changed-by-the-user"),
        pytest.param(b"ours", "flat", True, id="for-the-host-itself"),
        pytest.param(None, "other", False, id="removed"),
    ],
)
def test_folder_that_we_made_does_not_detect_a_host(
    plain: World, content: bytes | None, host: str, expected: bool
) -> None:
    """It counts only if it holds more than our own unchanged files for other hosts."""
    folder = plain.home / ".flat"
    folder.mkdir()
    file = folder / "hooks.json"
    if content is not None:
        file.write_bytes(content)
    ledger = Ledger(
        entries=(placed(host, file),),
        files={str(file): FileRow(hashlib.sha256(b"ours").hexdigest())},
        folders=(str(folder),),
    )
    here = plain.context().machine
    assert presence(flat(), here, Ours(ledger), "flat") == (str(folder) if expected else None)
    (folder / "mine").touch()
    assert presence(flat(), here, Ours(ledger), "flat") == str(folder)
