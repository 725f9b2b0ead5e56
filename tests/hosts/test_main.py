"""`python -m tests.hosts`: what is read from a registry and how drift is told."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.hosts import __main__ as main
from tests.hosts.drivers import DRIVERS, Driver
from tests.hosts.drivers._driver import Npm


def record(folder: Path, version: str, **seen: list[str]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "codex.json").write_text(json.dumps({"version": version, "seen": seen}))


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


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.id)
def test_another_version_is_another_installation(driver: Driver) -> None:
    """The pin stands only in what is installed, so that all of it moves."""
    moved = driver.at("99.1")
    source = moved.install
    names = source.packages if isinstance(source, Npm) else source.requirements
    assert "99.1" in names[0]
    assert not any(driver.version in name for name in names)
    assert driver.at(driver.version) is driver
