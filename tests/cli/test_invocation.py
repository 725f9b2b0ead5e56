"""The name of this program in advice, and temporary environments."""

from __future__ import annotations

import ntpath
import shutil
from pathlib import Path

import pytest

from hatch_agentplugin import invocation


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test without a script."""
    monkeypatch.setattr(invocation, "_started", "")


def test_name_without_a_script() -> None:
    """Another program calls `main`."""
    assert invocation.call("prune") == "`agent-plugin prune`"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/venv/bin/acme-plugin", "acme-plugin"),
        ("/venv/Scripts/acme-plugin.exe", "acme-plugin"),
        ("/venv/Scripts/acme-plugin-script.py", "acme-plugin"),
        ("/venv/lib/hatch_agentplugin/cli/__main__.py", "python -m hatch_agentplugin.cli"),
    ],
)
def test_name(path: str, name: str) -> None:
    """The name of the script, without the endings that installers add."""
    invocation.started_as(path)
    assert invocation.name() == name


def test_name_of_another_script_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Advice has the path if PATH finds the script of another environment."""
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "agent-plugin").write_text("#!/bin/sh\n")
        (folder / "agent-plugin").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "one"))
    invocation.started_as(str(tmp_path / "one/agent-plugin"))
    assert invocation.call("status") == "`agent-plugin status`"
    invocation.started_as(str(tmp_path / "two/agent-plugin"))
    assert invocation.call("status") == f"`{tmp_path / 'two/agent-plugin'} status`"


class Windows:
    """The functions of ``os`` that invocation uses, with the rules of Windows."""

    name = "nt"
    path = ntpath


@pytest.mark.parametrize(
    ("found", "advised"),
    [
        (r"C:\venv\Scripts\agent-plugin.EXE", "agent-plugin"),
        (r"C:\other\Scripts\agent-plugin.EXE", r"C:\venv\Scripts\agent-plugin"),
        (None, r"C:\venv\Scripts\agent-plugin"),
    ],
)
def test_name_on_windows(found: str | None, advised: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invocation, "os", Windows)
    monkeypatch.setattr(shutil, "which", lambda _: found)
    monkeypatch.setattr(ntpath, "realpath", str)
    monkeypatch.setattr(ntpath, "abspath", str)
    monkeypatch.setattr(ntpath, "normcase", str.lower)
    invocation.started_as(r"C:\venv\Scripts\agent-plugin")
    assert invocation.call("status") == f"`{advised} status`"
    assert invocation.quoted(r"C:\My Files") == r'"C:\My Files"'


@pytest.mark.parametrize(
    ("prefix", "tool"),
    [
        ("/home/me/.cache/uv/archive-v0/x1", "uv tool install"),
        (r"C:\Users\me\AppData\Local\uv\cache\archive-v0\x1", "uv tool install"),
        ("/home/me/.local/pipx/.cache/ab12", "pipx install"),
        ("/home/me/.cache/pipx/ab12", "pipx install"),
        ("/home/me/.local/share/uv/tools/acme", ""),
        ("/home/me/.local/share/pipx/venvs/acme", ""),
        ("/home/me/uv/.venv", ""),
    ],
)
def test_temporary_environments(prefix: str, tool: str) -> None:
    """Those in a cache of uv or pipx."""
    assert invocation.permanent_installer(prefix) == tool
