"""What the example plugin puts on every host, kept in ``golden/<host>`` for the eye of a reviewer.

``pytest tests/test_golden.py --agent-plugin-update-golden`` writes the files anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_agentplugin.config import load
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.plan import Plugin
from hatch_agentplugin.testing.adapter_kit import (
    UPDATE_OPTION,
    Sample,
    compare_golden,
    placed_files,
)
from tests.built import EXAMPLE

GOLDEN = Path(__file__).parent / "golden"
HOSTS = built_in_hosts()


@pytest.fixture(scope="module")
def declaration() -> Declaration:
    """The example plugin's own."""
    sources = {
        path.relative_to(EXAMPLE).as_posix(): path
        for path in (EXAMPLE / "example_plugin").glob("*.py")
    }
    return load(EXAMPLE, HOSTS, Plugin("example-plugin", "example-plugin", "1.0"), sources)


@pytest.mark.parametrize("host", HOSTS)
def test_placed_files_of_the_example(
    host: str, declaration: Declaration, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Native files on a machine whose home is /home/user, and the build's report."""
    files = placed_files(Sample.make(HOSTS[host], tmp_path, declaration))
    diff = compare_golden(files, GOLDEN / host, bool(pytestconfig.getoption(UPDATE_OPTION)))
    if diff:
        pytest.fail(f"{diff}if this is right: pytest {UPDATE_OPTION}", pytrace=False)


def test_no_golden_folder_is_left_over() -> None:
    """A host that is gone takes its folders with it."""
    for folder in (GOLDEN, Path(__file__).parent / "adapters" / "golden"):
        assert {path.name for path in folder.iterdir()} == set(HOSTS)
