"""Each program runs headless and offline as its driver says, and fires hooks without the product.

If a scenario with the product fails and these tests pass, the product is wrong.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.hosts import _recorder
from tests.hosts._sandbox import Run
from tests.hosts.drivers import DRIVERS, Driver, run
from tests.hosts.model import Script

pytestmark = pytest.mark.hosts

each_driver = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.id)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    # Grok looks for hooks of a project only in a repository, trusted or not.
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


def seen(result: Run) -> str:
    """Return everything that helps to explain an unexpected run."""
    paths = "\n".join(f"{r.method} {r.path} {list(r.results)}" for r in result.requests)
    return f"status {result.rc}\n{result.out[-2000:]}\n{result.err[-2000:]}\n{paths}"


@each_driver
def test_the_model_calls_a_tool_and_the_host_fires_its_hooks(
    driver: Driver, home: Path, project: Path, tmp_path: Path
) -> None:
    """The tool ran, its result and the prompt reached the model, the answer came out."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    recorder = _recorder.OF_USER[driver.id]
    driver.prepare(home, project)
    recorder.place(home, _recorder.noter(tmp_path))
    script = Script.of(driver.shell(f"echo tool-out; touch {project}/made"), final="all-done")

    result = run(driver, home, project, "make the file", script)

    assert (result.rc, result.timed_out) == (0, False), seen(result)
    assert (project / "made").exists(), seen(result)
    assert "all-done" in result.out, seen(result)
    assert "make the file" in result.requests, seen(result)
    assert any("tool-out" in text for text in result.requests.results()), seen(result)
    assert set(recorder.events) <= set(_recorder.fired(tmp_path)), seen(result)


@pytest.mark.parametrize(
    "driver", [d for d in DRIVERS if d.id in _recorder.OF_PROJECT], ids=lambda driver: driver.id
)
def test_hooks_of_the_project_fire(
    driver: Driver, home: Path, project: Path, tmp_path: Path
) -> None:
    """Hooks in the project's files fire too if its folder is trusted."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    recorder = _recorder.OF_PROJECT[driver.id]
    recorder.place(project, _recorder.noter(tmp_path))
    script = Script.of(driver.shell("echo tool-out"), final="all-done")

    result = run(driver, home, project, "say it", script, trust=True)

    assert set(recorder.events) <= set(_recorder.fired(tmp_path)), seen(result)


@each_driver
def test_the_model_writes_a_file(driver: Driver, home: Path, project: Path) -> None:
    """The driver knows the host's own tool for files and its arguments."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    script = Script.of(driver.write(str(project / "new.txt"), "written text\n"), final="all-done")

    result = run(driver, home, project, "write the file", script)

    assert (project / "new.txt").exists(), seen(result)
    assert (project / "new.txt").read_text().strip() == "written text", seen(result)
