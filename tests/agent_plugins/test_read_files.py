"""Folders and archives of strangers: what is taken, and what is refused."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from hatch_agentplugin.agent_plugins import read_files
from hatch_agentplugin.agent_plugins.read_files import FolderError

MANIFEST = b'{"name": "a"}'


def zipped(path: Path, files: dict[str, bytes], modes: dict[str, int] | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            row = zipfile.ZipInfo(name)
            row.compress_type = zipfile.ZIP_DEFLATED
            row.external_attr = (modes or {}).get(name, 0o100644) << 16
            archive.writestr(row, data)
    return path


def tarred(path: Path, *rows: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for row, data in rows:
            row.size = len(data)
            archive.addfile(row, io.BytesIO(data))
    return path


def names(path: Path) -> list[str]:
    return list(read_files.read(path))


def test_folder(tmp_path: Path) -> None:
    """Files with their exec bit; what belongs to version control and the system stays out."""
    for name in ("plugin.json", "b/run.sh", ".git/config", "__pycache__/x.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(MANIFEST)
    (tmp_path / "b/run.sh").chmod(0o755)
    found = read_files.read(tmp_path)
    assert {name: content.executable for name, content in found.items()} == {
        "b/run.sh": True,
        "plugin.json": False,
    }


@pytest.mark.parametrize("top", ["", "trail-1.0/"], ids=["flat", "one folder around"])
def test_archives(tmp_path: Path, top: str) -> None:
    files = {f"{top}plugin.json": MANIFEST, f"{top}run.sh": b"x"}
    rows = []
    for name, data in files.items():
        row = tarfile.TarInfo(f"./{name}")
        row.mode = 0o755
        rows.append((row, data))
    assert names(zipped(tmp_path / "a.zip", files)) == ["plugin.json", "run.sh"]
    packed = read_files.read(tarred(tmp_path / "a.tar.gz", *rows))
    assert packed["run.sh"].executable


@pytest.mark.parametrize(
    "name",
    ["../evil", "a/../../evil", "/etc/evil", "C:\\evil", "a\\b", "~/evil", "a\nb"],
)
def test_paths_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "a.zip", {"plugin.json": MANIFEST, name: b"x"})
    with pytest.raises(FolderError, match="is not a valid path inside the plugin"):
        read_files.read(path)
    row = tarfile.TarInfo(name)
    with pytest.raises(FolderError, match="is not a valid path inside the plugin"):
        read_files.read(
            tarred(tmp_path / "a.tgz", (tarfile.TarInfo("plugin.json"), MANIFEST), (row, b"x"))
        )


def test_links_are_refused(tmp_path: Path) -> None:
    """Also those to a place inside, in folders and in both kinds of archive."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "plugin.json").write_bytes(MANIFEST)
    (root / "b").symlink_to("plugin.json")
    with pytest.raises(FolderError, match="is a link"):
        read_files.read(root)
    path = zipped(
        tmp_path / "a.zip", {"plugin.json": MANIFEST, "b": b"/etc/passwd"}, {"b": 0o120777}
    )
    with pytest.raises(FolderError, match="is a link"):
        read_files.read(path)
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
        row = tarfile.TarInfo("b")
        row.type, row.linkname = kind, "plugin.json"
        with pytest.raises(FolderError, match="is a link"):
            read_files.read(tarred(tmp_path / "a.tgz", (row, b"")))


def test_linked_folder_and_pipe_are_refused(tmp_path: Path) -> None:
    (tmp_path / "plugin.json").write_bytes(MANIFEST)
    (tmp_path / "b").symlink_to("/etc")
    with pytest.raises(FolderError, match="is a link"):
        read_files.read(tmp_path)
    (tmp_path / "b").unlink()
    os.mkfifo(tmp_path / "b")
    with pytest.raises(FolderError, match="not a regular file"):
        read_files.read(tmp_path)


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small archives of huge files, many files, and many bytes."""
    monkeypatch.setattr(read_files, "MAX_FILE", 1000)
    monkeypatch.setattr(read_files, "MAX_TOTAL", 3000)
    monkeypatch.setattr(read_files, "MAX_FILES", 10)
    path = tmp_path / "a.zip"
    with pytest.raises(FolderError, match="larger than 1000 bytes"):
        read_files.read(zipped(path, {"plugin.json": b"0" * 100_000}))
    with pytest.raises(FolderError, match="or 3000 bytes"):
        read_files.read(
            zipped(path, {"plugin.json": MANIFEST, **{str(n): b"0" * 999 for n in range(4)}})
        )
    with pytest.raises(FolderError, match="more than 10 files"):
        read_files.read(zipped(path, {"plugin.json": MANIFEST, **{str(n): b"" for n in range(20)}}))


def test_names_that_are_one_on_some_systems(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="twice"):
        read_files.read(zipped(tmp_path / "a.zip", {"plugin.json": MANIFEST, "A": b"", "a": b""}))


def test_broken_and_foreign_archives(tmp_path: Path) -> None:
    for name in ("a.zip", "a.tar.gz"):
        (tmp_path / name).write_bytes(b"PK\x03\x04 not so")
        with pytest.raises(FolderError, match="cannot be read"):
            read_files.read(tmp_path / name)
    with pytest.raises(FolderError, match=r"plugin.json is missing"):
        read_files.read(zipped(tmp_path / "b.zip", {"a/x": b"", "b/plugin.json": MANIFEST}))


def test_archives_with_a_damaged_byte(tmp_path: Path) -> None:
    """Wherever it is: they are refused with a reason, or it does not matter."""
    files = {"plugin.json": MANIFEST, "text.md": " ".join(map(str, range(99))).encode()}
    made = [zipped(tmp_path / "a.zip", files)]
    made.append(tarred(tmp_path / "a.tar.gz", *((tarfile.TarInfo(n), d) for n, d in files.items())))
    refused = set()
    for path in made:
        data = path.read_bytes()
        for at in range(len(data)):
            path.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
            try:
                read_files.read(path)
            except FolderError as error:
                refused.add(type(error.__context__).__name__)
    assert {"BadZipFile", "error"} <= refused  # the second is zlib's
