"""The declaration made from a valid ``[tool.agent-plugin]``."""

from __future__ import annotations

import pytest

from hatch_agentplugin.config import load, read_table
from hatch_agentplugin.declaration import DEFAULT_TIMEOUT, Hook
from hatch_agentplugin.names import normalize
from hatch_agentplugin.words import EVENTS
from tests.config.conftest import PLUGIN, Sample


def test_handler_with_every_key(sample: Sample) -> None:
    declaration = sample.declare("""
        [[tool.agent-plugin.hooks.pre-tool-use]]
        handler = "acme.hooks:guard"
        tools = ["shell", "codex:apply_patch"]
        hosts = ["codex", "cursor"]
        timeout = 2.5
        when = ".acme/on"
        on-error = "deny"
    """)
    assert declaration.plugin == PLUGIN
    assert declaration.hooks == (
        Hook(
            key="hooks.pre-tool-use[1]",
            event="pre-tool-use",
            handler="acme.hooks:guard",
            tools=("shell", "codex:apply_patch"),
            hosts=("codex", "cursor"),
            timeout=2.5,
            when=".acme/on",
            on_error="deny",
        ),
    )


def test_command_with_every_key(sample: Sample) -> None:
    (hook,) = sample.declare("""
        [[tool.agent-plugin.hooks.turn-end]]
        command = "./scripts/turn-end.sh"
        args = ["--to", "${PLUGIN_DATA}/x"]
        env = { RULES = "${PLUGIN_ROOT}/data/rules.json" }
        cwd = "${PLUGIN_DATA}"
    """).hooks
    assert (hook.command, hook.args) == ("./scripts/turn-end.sh", ("--to", "${PLUGIN_DATA}/x"))
    assert hook.env == {"RULES": "${PLUGIN_ROOT}/data/rules.json"}
    assert hook.cwd == "${PLUGIN_DATA}"
    assert (hook.timeout, hook.tools, hook.hosts) == (DEFAULT_TIMEOUT, (), ())


def test_single_table_is_an_array_of_one(sample: Sample) -> None:
    (hook,) = sample.hooks('session-start = { handler = "acme.hooks:greet" }').hooks
    assert hook.key == "hooks.session-start"


def test_subtables_are_hooks(sample: Sample) -> None:
    """Hooks may be written as an array of tables."""
    hooks = sample.declare("""
        [[tool.agent-plugin.hooks.turn-end]]
        command = "git"
        args = ["status"]
        [[tool.agent-plugin.hooks.turn-end]]
        command = "./scripts/turn-end.sh"
    """).hooks
    assert [hook.key for hook in hooks] == ["hooks.turn-end[1]", "hooks.turn-end[2]"]


@pytest.mark.parametrize(
    ("spelling", "event"),
    [
        *((name, name) for name in EVENTS),
        ("PreToolUse", "pre-tool-use"),
        ("'tool/before'", "pre-tool-use"),
        ("beforeTool", "pre-tool-use"),
        ("UserPromptSubmit", "turn-start"),
        ("Stop", "turn-end"),
        ("'session.idle'", "turn-end"),
    ],
)
def test_event_by_any_spelling(sample: Sample, spelling: str, event: str) -> None:
    (hook,) = sample.hooks(f'{spelling} = [{{ command = "git" }}]').hooks
    assert hook.event == event
    assert hook.key.startswith("hooks.")


def test_spellings_of_one_event_run_in_the_order_of_the_file(sample: Sample) -> None:
    hooks = sample.hooks("""
        Stop = [{ command = "one" }, { command = "two" }]
        session-end = [{ command = "apart" }]
        turn-end = [{ command = "three" }]
    """).hooks
    ends = [hook.command for hook in hooks if hook.event == "turn-end"]
    assert ends == ["one", "two", "three"]
    assert hooks[0].key == "hooks.Stop[1]"


def test_key_that_toml_would_quote_is_quoted(sample: Sample) -> None:
    (hook,) = sample.hooks('"tool/before" = [{ command = "git" }]').hooks
    assert hook.key == 'hooks."tool/before"[1]'


def test_names_given_twice_count_once(sample: Sample) -> None:
    (hook,) = sample.hooks(
        'PreToolUse = { command = "git", tools = ["shell", "shell"], hosts = ["codex", "codex"] }'
    ).hooks
    assert (hook.tools, hook.hosts) == (("shell",), ("codex",))


def test_native_entries_are_kept_as_they_are(sample: Sample) -> None:
    declaration = sample.declare("""
        [tool.agent-plugin.native.codex]
        Odd = [{ matcher = "x", n = 1, deep = { list = [true, 1.5] } }]
        Single = { command = "y" }
    """)
    assert declaration.native == {
        "codex": {
            "Odd": ({"matcher": "x", "n": 1, "deep": {"list": [True, 1.5]}},),
            "Single": ({"command": "y"},),
        }
    }


def test_scripts_arguments_and_includes_travel(sample: Sample) -> None:
    """Each file is listed once, sorted; folders with all their files."""
    (sample.root / "data/__pycache__").mkdir()
    (sample.root / "data/__pycache__/x.pyc").touch()
    declaration = sample.declare("""
        [tool.agent-plugin]
        include = ["./data", "scripts/plain.txt"]
        hooks.turn-end = [
          { command = "./scripts/turn-end.sh", args = ["${PLUGIN_ROOT}/data/rules.json"] },
          { command = "./scripts/turn-end.sh" },
        ]
    """)
    assert declaration.files == (
        "data/more/a.txt",
        "data/rules.json",
        "scripts/plain.txt",
        "scripts/turn-end.sh",
    )


@pytest.mark.parametrize(
    "key",
    [
        'args = ["${PLUGIN_ROOT}/scripts/plain.txt"]',
        'env = { A = "${PLUGIN_ROOT}/scripts/plain.txt" }',
    ],
)
def test_file_that_is_named_travels(sample: Sample, key: str) -> None:
    declaration = sample.hooks(f'Stop = {{ command = "python3", {key} }}')
    assert declaration.files == ("scripts/plain.txt",)


def test_empty_table_declares_nothing(sample: Sample) -> None:
    declaration = sample.declare("[tool.agent-plugin]")
    assert (declaration.hooks, declaration.files, declaration.native) == ((), (), {})


def test_table_is_told_from_no_table(sample: Sample) -> None:
    sample.declare("[tool.agent-plugin]")
    assert read_table(sample.root) == {}
    sample.declare("[tool.other]")
    assert read_table(sample.root) is None


def test_project_without_pyproject_is_an_os_error(sample: Sample) -> None:
    with pytest.raises(FileNotFoundError):
        load(sample.root / "scripts", (), PLUGIN, {})


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Acme", "acme"), ("acme.tools", "acme-tools"), ("a__B-.c", "a-b-c"), ("x1", "x1")],
)
def test_id_is_the_normalised_name(name: str, expected: str) -> None:
    assert normalize(name) == expected
