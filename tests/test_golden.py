"""The files of the example plugin on every host, kept in ``golden/<host>/example`` for review.

``pytest --agent-plugin-update-golden`` writes all golden files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_agentplugin.config import load
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.plan import Plugin
from hatch_agentplugin.testing.adapter_kit import (
    Sample,
    check_golden,
    placed_files,
)
from tests.built import EXAMPLE

GOLDEN = Path(__file__).parent / "golden"
HOSTS = built_in_hosts()


@pytest.fixture(scope="module")
def declaration() -> Declaration:
    """The declaration of the example plugin."""
    sources = {
        path.relative_to(EXAMPLE).as_posix(): path
        for path in (EXAMPLE / "example_plugin").glob("*.py")
    }
    return load(EXAMPLE, HOSTS, Plugin("example-plugin", "example-plugin", "1.0"), sources)


@pytest.mark.parametrize("host", HOSTS)
def test_placed_files_of_the_example(
    host: str, declaration: Declaration, tmp_path: Path, agent_plugin_update_golden: bool
) -> None:
    """Native files on a machine whose home is /home/user, and the build's report."""
    files = placed_files(Sample.make(HOSTS[host], tmp_path, declaration))
    check_golden(files, GOLDEN / host / "example", agent_plugin_update_golden)


def test_no_golden_folder_is_left_over() -> None:
    """Each host has the files of the example plugin and of the adapter kit's sample."""
    found = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.glob("*/*")}
    assert found == {f"{host}/{plugin}" for host in HOSTS for plugin in ("example", "sample")}
