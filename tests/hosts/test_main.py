"""`python -m tests.hosts`: what is read from a registry and how drift is told."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosts import __main__ as main
from tests.hosts import _records
from tests.hosts._cache import InstallError
from tests.hosts.drivers import DRIVERS, Driver
from tests.hosts.drivers._driver import Npm, PyPI


def record(folder: Path, version: str, **seen: list[str]) -> None:
    file = _records.file_of(folder, "codex")
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"version": version, "seen": seen}))


def test_drift_names_what_is_gone_and_what_is_new(tmp_path: Path) -> None:
    record(tmp_path / "old", "1", start=["fired", "context"], stop=["fired"])
    record(tmp_path / "new", "2", start=["fired", "halt"])
    assert main.drift(tmp_path / "old", tmp_path / "new", []) == [
        "codex 1 -> 2: start context is gone",
        "codex 1 -> 2: start halt is new",
        "codex 1 -> 2: stop fired is gone",
    ]


def test_a_program_that_showed_nothing_is_named(tmp_path: Path) -> None:
    record(tmp_path / "old", "1", start=["fired"])
    assert main.drift(tmp_path / "old", tmp_path / "new", []) == ["codex: nothing seen (pinned: 1)"]
    assert main.drift(tmp_path / "old", tmp_path / "new", ["pi"]) == []


@pytest.mark.parametrize(
    ("host", "printed"),
    [("codex", "9.1\n"), ("hermes", "hermes-agent (9.1)\nAvailable versions: 9.1, 0.1\n")],
)
def test_newest_version_is_read(host: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 0, printed, "")

    monkeypatch.setattr(subprocess, "run", answer)
    assert main.newest([host]) == {host: "9.1"}


def test_a_release_that_cannot_be_installed_is_told_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither is it "nothing seen", nor does it keep the others from running."""

    def install(self: Npm | PyPI) -> Path:
        if isinstance(self, PyPI):
            raise InstallError("pip install: exit status 1\nERROR: Ignored\nERROR: No matching")
        return tmp_path

    ran: list[tuple[list[str], list[str]]] = []

    def pytest_(hosts: list[str], variables: dict[str, str], extra: list[str]) -> int:
        ran.append((hosts, extra))
        shutil.copytree(_records.ADAPTERS, variables["AGENT_PLUGIN_RECORD"], dirs_exist_ok=True)
        return 0

    monkeypatch.setattr(Npm, "install", install)
    monkeypatch.setattr(PyPI, "install", install)
    monkeypatch.setattr(main, "newest", lambda hosts: dict.fromkeys(hosts, "99.1"))
    monkeypatch.setattr(main, "_pytest", pytest_)
    monkeypatch.setattr(sys, "argv", ["tests.hosts", "--latest", "codex", "hermes", "--", "-x"])

    assert main.main() == 1

    assert ran == [(["codex"], ["-x"])]
    told = capsys.readouterr().out.splitlines()[-1:]
    assert told == ["hermes: 99.1 can't be installed: ERROR: No matching"]


def test_a_host_that_is_not_driven_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tests.hosts", "--cells", "cursor"])
    with pytest.raises(SystemExit):
        main.main()
    assert "no such host is driven: cursor" in capsys.readouterr().err


def test_the_table_of_cells_covers_every_program() -> None:
    tables = main.known([])
    assert len(tables) == len(DRIVERS)
    assert all("cells witnessed" in table and "OPEN" not in table for table in tables)
    assert main.known(["codex"]) == [table for table in tables if "Codex" in table]


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.id)
def test_another_version_is_another_installation(driver: Driver) -> None:
    """The pin stands only in what is installed, so that all of it moves."""
    moved = driver.at("99.1")
    source = moved.install
    names = source.packages if isinstance(source, Npm) else source.requirements
    assert "99.1" in names[0]
    assert not any(driver.version in name for name in names)
    assert driver.at(driver.version) is driver
