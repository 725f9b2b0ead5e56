"""Environments for runs of real hosts, with the plugins installed as users install them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.built import TREE, Environment, build, example, once

PROBE = TREE / "tests/hosts/probe-plugin"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty git repository: Grok reads project hooks only in one."""
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Environment:
    """An environment with the example plugin."""
    folder = once(
        tmp_path_factory,
        "hosts-environment",
        lambda path: str(Environment.make(path, wheels, example(wheels))),
    )
    return Environment(folder, wheels)


@pytest.fixture(scope="session")
def both(
    tmp_path_factory: pytest.TempPathFactory, wheels: Path, environment: Environment
) -> Environment:
    """The same with the probe plugin too. To change it, make a copy with :func:`copied`."""

    def make(folder: Path) -> None:
        outdir = once(tmp_path_factory, "probe-wheel", lambda path: str(build(PROBE, wheels, path)))
        folder.rmdir()
        (wheel,) = outdir.glob("*.whl")
        copied(environment, folder).pip("install", "--no-deps", wheel)

    return Environment(once(tmp_path_factory, "both-environment", make), wheels)


def copied(environment: Environment, folder: Path) -> Environment:
    """Copy an environment quickly: files are links, except those that contain paths."""
    old, new = str(environment.folder), str(folder)

    def copy(source: str, target: str) -> None:
        with open(source, "rb") as file:
            head = file.read(4096)
        if old.encode() in head and b"\0" not in head:
            text = Path(source).read_bytes().replace(old.encode(), new.encode())
            Path(target).write_bytes(text)
            shutil.copymode(source, target)
        else:
            os.link(source, target)

    shutil.copytree(old, new, symlinks=True, copy_function=copy,
                    ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
    return Environment(folder, environment.wheels)
