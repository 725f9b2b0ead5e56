"""Every look at the machine is noted, whoever takes it, and can be taken again."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.place import noted as noting
from hatch_agentplugin.place.looks import look
from hatch_agentplugin.place.noted import Noted

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is noted on Windows")


def _read(path: str) -> None:
    with open(path, "rb") as file:
        file.read()


LOOKS: dict[str, tuple[Callable[[str], Any], str]] = {
    # By a lambda where the function itself would be the real one.
    "stat": (lambda path: os.stat(path), "stat"),
    "lstat": (lambda path: os.lstat(path), "lstat"),
    "not following": (lambda path: os.stat(path, follow_symlinks=False), "lstat"),
    "exists": (os.path.exists, "stat"),
    "lexists": (os.path.lexists, "lstat"),
    "isfile": (os.path.isfile, "stat"),
    "isdir": (os.path.isdir, "stat"),
    "islink": (os.path.islink, "lstat"),
    "realpath": (os.path.realpath, "lstat"),
    "getsize": (os.path.getsize, "stat"),
    "ismount": (os.path.ismount, "lstat"),
    "listdir": (lambda path: os.listdir(path), "list"),
    "readlink": (lambda path: os.readlink(path), "link"),
    "access": (lambda path: os.access(path, os.R_OK), "may4"),
    "open": (_read, "read"),
    "os.open": (lambda path: os.close(os.open(path, os.O_RDONLY)), "read"),
    "io.open": (lambda path: io.open(path).close(), "read"),  # noqa: UP020
    "which": (lambda path: shutil.which("x", path=path), "stat"),
}


if sys.version_info >= (3, 11):  # Before, `pathlib` keeps functions of its own, and is told.
    LOOKS["Path.read_bytes"] = (lambda path: Path(path).read_bytes(), "read")
    LOOKS["Path.is_dir"] = (lambda path: Path(path).is_dir(), "stat")


@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.parametrize("there", ["nothing", "a file", "a folder", "a link"])
def test_looks_are_noted(tmp_path: Path, name: str, there: str) -> None:
    """With what is to be seen, and a missing file is something, too."""
    path = tmp_path / "x"
    if there == "a file":
        path.write_text("text")
    elif there == "a folder":
        path.mkdir()
    elif there == "a link":
        path.symlink_to("y")
    function, kind = LOOKS[name]
    noted = Noted()
    with noted, suppress(OSError):
        function(str(path))
    what = path / "x" if name == "which" else path
    if name == "which" and there != "a folder":
        assert any(one.startswith(str(path)) for _, one in noted.looks)
    else:
        assert noted.looks[kind, str(what)] == look(kind, str(what))
    assert noted.sound


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda path: (path / "file").write_text("texT"),
    "mode": lambda path: (path / "file").chmod(0o755),
    "gone": lambda path: (path / "file").unlink(),
    "a folder": lambda path: ((path / "file").unlink(), (path / "file").mkdir()),
    "a link": lambda path: ((path / "file").rename(path / "f"), (path / "file").symlink_to("f")),
    "another name": lambda path: (path / "new").touch(),
    "comes": lambda path: (path / "missing").touch(),
    "leads elsewhere": lambda path: ((path / "link").unlink(), (path / "link").symlink_to("x")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changes_are_seen(tmp_path: Path, change: str) -> None:
    """The same looks once more see each kind of change, and else the same as before."""
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")
    noted = Noted()
    with noted:
        for name in ("file", "link", "missing"):
            path = str(tmp_path / name)
            os.path.exists(path)
            os.path.islink(path)
            os.access(path, os.X_OK)
            if name != "missing":
                _read(path)
        os.readlink(tmp_path / "link")
        os.listdir(tmp_path)
    assert all(look(*what) == seen for what, seen in noted.looks.items())
    CHANGES[change](tmp_path)
    assert any(look(*what) != seen for what, seen in noted.looks.items())


def test_first_look_counts(tmp_path: Path) -> None:
    """What has changed while the run went on is a difference for the next one."""
    path = tmp_path / "file"
    path.write_text("one")
    noted = Noted()
    with noted:
        _read(str(path))
    path.write_text("two")
    with noted:
        _read(str(path))
    assert noted.looks["read", str(path)] != look("read", str(path))


def test_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment is asked for, set or not, also by who holds on to it."""
    monkeypatch.setenv("AP_SET", "value")
    monkeypatch.delenv("AP_UNSET", raising=False)
    noted = Noted()
    with noted:
        held = os.environ
        assert os.environ["AP_SET"] == os.getenv("AP_SET") == "value"
        assert "AP_UNSET" not in os.environ
    assert held.get("AP_LATER") is None
    seen = {what: seen for (kind, what), seen in noted.looks.items() if kind == "env"}
    assert (seen.pop("AP_UNSET"), seen.pop("AP_LATER")) == ("-", "-")
    assert seen == {"AP_SET": look("env", "AP_SET")}
    assert "value" not in seen["AP_SET"]
    monkeypatch.setenv("AP_UNSET", "")
    assert look("env", "AP_UNSET") not in ("-", seen["AP_SET"])
    assert noted.sound


def test_working_folder_counts_where_python_imports_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere it is all the same which it is."""
    noted = Noted()
    monkeypatch.chdir(tmp_path)
    with noted:
        os.getcwd()
    monkeypatch.chdir(tmp_path.parent)
    assert look("cwd", "") == noted.looks["cwd", ""] == "elsewhere"
    monkeypatch.syspath_prepend(tmp_path.parent)
    assert look("cwd", "") == os.getcwd()


UNSOUND: dict[str, Callable[[Path], Any]] = {
    "relative": lambda path: os.path.exists("x"),
    "descriptor": lambda path: os.stat(0),
    "folder's descriptor": lambda path: os.stat("/x", dir_fd=3),
    "scandir": lambda path: list(os.scandir(path)),
    "walk": lambda path: list(os.walk(path)),
    "written": lambda path: open(path / "x", "w").close(),
    "opened for writing": lambda path: os.close(os.open(path / "x", os.O_CREAT | os.O_RDWR)),
    "every variable": lambda path: dict(os.environ),
    "how many variables": lambda path: len(os.environ),
    "a copy of them": lambda path: os.environ.copy(),
    "a variable set": lambda path: os.environ.__setitem__("AP_NEW", "x"),
    "variables in bytes": lambda path: os.environb.get(b"HOME"),
    "another user's access": lambda path: os.access(path, 4, effective_ids=True),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_what_cannot_be_noted_is_told(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then nothing is built on the notes."""
    monkeypatch.setenv("AP_NEW", "")
    noted = Noted()
    with noted, suppress(OSError, NotImplementedError):
        UNSOUND[name](tmp_path)
    assert not noted.sound


def test_os_path_that_asks_somebody_else_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where it is written in C."""
    monkeypatch.setattr(noting, "_OF_PATH", ((lambda path: True, "stat"),))
    noted = Noted()
    with noted:
        pass
    assert not noted.sound


def test_all_is_as_before_afterwards() -> None:
    """Also after an error."""
    before = {name: getattr(os, name) for name in dir(os)}
    opened = open, io.open
    with pytest.raises(ValueError, match="x"), Noted():
        raise ValueError("x")
    assert {name: getattr(os, name) for name in dir(os)} == before
    assert (open, io.open) == opened


def test_entered_within_itself() -> None:
    """Only when it is left as often as entered, all is as before."""
    before = os.stat
    noted = Noted()
    with noted:
        with noted:
            os.path.exists("/a")
        assert os.stat is not before
        os.path.exists("/b")
    assert os.stat is before
    assert {("stat", "/a"), ("stat", "/b")} <= noted.looks.keys()


def test_modules_imported_meanwhile_get_the_real_functions(tmp_path: Path) -> None:
    """`shutil` looks at the functions of `os` when it is imported, and goes by that for good."""
    program = (
        "from hatch_agentplugin.place.noted import Noted\n"
        "import os, sys\n"
        "before = os.stat\n"
        "with Noted():\n"
        "    from shutil import rmtree\n"
        "    import pathlib\n"
        "    pathlib.Path('/').is_dir()\n"
        "    assert os.stat is not before\n"
        "assert rmtree.avoids_symlink_attacks or sys.platform == 'win32'\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
