"""Five Agent Plugins folders, activated for every host and deactivated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.hosts.adapters import built_in_hosts
from tests.activate.world import World
from tests.agent_plugins.test_local_plugin import SKILL, hooks, lay, servers
from tests.cli._world import run
from tests.end_to_end.homes import snapshot, without_times

COMMAND = {"command": "./bin/note", "args": ["${PLUGIN_DATA}/log"]}
SCRIPT = '#!/bin/sh\necho x >>"$1"\n'

#: Name -> files, and the positions of its mistakes, which notes must name.
PLUGINS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "provenance": (
        {
            "hooks.json": hooks(
                session_start=[COMMAND], turn_start=[COMMAND], pre_tool_use=[COMMAND],
                post_tool_use=[COMMAND], turn_end=[COMMAND], session_end=[COMMAND],
            ),
            "bin/note": SCRIPT,
        },
        [],
    ),
    "docs.search": (
        {"mcp.json": servers(docs={"type": "streamable-http", "url": "https://docs.dev/mcp"})},
        [],
    ),
    "review-kit": (
        {
            "skills/review/SKILL.md": SKILL.format(name="review"),
            "skills/review/references/list.md": "1. Read.\n",
            "dev.acme.client/hooks/hooks.json": {"Stop": []},
        },
        [],
    ),
    "mixed": (
        {
            "hooks.json": hooks(
                Stop=[COMMAND], turn_end=[{"command": "echo 1 && echo 2"}, COMMAND]
            ),
            "bin/note": SCRIPT,
            "mcp.json": servers(old={"command": "npx"}, new={"type": "stdio", "command": "npx"}),
        },
        ["hooks.Stop", "hooks.turn-end[1]", "mcpServers.old"],
    ),
    "formatter": (
        {"hooks.json": hooks(post_tool_use=[{"command": "true", "cwd": "./bin"}]), "bin/x": "x"},
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one != "mixed")) for one in PLUGINS]
)
def test_activate_and_deactivate(world: World, tmp_path: Path, name: str) -> None:
    """Each host gets a row in the result, and deactivate leaves the home folder as it was."""
    files, wrong = PLUGINS[name]
    folder = lay(tmp_path / name, name, files, version="1")
    before = without_times(snapshot(world.home))
    done = run(world, "activate", str(folder), "--host", "*", "--yes", "--json")
    assert done.status == 0, (done.out, done.err)
    result = done.json
    assert {row["host"] for row in result["rows"]} == set(built_in_hosts())
    assert {row["state"] for row in result["rows"]} <= {"placed", "skipped"}
    assert sum(row["state"] == "placed" for row in result["rows"]) >= 20
    for mistake in wrong:
        assert any(mistake in note for note in result["notes"]), result["notes"]
    assert run(world, "deactivate", name, "--yes").status == 0
    assert without_times(snapshot(world.home)) == before
