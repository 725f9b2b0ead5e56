"""Golden files: the files that `activate` writes on an empty machine, for review."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from hatch_agentplugin.activate.activate import Activation, activate
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import Machine, Scope
from hatch_agentplugin.activate.operations import render_launcher
from hatch_agentplugin.activate.workspace import Workspace
from hatch_agentplugin.testing.adapter_kit.sample import Sample
from hatch_agentplugin.testing.pytest_plugin import UPDATE_OPTION
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.words import ScopeName

#: Folders of the machine in golden files.
HOME = "/home/user"
PROJECT = "/home/user/project"
SITE = "/home/user/venv/site-packages"
#: First part of a golden file's path -> folder of the machine, the deepest first.
_FOLDERS = {"project": PROJECT, "home": HOME, "root": "/"}


def placed_files(sample: Sample) -> dict[str, bytes]:
    """Return the files that `activate` writes: ``<scope>/<folder>/<path>`` -> content.

    Our own state (launcher, fired stamps) is left out, except scripts that entries name. The build's
    lines about the host are ``report.txt``. Nothing is written.
    """
    made = {"report.txt": sample.report.encode()}
    for scope in sample.plan.scopes if sample.plan else ():
        for path, data in _placed(sample, scope).items():
            made[f"{scope}/{_golden_path(path)}"] = data
    return made


def _placed(sample: Sample, scope: ScopeName) -> dict[str, bytes]:
    machine = Machine({}, HOME, "linux")
    context = Context(
        machine=machine,
        state=State.from_environ({}, Path(HOME)),
        environment=f"{HOME}/venv",
        python=f"{HOME}/venv/bin/python",
        runtime=SITE,
    )
    if scope == "managed":
        context = context.managed()
    scopes = Scope(scope, PROJECT if scope in ("project", "local") else None)
    asked = Activation(((sample.installed, sample.bundle.plan),), (sample.host.id,), scopes)
    workspace = Workspace(lambda path: None, Ledger())
    activate(workspace, asked, context, render_launcher)
    state = f"{_posix(context.state.root)}/"
    real = str(sample.bundle.folder.parent).encode()
    files = {}
    for change in workspace.finish()[0]:
        name = _posix(change.path)
        if change.data is not None and (not name.startswith(state) or "/shims/" in name):
            files[name] = change.data.replace(real, SITE.encode())
    problems = [f"{row.state}: {row.note}\n" for row in workspace.rows if row.state == "failed"]
    if problems:
        files[f"{HOME}/not-placed.txt"] = "".join(problems).encode()
    return files


def _posix(path: str | Path) -> str:
    return Path(path).as_posix()


def _golden_path(path: str) -> str:
    """Return the path of a file below the golden folder of its host and scope."""
    for name, folder in _FOLDERS.items():
        start = folder.rstrip("/") + "/"
        if path.startswith(start):
            return f"{name}/{path.removeprefix(start)}"
    raise ValueError(f"{path} is not an absolute path")


def check_golden(files: Mapping[str, bytes], folder: Path, update: bool) -> None:
    """Fail with a diff if the files are not those in ``folder``; with ``update`` write them there."""
    if update:
        shutil.rmtree(folder, ignore_errors=True)
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    elif diff := _differences(files, folder):
        pytest.fail(f"{diff}if this is right, run pytest {UPDATE_OPTION}", pytrace=False)


def _differences(files: Mapping[str, bytes], folder: Path) -> str:
    golden = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    names = sorted({*golden, *files})
    return "".join(_diff(name, golden.get(name), files.get(name)) for name in names)


def _diff(name: str, old: bytes | None, new: bytes | None) -> str:
    if old == new:
        return ""
    before, after = (_lines(side) for side in (old, new))
    was = f"{name} golden" if old is not None else "(no file)"
    now = f"{name} now" if new is not None else "(no file)"
    lines = difflib.unified_diff(before, after, was, now)
    return "".join(lines) or f"{was} -> {now}\n"


def _lines(data: bytes | None) -> list[str]:
    """Return lines with line ends, so that the diff is readable."""
    return [f"{line}\n" for line in (data or b"").decode("utf-8", "replace").splitlines()]
