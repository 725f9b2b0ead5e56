"""Help and version, under every name that the program has."""

from __future__ import annotations

import os
import shlex
import sys

import pytest

from tests.activate.world import World, write
from tests.cli._world import run


def test_every_command_has_help(world: World) -> None:
    """The overview lists each command, and each command has its own help."""
    overview = run(world, "--help").out
    for command in ("activate", "deactivate", "status", "hosts", "diff", "doctor", "prune",
                    "restore"):  # fmt: skip
        assert command in overview
        assert f"hatch_agentplugin.cli {command}" in run(world, command, "--help").out
    assert run(world, "--version").out.startswith("agent-plugin ")


@pytest.mark.skipif(os.name == "nt", reason="a script with a shebang")
@pytest.mark.parametrize("on_path", [True, False])
def test_script_of_a_plugin(world: World, on_path: bool) -> None:
    """With pipx there is no agent-plugin on the PATH: advice, help and version name the script."""
    world.install("acme")
    run(world, "activate", "--yes")
    world.uninstall("acme")
    script = write(
        world.root / ("bin" if on_path else "venv") / "acme-plugin",
        f"#!{sys.executable}\nimport sys\nfrom hatch_agentplugin.cli import main\nsys.exit(main())\n",
        0o755,
    )
    advice = "`acme-plugin prune`" if on_path else f"`{shlex.quote(str(script))} prune`"
    assert f"{advice} removes its hooks" in run(world, "status", program=str(script)).out
    usage = run(world, "prune", "--help", program=str(script)).out
    assert usage.startswith("usage: acme-plugin prune ")
    version = run(world, "--version", program=str(script)).out
    assert version.startswith("agent-plugin ")
    assert version.endswith(", as acme-plugin\n")
