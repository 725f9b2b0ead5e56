"""The cache of pinned programs, tested with a fake installer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts import _cache


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(_cache, "ROOT", tmp_path / "cache")
    return tmp_path / "cache"


def test_what_is_installed_is_not_installed_again() -> None:
    """The second request finds the first one's folder."""
    installed: list[Path] = []
    first = _cache.installed("npm", ["@scope/tool@1.0"], installed.append)
    second = _cache.installed("npm", ["@scope/tool@1.0"], installed.append)
    assert first == second
    assert installed == [first]


def test_an_installation_cut_off_is_done_again() -> None:
    """Files of an incomplete installation are removed, and the installation is repeated."""

    def cut_off(folder: Path) -> None:
        (folder / "half").touch()
        raise KeyboardInterrupt

    def whole(folder: Path) -> None:
        (folder / "whole").touch()

    with pytest.raises(KeyboardInterrupt):
        _cache.installed("npm", ["tool@1.0"], cut_off)
    folder = _cache.installed("npm", ["tool@1.0"], whole)
    assert (folder / "whole").exists()
    assert not (folder / "half").exists()


def test_another_version_has_another_folder() -> None:
    """A new pinned version gets a new folder; nothing is removed."""
    one = _cache.installed("npm", ["tool@1.0"], lambda folder: None)
    two = _cache.installed("npm", ["tool@2.0"], lambda folder: None)
    assert one != two


def test_an_installer_that_fails_says_what_it_said(cache: Path) -> None:
    """The error contains the installer's message."""
    cache.mkdir()
    with pytest.raises(_cache.InstallError, match=r"exit status 3\nno such package"):
        _cache._run(["sh", "-c", "echo no such package >&2; exit 3"], cache)


def test_an_unknown_python_is_not_found() -> None:
    assert _cache.find_python("3.99") is None
