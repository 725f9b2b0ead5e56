"""Isolated builds with the usual front ends, which install the build requirements."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hatch_agentplugin.plan import Plan
from tests.build.conftest import (
    ADAPTERS,
    BUNDLE,
    DECLARATION,
    PROJECT,
    Project,
    Wheel,
    copy_sample,
)
from tests.built import Environment, run, wheelhouse

pytestmark = pytest.mark.slow

#: Distributions that only the compiler needs.
COMPILE_ONLY = {"hatchling", "jinja2", "pluggy", "pydantic"}

LOOK = """
import importlib.util, json, os, sys
from importlib.metadata import distributions
from pathlib import Path
site = next(Path(p) for p in sys.path if Path(p, sys.argv[1]).is_dir())
script = site / sys.argv[1] / "scripts" / "turn-end.sh"
print(json.dumps({
    "plan": (site / sys.argv[1] / "plan.json").read_text("utf-8"),
    "executable": os.access(script, os.X_OK),
    "module": importlib.util.find_spec("acme.hooks").origin,
    "names": sorted({d.metadata["Name"].lower() for d in distributions()}),
}))
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build this project's wheel and that of an adapter, which front ends find by name."""
    folder = tmp_path_factory.mktemp("wheels")
    for wheel in wheelhouse(tmp_path_factory).glob("*.whl"):
        shutil.copy(wheel, folder)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder]
    run([*command, ADAPTERS / "acme-adapter"])
    return folder


def sample(folder: Path, wheels: Path) -> Project:
    made = copy_sample(folder)
    made.env = {
        "PIP_FIND_LINKS": f"{wheels} {os.environ.get('PIP_FIND_LINKS', '')}".strip(),
        "UV_FIND_LINKS": str(wheels),
    }
    return made


@pytest.fixture
def project(tmp_path: Path, wheels: Path) -> Project:
    return sample(tmp_path, wheels)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> dict[str, bytes]:
    """Return the files of the wheel that ``python -m build --wheel`` makes."""
    made = sample(tmp_path_factory.mktemp("expected"), wheels)
    result = made.run(sys.executable, "-m", "build", "--wheel")
    assert result.status == 0, result.output
    return dict(only_wheel(made).files)


def only_wheel(project: Project) -> Wheel:
    (path,) = (project.root / "dist").glob("*.whl")
    return Wheel.open(path)


def look(environment: Environment) -> dict[str, object]:
    """Return what is installed, as seen from inside the environment."""
    text = run([environment.bin / "python", "-c", LOOK, BUNDLE], cwd=environment.folder)
    seen: dict[str, object] = json.loads(text)
    return seen


def test_python_build(project: Project, expected: dict[str, bytes]) -> None:
    """From the sdist comes the same wheel; the front end installs pydantic and others."""
    result = project.run(sys.executable, "-m", "build")
    assert result.status == 0, result.output
    assert "agent-plugin: Acme.Tools 1.2: 3 events for " in result.output
    assert only_wheel(project).files == expected


def test_uv_build(project: Project, expected: dict[str, bytes]) -> None:
    result = project.run(sys.executable, "-m", "uv", "build", "--python", sys.executable)
    assert result.status == 0, result.output
    assert "agent-plugin: Acme.Tools 1.2: 3 events for " in result.output
    assert only_wheel(project).files == expected


@pytest.mark.parametrize("editable", [False, True], ids=["normal", "editable"])
@pytest.mark.parametrize("front_end", ["pip", "uv"])
def test_install(project: Project, tmp_path: Path, front_end: str, editable: bool) -> None:
    """The bundle is installed, its script runs, and no build package is left behind."""
    environment = Environment.make(tmp_path / "venv", tmp_path)
    python = environment.bin / "python"
    pip = [sys.executable, "-m", "uv", "pip", "install", "--python", python]
    if front_end == "pip":
        pip = [python, "-m", "pip", "install"]
    result = project.run(*pip, *(["-e"] if editable else []), ".")
    assert result.status == 0, result.output
    seen = look(environment)
    assert Plan.from_bytes(str(seen["plan"]).encode()).plugin.version == "1.2"
    assert seen["executable"]
    assert str(seen["module"]).startswith(str(project.root)) is editable
    assert "hatch-agentplugin" in seen["names"]  # type: ignore[operator]
    assert not COMPILE_ONLY & set(seen["names"])  # type: ignore[call-overload]
    assert not list(project.scratch.glob("agent-plugin*"))
    assert not (project.root / "dist").exists()


def test_third_party_adapter_by_the_build_requirements(project: Project) -> None:
    """An author adds a host by adding its adapter to the build requirements."""
    text = PROJECT.replace(
        '"hatch-agentplugin"]\nbuild', '"hatch-agentplugin", "acme-adapter"]\nbuild'
    )
    project.write(text + DECLARATION)
    result = project.run(sys.executable, "-m", "build", "--wheel")
    assert result.status == 0, result.output
    assert "\n  acme-code " in result.output
    assert "acme-code" in Plan.from_bytes(only_wheel(project).bundle()["plan.json"]).hosts


def interpreters() -> Iterator[Path]:
    """Return the other supported versions of Python on this machine."""
    for minor in range(10, 15):
        name = f"python3.{minor}"
        found = shutil.which(name)
        if minor == sys.version_info.minor or found is None:
            continue
        versions = sorted(Path(found).parents[1].glob(f"versions/3.{minor}.*/bin/{name}"))
        for path in (*versions, Path(found)):  # a version manager's stand-in may refuse to run
            if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
                yield path
                break


@pytest.mark.parametrize("python", list(interpreters()), ids=lambda path: path.name)
def test_another_python_gives_the_same_bytes(
    project: Project, tmp_path: Path, python: Path, expected: dict[str, bytes]
) -> None:
    run([python, "-m", "venv", tmp_path / "venv"])
    other = Environment(tmp_path / "venv", tmp_path).bin / "python"
    packages = ("build", "hatch-agentplugin[build]")
    result = project.run(other, "-m", "pip", "install", "--quiet", *packages)
    assert result.status == 0, result.output
    result = project.run(other, "-m", "build", "--no-isolation", "--wheel")
    assert result.status == 0, result.output
    assert only_wheel(project).files == expected
