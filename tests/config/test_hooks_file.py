"""``hooks = "hooks.json"``: the portable file in place of the table, and the way round."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hatch_agentplugin.agent_plugins import hooks as portable
from hatch_agentplugin.config import ConfigError
from hatch_agentplugin.declaration import Hook
from hatch_agentplugin.sources import digest
from tests.config.conftest import Sample

TABLE = '[tool.agent-plugin]\nhooks = "hooks.json"'


def write(sample: Sample, hooks: Any, **more: Any) -> None:
    document = {"$schema": portable.SCHEMA, "hooks": hooks, **more}
    (sample.root / "hooks.json").write_text(json.dumps(document), "utf-8")


def test_hooks_of_the_file_are_declared(sample: Sample) -> None:
    """They are what the same hooks in the table would be, and their files travel."""
    write(sample, {"turn-end": [{"command": "./scripts/turn-end.sh", "cwd": "./data"}]})
    made = sample.declare(TABLE)
    (hook,) = made.hooks
    assert (hook.event, hook.command, hook.cwd) == (
        "turn-end",
        "./scripts/turn-end.sh",
        "${PLUGIN_ROOT}/data",
    )
    assert made.files == ("scripts/turn-end.sh",)


def test_way_round_loses_nothing_portable(sample: Sample) -> None:
    """pyproject → hooks.json → declaration gives the same hooks, and so does a client's reading."""
    before = sample.hooks(
        'turn-end = [{ command = "./scripts/turn-end.sh", args = ["${PLUGIN_DATA}/a b", "$x"] },\n'
        '            { command = "git", env = { A = "ü", B = "" }, cwd = "${PLUGIN_DATA}/w" }]\n'
        'session-start = { command = "true", cwd = "${PLUGIN_ROOT}" }'
    )
    data, notes = portable.write(before.hooks)
    assert notes == []
    assert data is not None
    (sample.root / "hooks.json").write_bytes(data)
    after = sample.declare(TABLE)
    read = portable.read(data, lambda name: (sample.root / name).is_file())
    assert read.notes == ()

    def portably(hooks: tuple[Hook, ...]) -> list[tuple[object, ...]]:
        rows = [(h.event, h.command, h.args, dict(h.env), h.cwd) for h in hooks]
        return sorted(rows, key=repr)

    assert portably(after.hooks) == portably(before.hooks) == portably(read.hooks)
    assert portable.write(after.hooks)[0] == data


@pytest.mark.parametrize(
    ("hooks", "says"),
    [
        ({"pre-compact": []}, '"pre-compact" is not a portable event'),
        ({"turn-end": {}}, "must be an array of objects"),
        ({"turn-end": [{"command": "git", "tools": ["shell"]}]}, '"tools" is not a portable key'),
        ({"turn-end": [{"command": "./nothing.sh"}]}, "does not exist"),
        ([], "must be an object"),
    ],
    ids=["event", "no array", "key", "file", "no object"],
)
def test_mistakes_of_the_file_fail_the_build(sample: Sample, hooks: Any, says: str) -> None:
    write(sample, hooks)
    with pytest.raises(ConfigError, match=r"tool\.agent-plugin\.hooks") as caught:
        sample.declare(TABLE)
    assert says in str(caught.value)


@pytest.mark.parametrize("name", ["nothing.json", "../hooks.json"])
def test_file_that_is_not_there(sample: Sample, name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        sample.declare(f'[tool.agent-plugin]\nhooks = "{name}"')


def test_change_of_the_file_is_a_change_of_the_project(sample: Sample) -> None:
    table = {"hooks": "hooks.json"}
    write(sample, {})
    before = digest(table, sample.root, [])
    write(sample, {"turn-end": []})
    assert digest(table, sample.root, []) != before


def test_result_is_for_commands_and_for_events_that_take_context(sample: Sample) -> None:
    (hook,) = sample.hooks('session-start = { command = "git", result = "context" }').hooks
    assert hook.result == "context"
    assert "turn-end does not accept context" in sample.mistakes(
        'turn-end = { command = "git", result = "context" }'
    )
    assert "is for commands only" in sample.mistakes(
        'session-start = { handler = "acme.hooks:greet", result = "context" }'
    )
