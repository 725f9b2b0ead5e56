"""What an author is told: where, what, what to do. Two lines per mistake, all of them at once."""

from __future__ import annotations

import pytest

from hatch_agentplugin.config import ConfigError
from tests.config.conftest import Sample

HANDLER = 'handler = "acme.hooks:guard"'

#: What the case is about: (lines of [tool.agent-plugin.hooks], key, what, advice).
CASES: dict[str, tuple[str, str, str, str]] = {
    "misspelt-selector": (
        f'pre-tool-use = [{{ command = "git" }}, {{ {HANDLER}, tools = ["file.writes"] }}]',
        "pre-tool-use[2].tools[1]",
        'unknown tool selector "file.writes"',
        (
            'did you mean "file.write"? '
            "Allowed: shell, file.read, file.write, mcp, agent, web, or <agent>:<Name>"
        ),
    ),
    "native-name-as-selector": (
        f'pre-tool-use = [{{ {HANDLER}, tools = ["shell", "Edit"] }}]',
        "pre-tool-use[1].tools[2]",
        'unknown tool selector "Edit"',
        'write "file.write", or <agent>:Edit for one agent',
    ),
    "selector-for-everything": (
        f'pre-tool-use = [{{ {HANDLER}, tools = ["*"] }}]',
        "pre-tool-use[1].tools[1]",
        'unknown tool selector "*"',
        'remove "tools": then the hook is for every tool',
    ),
    "selector-of-unknown-host": (
        f'pre-tool-use = [{{ {HANDLER}, tools = ["codx:Bash"] }}]',
        "pre-tool-use[1].tools[1]",
        'unknown agent "codx"',
        'did you mean "codex"? Allowed: claude-code, codex, cursor',
    ),
    "selector-without-a-name": (
        f'pre-tool-use = [{{ {HANDLER}, tools = ["codex:"] }}]',
        "pre-tool-use[1].tools[1]",
        'unknown tool selector "codex:"',
        "allowed: shell, file.read, file.write, mcp, agent, web, or <agent>:<Name>",
    ),
    "tools-of-no-tool-event": (
        'turn-end = [{ command = "git", tools = ["shell"] }]',
        "turn-end[1].tools",
        "turn-end is not about a tool call",
        (
            "remove it; allowed for: pre-tool-use, post-tool-use, permission-request, "
            "post-tool-use-failure, permission-denied"
        ),
    ),
    "empty-tools": (
        f"pre-tool-use = [{{ {HANDLER}, tools = [] }}]",
        "pre-tool-use[1].tools",
        "must not be an empty array",
        "name at least one, or remove the key for all",
    ),
    "unknown-host": (
        f'pre-tool-use = [{{ {HANDLER}, hosts = ["codex", "claude"] }}]',
        "pre-tool-use[1].hosts[2]",
        'unknown agent "claude"',
        'did you mean "claude-code"? Allowed: claude-code, codex, cursor',
    ),
    "unknown-key": (
        f"pre-tool-use = [{{ {HANDLER}, timout = 5 }}]",
        "pre-tool-use[1].timout",
        "unknown key",
        (
            'did you mean "timeout"? Allowed: handler, command, args, env, cwd, tools, hosts, '
            "timeout, when, on-error, result"
        ),
    ),
    "snake-case-key": (
        f'pre-tool-use = [{{ {HANDLER}, on_error = "deny" }}]',
        "pre-tool-use[1].on_error",
        "unknown key",
        (
            'did you mean "on-error"? Allowed: handler, command, args, env, cwd, tools, hosts, '
            "timeout, when, on-error, result"
        ),
    ),
    "milliseconds": (
        f"pre-tool-use = [{{ {HANDLER}, timeout = 30000 }}]",
        "pre-tool-use[1].timeout",
        "must be below 1000 seconds, got 30000",
        "timeouts are in seconds, not milliseconds: write 30",
    ),
    "no-time": (
        f"pre-tool-use = [{{ {HANDLER}, timeout = -1 }}]",
        "pre-tool-use[1].timeout",
        "must be greater than 0 seconds, got -1",
        "write a number of seconds, for example 10",
    ),
    "not-a-time": (
        f"pre-tool-use = [{{ {HANDLER}, timeout = nan }}]",
        "pre-tool-use[1].timeout",
        "must be greater than 0 seconds, got nan",
        "write a number of seconds, for example 10",
    ),
    "timeout-in-quotes": (
        f'pre-tool-use = [{{ {HANDLER}, timeout = "10" }}]',
        "pre-tool-use[1].timeout",
        "must be a number, got a string",
        "write a number of seconds without quotes, for example 10",
    ),
    "timeout-yes-or-no": (
        f"pre-tool-use = [{{ {HANDLER}, timeout = true }}]",
        "pre-tool-use[1].timeout",
        "must be a number, got a boolean",
        "for example: timeout = 10",
    ),
    "wrong-on-error": (
        f'pre-tool-use = [{{ {HANDLER}, on-error = "block" }}]',
        "pre-tool-use[1].on-error",
        'unknown value "block"',
        "allowed: allow, deny",
    ),
    "on-error-of-a-command": (
        'pre-tool-use = [{ command = "git", on-error = "deny" }]',
        "pre-tool-use[1].on-error",
        "is for handlers only",
        "remove it; a command that fails never changes what the agent does",
    ),
    "deny-where-nothing-can-be-denied": (
        f'session-start = [{{ {HANDLER}, on-error = "deny" }}]',
        "session-start[1].on-error",
        "session-start cannot be denied",
        (
            "remove it; allowed for: turn-start, pre-tool-use, pre-compact, permission-request, "
            "subagent-start"
        ),
    ),
    "both-kinds": (
        f'pre-tool-use = [{{ {HANDLER}, command = "git" }}]',
        "pre-tool-use[1]",
        "has both handler and command",
        "keep one of them and write a second hook for the other",
    ),
    "neither-kind": (
        "pre-tool-use = [{ timeout = 5 }]",
        "pre-tool-use[1]",
        "has neither handler nor command",
        'write handler = "package.module:callable" or command = "./scripts/hook.sh"',
    ),
    "misspelt-kind": (
        'pre-tool-use = [{ comand = "git" }]',
        "pre-tool-use[1].comand",
        "unknown key",
        (
            'did you mean "command"? Allowed: handler, command, args, env, cwd, tools, hosts, '
            "timeout, when, on-error, result"
        ),
    ),
    "args-of-a-handler": (
        f'pre-tool-use = [{{ {HANDLER}, args = ["x"] }}]',
        "pre-tool-use[1].args",
        "is for commands only",
        "remove it; a handler gets the event as its argument",
    ),
    "number-among-args": (
        'turn-end = { command = "git", args = ["-n", 5] }',
        "turn-end.args[2]",
        "must be a string, got an integer",
        'write it in quotes: "5"',
    ),
    "args-as-one-string": (
        'turn-end = [{ command = "git", args = "status" }]',
        "turn-end[1].args",
        "must be an array, got a string",
        'for example: args = ["--data", "${PLUGIN_DATA}/state"]',
    ),
    "env-as-an-array": (
        'turn-end = [{ command = "git", env = ["A=1"] }]',
        "turn-end[1].env",
        "must be a table, got an array",
        'for example: env = { LOG = "${PLUGIN_DATA}/log" }',
    ),
    "number-in-env": (
        "turn-end = [{ command = 'git', env = { A = 1 } }]",
        "turn-end[1].env.A",
        "must be a string, got an integer",
        'write it in quotes: "1"',
    ),
    "odd-variable": (
        "turn-end = [{ command = 'git', env = { 'A B' = '1' } }]",
        'turn-end[1].env."A B"',
        '"A B" is not a valid variable name',
        "use letters, digits and underscores",
    ),
    "variable-of-ours": (
        "turn-end = [{ command = 'git', env = { PLUGIN_DATA = '/x' } }]",
        "turn-end[1].env.PLUGIN_DATA",
        '"PLUGIN_DATA" is set by the launcher',
        "use another name",
    ),
    "unknown-placeholder": (
        'turn-end = [{ command = "git", args = ["${PLUGIN_HOME}/x"] }]',
        "turn-end[1].args[1]",
        'unknown placeholder "${PLUGIN_HOME}"',
        'did you mean "${PLUGIN_ROOT}"? Allowed: ${PLUGIN_ROOT}, ${PLUGIN_DATA}',
    ),
    "argument-without-braces": (
        'turn-end = [{ command = "git", args = ["-C", "$PLUGIN_DATA/x"] }]',
        "turn-end[1].args[2]",
        'the placeholder "$PLUGIN_DATA" has no braces',
        'write "${PLUGIN_DATA}/x"',
    ),
    "variable-without-braces": (
        'turn-end = [{ command = "sh", env = { A = "$PLUGIN_ROOT" } }]',
        "turn-end[1].env.A",
        'the placeholder "$PLUGIN_ROOT" has no braces',
        'write "${PLUGIN_ROOT}"',
    ),
    "folder-without-braces": (
        'turn-end = [{ command = "git", cwd = "$PLUGIN_DATA" }]',
        "turn-end[1].cwd",
        'the placeholder "$PLUGIN_DATA" has no braces',
        'write "${PLUGIN_DATA}"',
    ),
    "event-without-hooks": (
        "turn-end = []",
        "turn-end",
        "must not be an empty array",
        "declare a hook, or remove the line",
    ),
    "unknown-result": (
        'session-start = [{ command = "git", result = "contxt" }]',
        "session-start[1].result",
        'unknown value "contxt"',
        'did you mean "context"? Allowed: none, context',
    ),
    "placeholder-without-an-end": (
        'turn-end = [{ command = "git", args = ["${PLUGIN_ROOT"] }]',
        "turn-end[1].args[1]",
        'unknown placeholder "${PLUGIN_ROOT"',
        'did you mean "${PLUGIN_ROOT}"? Allowed: ${PLUGIN_ROOT}, ${PLUGIN_DATA}',
    ),
    "nul-in-an-argument": (
        'turn-end = [{ command = "git", args = ["a\\u0000b"] }]',
        "turn-end[1].args[1]",
        '"a\\0b" contains a NUL character',
        "remove it; no program can receive it",
    ),
    "hook-that-is-no-table": (
        'turn-end = ["./scripts/turn-end.sh"]',
        "turn-end[1]",
        "must be a table, got a string",
        'for example: turn-end = [{ command = "./scripts/turn-end.sh" }]',
    ),
    "event-that-is-no-array": (
        'turn-end = "./scripts/turn-end.sh"',
        "turn-end",
        "must be an array, got a string",
        'for example: turn-end = [{ command = "./scripts/turn-end.sh" }]',
    ),
}


@pytest.mark.parametrize(("toml", "key", "what", "advice"), CASES.values(), ids=CASES)
def test_mistake(sample: Sample, toml: str, key: str, what: str, advice: str) -> None:
    where = f"pyproject.toml: tool.agent-plugin.hooks.{key}"
    assert sample.mistakes(toml) == f"{where}: {what}\n  {advice}"


def test_misspelt_event_names_the_nearest_and_all(sample: Sample) -> None:
    text = sample.mistakes('pre-tol-use = [{ command = "git" }]')
    first, second = text.splitlines()
    assert first == (
        'pyproject.toml: tool.agent-plugin.hooks.pre-tol-use: unknown event "pre-tol-use"'
    )
    assert second.startswith('  did you mean "pre-tool-use"? Allowed: session-start, turn-start, ')
    assert "model-switch-after" in second


def test_event_like_no_other_lists_what_is_allowed(sample: Sample) -> None:
    text = sample.mistakes('zzz = [{ command = "git" }]')
    assert 'unknown event "zzz"\n  allowed: session-start, ' in text


@pytest.mark.parametrize(
    ("toml", "text"),
    [
        (
            '[tool.agent-plugin]\nhook = {}\nname = "x"',
            'hook: unknown key\n  did you mean "hooks"? Allowed: hooks, include, native',
        ),
        (
            "[tool.agent-plugin]\nhooks = []",
            (
                "hooks: must be a table, got an array\n"
                '  for example: turn-end = [{ command = "./scripts/turn-end.sh" }]'
            ),
        ),
        (
            "[tool.agent-plugin.native.claude]\nStop = [{}]",
            (
                'native.claude: unknown agent "claude"\n'
                '  did you mean "claude-code"? Allowed: claude-code, codex, cursor'
            ),
        ),
        (
            "[tool.agent-plugin.native.codex]\nStop = [{ on = 2020-01-01 }]",
            (
                "native.codex.Stop[1]: 2020-01-01 cannot be written into the agent's settings\n"
                "  write it as a string, in quotes"
            ),
        ),
        (
            '[tool.agent-plugin.packages]\nrunner = "uv"',
            'packages.runner: unknown value "uv"\n  did you mean "uvx"? Allowed: python, uvx',
        ),
        (
            '[tool.agent-plugin.packages]\nruner = "uvx"',
            'packages.runer: unknown key\n  did you mean "runner"? Allowed: runner',
        ),
        (
            '[tool.agent-plugin]\npackages = "uvx"',
            (
                'packages: must be a table, got a string\n  for example: packages = { runner = "uvx" }'
            ),
        ),
        (
            "[tool.agent-plugin.native.codex]\nStop = []",
            "native.codex.Stop: must not be an empty array\n  declare a hook, or remove the line",
        ),
        (
            '[tool.agent-plugin]\ninclude = ["./dta"]',
            'include[1]: "./dta" does not exist\n  did you mean "./data"?',
        ),
    ],
    ids=[
        "unknown-key",
        "hooks-as-array",
        "native-host",
        "native-date",
        "runner",
        "runner-key",
        "packages",
        "native-empty",
        "include",
    ],
)
def test_mistake_outside_hooks(sample: Sample, toml: str, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        sample.declare(toml)
    assert f"pyproject.toml: tool.agent-plugin.{text}" in str(caught.value)


def test_table_that_is_none(sample: Sample) -> None:
    with pytest.raises(ConfigError, match=r"tool\.agent-plugin: must be a table, got a string"):
        sample.declare('[tool]\nagent-plugin = "yes"')


def test_text_that_is_not_toml(sample: Sample) -> None:
    with pytest.raises(ConfigError, match=r"pyproject\.toml: not valid TOML"):
        sample.declare("[tool.agent-plugin\n")


def test_all_mistakes_are_told_together_in_the_order_of_the_file(sample: Sample) -> None:
    """Within one hook too, single values and rules alike."""
    text = sample.mistakes("""
        turn-end = [{ timeout = 5000, command = "./scripts/no.sh", on-error = "deny", args = [1] }]
        sesion-start = [{ handler = "acme.hooks:gard", tols = [] }]
        pre-tool-use = [{ handler = "acme.hook:guard", tools = ["shel", "shell", "webb"] }]
    """)
    keys = [line.split(": ")[1] for line in text.splitlines() if line.startswith("pyproject")]
    assert [key.removeprefix("tool.agent-plugin.hooks.") for key in keys] == [
        "turn-end[1].timeout",
        "turn-end[1].command",
        "turn-end[1].on-error",
        "turn-end[1].args[1]",
        "sesion-start",
        "sesion-start[1].handler",
        "sesion-start[1].tols",
        "pre-tool-use[1].handler",
        "pre-tool-use[1].tools[1]",
        "pre-tool-use[1].tools[3]",
    ]
    assert len(text.splitlines()) == 2 * len(keys)


def test_mistakes_are_facts_as_well(sample: Sample) -> None:
    with pytest.raises(ConfigError) as caught:
        sample.hooks('turn-end = [{ command = "git", timout = 5 }]')
    (problem,) = caught.value.problems
    assert problem.where == "tool.agent-plugin.hooks.turn-end[1].timout"
    assert problem.what == "unknown key"


def test_long_value_is_cut(sample: Sample) -> None:
    text = sample.mistakes(f'turn-end = [{{ command = "{"x y" * 100}" }}]')
    assert max(map(len, text.splitlines()[0].split('"'))) < 90
