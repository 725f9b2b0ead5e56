"""Real programs read settings with a byte order mark, or don't, as their adapters say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.built import Environment
from tests.cases._machine import HOSTS
from tests.hosts import _records
from tests.hosts.drivers import DRIVERS, Driver, run
from tests.hosts.model import Script
from tests.hosts.test_drivers import seen

pytestmark = pytest.mark.hosts


@pytest.mark.parametrize(
    "driver",
    [driver for driver in DRIVERS if HOSTS[driver.id].bom is not None],
    ids=lambda driver: driver.id,
)
def test_hooks_run_or_the_program_complains(
    driver: Driver, environment: Environment, tmp_path: Path
) -> None:
    """Hooks in such a file run without an error if, and only if, the adapter says so."""
    if reason := driver.skip_reason():
        pytest.skip(reason)
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    driver.prepare(home, project)
    environment.agent_plugin("activate", "--yes", "--host", driver.id, home=home)
    ledger = json.loads((home / ".agent-plugin/_place/ledger.json").read_bytes())
    files = {Path(one["path"]) for one in ledger["entries"] if one["kind"] in ("item", "key")}
    assert files
    for file in files:
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    script = Script.of(driver.shell("echo hello"), final="all-done")
    result = run(driver, home, project, "please work", script)
    assert not result.timed_out, seen(result)
    fires = "pre-tool-use" in _records.fired(home, "example-plugin", driver.id)
    complains = "failed to parse" in f"{result.out}{result.err}".lower()
    assert (fires and not complains) is HOSTS[driver.id].bom, seen(result)
