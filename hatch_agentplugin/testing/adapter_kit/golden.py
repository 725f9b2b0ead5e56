"""Golden files: what is placed for a host on a machine without anything, as files to review."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Mapping
from pathlib import Path

from hatch_agentplugin.activate.activate import Activation, activate
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import Machine, Place
from hatch_agentplugin.activate.operations import render_launcher
from hatch_agentplugin.activate.workspace import Workspace
from hatch_agentplugin.testing.adapter_kit.sample import Sample
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.words import ScopeName

UPDATE_OPTION = "--agent-plugin-update-golden"

#: The machine that golden files speak of.
HOME = "/home/user"
PROJECT = "/home/user/project"
SITE = "/home/user/venv/site-packages"
#: First part of a golden file's path -> folder of that machine, the deepest first.
_FOLDERS = {"project": PROJECT, "home": HOME, "root": "/"}


def placed_files(sample: Sample) -> dict[str, bytes]:
    """What activating writes for the host, in memory: ``<scope>/<folder>/<path>`` -> content.

    Files of placing's own (launcher, marks) are left out, except scripts that entries name. With
    the build's lines about the host as ``report.txt``.
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
    place = Place(scope, PROJECT if scope in ("project", "local") else None)
    asked = Activation(((sample.installed, sample.bundle.plan),), (sample.host.id,), place)
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
    """Where a file lies below the golden folder of its host and scope."""
    for name, folder in _FOLDERS.items():
        start = folder.rstrip("/") + "/"
        if path.startswith(start):
            return f"{name}/{path.removeprefix(start)}"
    raise ValueError(f"{path} is not an absolute path")


def compare_golden(files: Mapping[str, bytes], folder: Path, update: bool) -> str:
    """The differences between files and those in ``folder`` as a diff; empty if there are none.

    With ``update`` the folder is written anew, and there are none.
    """
    if update:
        shutil.rmtree(folder, ignore_errors=True)
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return ""
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
    """Lines that all have an end, so that a diff can be read."""
    return [f"{line}\n" for line in (data or b"").decode("utf-8", "replace").splitlines()]
