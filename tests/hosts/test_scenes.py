"""Events beyond the common session in the real programs, and the answers of a plugin there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.built import Environment
from tests.hosts import _recorder, _records
from tests.hosts._sandbox import Run
from tests.hosts.drivers import DRIVERS, Driver, run
from tests.hosts.scene import RIVAL, Scene
from tests.hosts.scenes import SCENES
from tests.hosts.test_probe import PROBE, noted, notified, plan, told

pytestmark = [pytest.mark.hosts, pytest.mark.slow]

_ALL = [
    pytest.param(driver, scene, id=f"{scene.name}[{driver.id}]")
    for driver in DRIVERS
    for scene in SCENES[driver.id]
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(("driver", "scene"), _ALL)
def test_scene(
    driver: Driver, scene: Scene, both: Environment, home: Path, project: Path, tmp_path: Path
) -> None:
    """The events fire and the answers are obeyed."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    # What the scene needs differs from the driver's own, and is there before the plugin is.
    driver = replace(driver, files={**driver.files, **scene.files})
    driver.prepare(home, project)
    if scene.rival:
        _recorder.rival(driver.id, scene.rival).place(home, _recorder.keeper(tmp_path, RIVAL))
    both.agent_plugin("activate", "--yes", "--host", driver.id, PROBE, home=home)
    if scene.rival:
        result = act(driver, scene, home, project)
        assert RIVAL in result.requests, told(home, result)
    plan(home, scene.answers())
    before = len(noted(home))

    result = act(driver, scene, home, project)

    fired = [event for event, _ in noted(home)[before:]]
    missing = scene.missing(result, fired, project, notified(home))
    assert not missing, f"not seen: {', '.join(missing)}\n{told(home, result)}"
    _records.note(driver, {event: scene.shows.get(event, ()) for event in set(fired)})


def act(driver: Driver, scene: Scene, home: Path, project: Path) -> Run:
    """Run the scene once; it must end by itself."""
    result = run(
        driver,
        home,
        project,
        scene.prompt,
        scene.script(driver, project),
        scene.env,
        scene.timeout,
        approve=scene.approve,
        args=scene.args,
        instead=scene.instead,
        through=scene.through,
        stdin=scene.stdin,
    )
    assert not result.timed_out, told(home, result)
    return result
