"""Links, modes, owners, attributes, and files and folders that must not be changed."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Change, Proposal
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.transaction.transaction import Outcome
from tests.transaction._world import run

from ._faults import hooked, in_child

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX modes and links")
root = pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can become somebody else"
)
NOBODY = 65534


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home."""
    home = tmp_path / "home"
    home.mkdir()
    return home


def write(home: Path, *paths: Path, data: bytes | None = b"new", **how: bool) -> Outcome:
    """Write the same data into some files, each in its own group."""

    def compute(reader: Reader, ledger: object) -> Proposal:
        groups = [path for path in paths if str(path) not in reader.failed]
        return Proposal(
            tuple(Change(path, data, str(path), **how) for path in groups),
            ledger,  # type: ignore[arg-type]
        )

    return run(State.from_environ({}, home), compute)


def refusal(home: Path, path: Path, data: bytes | None = b"new") -> FileProblem:
    """Return why a file can't be written; a file of another group is written all the same."""
    other = home / "other"
    outcome = write(home, path, other, data=data)
    assert set(outcome.failed) == {str(path)}
    assert other.exists() == (data is not None)
    problem = outcome.failed[str(path)]
    assert str(path) in str(problem)
    assert problem.advice in str(problem)
    return problem


@posix
def test_link_stays_a_link(home: Path) -> None:
    """Several links, relative and absolute, are followed to the file to replace."""
    (home / "dotfiles").mkdir()
    real = home / "dotfiles/real"
    real.write_bytes(b"old")
    (home / "middle").symlink_to("dotfiles/real")
    (home / "link").symlink_to(home / "middle")
    write(home, home / "link")
    assert real.read_bytes() == b"new"
    assert os.readlink(home / "link") == str(home / "middle")
    assert os.readlink(home / "middle") == "dotfiles/real"
    assert os.listdir(home / "dotfiles") == ["real"]


@posix
def test_linked_folder(home: Path) -> None:
    """A linked folder stays a link; temporary files are in the folder that it links to."""
    (home / "dotfiles/host").mkdir(parents=True)
    (home / "host").symlink_to("dotfiles/host")
    write(home, home / "host/new/settings")
    assert (home / "host").is_symlink()
    assert (home / "dotfiles/host/new/settings").read_bytes() == b"new"
    write(home, home / "host/new/settings", data=None)
    assert os.listdir(home / "dotfiles/host") == []


@posix
def test_link_to_a_missing_file(home: Path) -> None:
    """The file is made where the link leads; removing the file leaves the link alone."""
    (home / "link").symlink_to("later")
    write(home, home / "link")
    assert (home / "later").read_bytes() == b"new"
    write(home, home / "link", data=None)
    assert os.readlink(home / "link") == "later"
    assert not (home / "later").exists()


@posix
@pytest.mark.parametrize("name", ["link", "folder/settings"])
def test_link_into_a_missing_folder(home: Path, name: str) -> None:
    """The disk may just not be mounted: no folder is made there."""
    (home / name.split("/", 1)[0]).symlink_to(home / "missing/host")
    assert "does not exist" in refusal_of_reading(home, home / name)
    assert not (home / "missing").exists()


@posix
def test_links_in_a_circle(home: Path) -> None:
    """The error says so."""
    (home / "one").symlink_to("two")
    (home / "two").symlink_to("one")
    assert "loop" in refusal_of_reading(home, home / "one")


def refusal_of_reading(home: Path, path: Path) -> str:
    """Return why a file can't even be read."""
    with pytest.raises(FileProblem) as caught:
        Reader({}).read(path)
    assert refusal(home, path).reason == caught.value.reason
    return caught.value.reason


def _folder(path: Path) -> None:
    path.mkdir()


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


@posix
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(_folder, "a folder, not a file", id="folder"),
        pytest.param(os.mkfifo, "a device, a pipe or a socket", id="pipe"),
        pytest.param(_socket, "", id="socket"),
        pytest.param(lambda path: path.symlink_to("/dev/null"), "a device", id="device"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), "a device", id="endless device"),
    ],
)
def test_not_a_file(home: Path, make: Callable[[Path], None], reason: str) -> None:
    """The path is neither read nor replaced, and a pipe does not block."""
    path = home / "it"
    make(path)
    assert reason in refusal_of_reading(home, path)


def test_file_where_a_folder_should_be(home: Path) -> None:
    """The error says so."""
    (home / "host").write_bytes(b"")
    assert "not a folder" in refusal_of_reading(home, home / "host/settings")


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o755])
def test_mode_stays(home: Path, mode: int) -> None:
    """An existing file keeps its mode, whatever umask and change say."""
    path = home / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    write(home, path, private=True)
    assert path.stat().st_mode & 0o777 == mode


@posix
@pytest.mark.parametrize(
    ("private", "executable", "mode"),
    [(False, False, 0o644), (True, False, 0o600), (False, True, 0o755), (True, True, 0o700)],
)
def test_mode_of_a_new_file(home: Path, private: bool, executable: bool, mode: int) -> None:
    """The umask applies; private files are private under any umask."""
    old = os.umask(0o022)
    try:
        write(home, home / "new/file", private=private, executable=executable)
    finally:
        os.umask(old)
    assert (home / "new/file").stat().st_mode & 0o777 == mode
    assert (home / "new").stat().st_mode & 0o777 == (0o700 if private else 0o755)


@posix
def test_lost_execute_permission_is_restored(home: Path) -> None:
    """The mode is corrected even if the content is right already."""
    path = home / "script"
    path.write_bytes(b"new")
    path.chmod(0o640)
    assert len(write(home, path, executable=True).diffs) == 1
    assert path.stat().st_mode & 0o777 == 0o750
    assert write(home, path, executable=True).diffs == ()


@posix
@root
def test_owner_stays(home: Path) -> None:
    """A file of another user keeps its owner if root replaces it."""
    path = home / "file"
    path.write_bytes(b"old")
    os.chown(path, NOBODY, NOBODY)
    write(home, path)
    assert (path.stat().st_uid, path.stat().st_gid) == (NOBODY, NOBODY)


@posix
@pytest.mark.parametrize(
    ("mode", "new"),
    [(0o660, 0o600), (0o674, 0o644), (0o604, 0o644), (0o607, 0o677), (0o675, 0o655)],
    ids=oct,
)
def test_group_that_can_not_be_given(home: Path, mode: int, new: int) -> None:
    """Another group may do what all others may, not what the old group was allowed."""
    path = home / "file"
    path.write_bytes(b"old")
    path.chmod(mode)

    def other_group(name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        if name == "fchown":
            raise PermissionError(1, "Operation not permitted")
        result = real(*args)
        if name != "fstat":
            return result
        fields = list(result)
        fields[5] += 1
        return os.stat_result(fields, {"st_mtime_ns": result.st_mtime_ns})

    with hooked(other_group):
        write(home, path)
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == new


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes in os")
def test_extended_attributes_stay(home: Path) -> None:
    """The new file has the attributes of the old one."""
    path = home / "file"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"theirs")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    write(home, path)
    assert path.read_bytes() == b"new"
    assert os.getxattr(path, "user.note") == b"theirs"


@posix
def test_other_names_of_a_file_keep_the_old_content(home: Path) -> None:
    """A hard link may be a backup: only the named file is replaced, with a note."""
    path = home / "file"
    path.write_bytes(b"old")
    os.link(path, home / "backup")
    outcome = write(home, path)
    assert path.read_bytes() == b"new"
    assert (home / "backup").read_bytes() == b"old"
    assert "hard links" in outcome.notes[0]


@pytest.mark.parametrize("data", [b"new", None], ids=["change", "remove"])
def test_read_only_file(home: Path, data: bytes | None) -> None:
    """A read-only file is left alone, although root or the folder's mode would allow a rename."""
    path = home / "file"
    path.write_bytes(b"old")
    path.chmod(0o444)
    (home / "other").write_bytes(b"")
    problem = refusal(home, path, data)
    assert problem.reason == "marked read-only"
    assert "chmod u+w" in problem.advice
    assert path.read_bytes() == b"old"
    path.chmod(0o644)


def _as_nobody(home: Path, act: Callable[[], None], *roots: Path) -> None:
    """Call `act` as a normal user who owns the home, except for the files `roots`."""
    if os.geteuid() != 0:
        act()
        return
    for path in {home, *home.rglob("*")} - set(roots):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    for parent in home.parents:
        if "pytest" in str(parent):
            parent.chmod(0o755)

    def child() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        act()

    assert in_child(child) == 0


@posix
def test_read_only_folder(home: Path) -> None:
    """The folder is found before anything is written; the other group is written."""
    folder = home / "host"
    folder.mkdir()
    (folder / "file").write_bytes(b"old")
    folder.chmod(0o555)

    def act() -> None:
        problem = refusal(home, folder / "file")
        assert problem.reason == f"you have no permission to write to its folder {folder}"
        problem = refusal(home, folder / "new/file")
        assert problem.reason == f"you have no permission to write to its folder {folder}"
        assert os.listdir(folder) == ["file"]

    _as_nobody(home, act)


@posix
@root
@pytest.mark.parametrize(("old", "new"), [(0o640, 0o600), (0o664, 0o644), (0o646, 0o666)])
def test_group_that_can_not_be_kept(home: Path, old: int, new: int) -> None:
    """The permissions of the old group are not given to another group."""
    path = home / "file"
    path.write_bytes(b"old")
    path.chmod(old)
    os.chown(path, NOBODY, 0)

    def act() -> None:
        write(home, path)
        assert path.read_bytes() == b"new"
        assert path.stat().st_gid == NOBODY
        assert path.stat().st_mode & 0o777 == new

    _as_nobody(home, act, path)


@posix
@root
def test_file_of_another_user(home: Path) -> None:
    """A rename would work in your own folder, but would change the owner: it is refused."""
    path = home / "file"
    path.write_bytes(b"old")

    def act() -> None:
        problem = refusal(home, path)
        assert problem.reason == "you have no permission to write to it"

    _as_nobody(home, act, path)


@posix
def test_unreadable_file(home: Path) -> None:
    """The error says so."""
    path = home / "file"
    path.write_bytes(b"old")
    path.chmod(0o200)

    def act() -> None:
        assert refusal_of_reading(home, path) == "permission denied"

    _as_nobody(home, act)


@pytest.fixture
def read_only_system(home: Path) -> Iterator[Path]:
    """A folder on a file system that is mounted read-only."""
    folder = home / "mounted"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "none", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    (folder / "file").write_bytes(b"old")
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_read_only_file_system(home: Path, read_only_system: Path) -> None:
    """The error says so, for an existing file and for a new one."""
    assert "read-only file system" in refusal(home, read_only_system / "file").reason
    assert "read-only file system" in refusal(home, read_only_system / "new/file").reason


def test_full_disk(home: Path) -> None:
    """The old content stays, and no temporary file is left beside it."""
    folder = home / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    try:
        (folder / "file").write_bytes(b"old")
        problem = refusal(home, folder / "file", b"x" * 100_000)
        assert problem.reason == "no space left on the disk"
        assert (folder / "file").read_bytes() == b"old"
        assert os.listdir(folder) == ["file"]
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_immutable_file_or_folder(home: Path, what: str) -> None:
    """``chattr +i`` also stops root."""
    folder = home / "host"
    folder.mkdir()
    (folder / "file").write_bytes(b"old")
    locked = folder if what == "folder" else folder / "file"
    try:
        subprocess.run(["chattr", "+i", str(locked)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be made immutable here")
    try:
        assert "no permission to write" in refusal(home, folder / "file").reason
        assert (folder / "file").read_bytes() == b"old"
        assert os.listdir(folder) == ["file"]
    finally:
        subprocess.run(["chattr", "-i", str(locked)], check=True)


def test_file_of_a_package_store(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice is to change the configuration that generates the file."""
    from hatch_agentplugin.transaction import comparison

    (home / "store").mkdir()
    (home / "store/file").write_bytes(b"old")
    (home / "link").symlink_to("store/file")
    monkeypatch.setattr(comparison, "_STORES", (str(home / "store"),))
    problem = refusal(home, home / "link")
    assert "package manager" in problem.reason
    assert "configuration" in problem.advice
