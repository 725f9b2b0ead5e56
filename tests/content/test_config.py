"""Errors about wrong servers, skills, commands, rules and native entries."""

from __future__ import annotations

import pytest

from hatch_agentplugin.config import ConfigError
from hatch_agentplugin.config.servers import secrets
from hatch_agentplugin.declaration import Server
from tests.content.rig import EVERYTHING, Rig

SERVER = "[tool.agent-plugin.mcp.acme]\n"

#: The case: (toml, key below tool.agent-plugin, what, part of the advice).
CASES: dict[str, tuple[str, str, str, str]] = {
    "neither": (SERVER, "mcp.acme", "has neither command nor url", 'command = "acme-mcp"'),
    "both": (
        SERVER + 'command = "x"\nurl = "https://a.dev"',
        "mcp.acme",
        "has both command and url",
        " or url",
    ),
    "args-of-a-remote-one": (
        SERVER + 'url = "https://a.dev"\nargs = ["x"]',
        "mcp.acme.args",
        "is for local servers only",
        "remove it",
    ),
    "headers-of-a-local-one": (
        SERVER + 'command = "x"\nheaders = {}',
        "mcp.acme.headers",
        "is for remote servers only",
        "remove it",
    ),
    "misspelt-key": (
        SERVER + 'command = "x"\nenvs = {}',
        "mcp.acme.envs",
        "unknown key",
        'did you mean "env"?',
    ),
    "misspelt-transport": (
        SERVER + 'url = "https://a.dev"\ntransport = "http"',
        "mcp.acme.transport",
        'unknown value "http"',
        "streamable-http, sse",
    ),
    "odd-name": (
        '[tool.agent-plugin.mcp."a b"]\ncommand = "x"',
        'mcp."a b"',
        '"a b" is not a valid name for a server',
        "letters, digits",
    ),
    "no-address": (
        SERVER + 'url = "a.dev/mcp"',
        "mcp.acme.url",
        '"a.dev/mcp" is not an http or https URL',
        "https://",
    ),
    "unknown-placeholder": (
        SERVER + 'command = "x"\nargs = ["${PLUGIN_DIR}/x"]',
        "mcp.acme.args[1]",
        'unknown placeholder "${PLUGIN_DIR}"',
        "${env:NAME}",
    ),
    "missing-file": (
        SERVER + 'command = "x"\nargs = ["${PLUGIN_ROOT}/data/rule.json"]',
        "mcp.acme.args[1]",
        '"data/rule.json" does not exist',
        'did you mean "./data/rules.json"?',
    ),
    "missing-script": (
        SERVER + 'command = "./scripts/servr.sh"',
        "mcp.acme.command",
        '"./scripts/servr.sh" does not exist',
        'did you mean "./scripts/server.sh"?',
    ),
    "unknown-host": (
        SERVER + 'command = "x"\nhosts = ["claud-code"]',
        "mcp.acme.hosts[1]",
        'unknown agent "claud-code"',
        'did you mean "claude-code"?',
    ),
    "server-that-is-a-string": (
        '[tool.agent-plugin]\nmcp = { acme = "x" }',
        "mcp.acme",
        "must be a table, got a string",
        "[tool.agent-plugin.mcp.acme]",
    ),
    "skills-outside": (
        '[tool.agent-plugin]\nskills = "../skills"',
        "skills",
        '"../skills" is not a path inside the project',
        "relative path",
    ),
    "skills-that-are-none": (
        '[tool.agent-plugin]\nskills = "commands"',
        "skills",
        '"commands/acme-check.md" is not inside the folder of a skill',
        '"commands/acme-check/SKILL.md"',
    ),
    "commands-that-are-none": (
        '[tool.agent-plugin]\ncommands = "skills"',
        "commands",
        '"skills/greet/" is not a command',
        "NAME.md",
    ),
    "commands-that-are-a-file": (
        '[tool.agent-plugin]\ncommands = "RULES.md"',
        "commands",
        '"RULES.md" is not a folder',
        '"commands"',
    ),
    "rules-that-are-a-folder": (
        '[tool.agent-plugin]\nrules = "skills"',
        "rules",
        '"skills" is not a file',
        '"RULES.md"',
    ),
    "rules-that-are-a-table": (
        "[tool.agent-plugin]\nrules = {}",
        "rules",
        "must be a string, got a table",
        'rules = "RULES.md"',
    ),
    "native-event-that-is-none": (
        "[[tool.agent-plugin.native.claude-code.WorktreeCreated]]\nhooks = []",
        "native.claude-code.WorktreeCreated",
        'Claude Code has no event "WorktreeCreated"',
        'did you mean "WorktreeCreate"?',
    ),
    "native-of-a-host-with-modules": (
        "[[tool.agent-plugin.native.opencode.event]]\nx = 1",
        "native.opencode",
        "OpenCode takes no native entries",
        "remove the table",
    ),
    "native-file-that-is-missing": (
        '[[tool.agent-plugin.native.claude-code.Setup]]\ncommand = "sh ${PLUGIN_ROOT}/no.sh"',
        "native.claude-code.Setup",
        '"./no.sh" does not exist',
        "pyproject.toml",
    ),
}


@pytest.mark.parametrize(("toml", "key", "what", "advice"), CASES.values(), ids=list(CASES))
def test_mistake_is_named(rig: Rig, toml: str, key: str, what: str, advice: str) -> None:
    with pytest.raises(ConfigError) as caught:
        rig.declare(toml)
    (problem,) = caught.value.problems
    assert problem.where == f"tool.agent-plugin.{key}"
    assert problem.what == what
    assert advice in problem.advice


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({"skills/x/SKILL.md": "no front matter"}, '"skills/x/SKILL.md" has no name'),
        ({"skills/x/SKILL.md": "---\nname: x\n---\n"}, '"skills/x/SKILL.md" has no description'),
        (
            {"skills/x/SKILL.md": "---\nname: y\ndescription: d\n---\n"},
            '"skills/x/SKILL.md": name is "y", but the folder is "x"',
        ),
        ({"skills/X_1/SKILL.md": ""}, '"X_1" is not a valid name for a skill'),
        ({"skills/x/readme.txt": ""}, '"skills/x/SKILL.md" is missing'),
    ],
)
def test_skill_that_agents_would_not_load(rig: Rig, files: dict[str, str], what: str) -> None:
    rig.write(files)
    with pytest.raises(ConfigError) as caught:
        rig.declare('[tool.agent-plugin]\nskills = "skills"')
    assert caught.value.problems[0].what == what


@pytest.mark.parametrize(
    "front_matter",
    [
        "name: guard # comment\ndescription: d",
        "name: guard\ndescription: >-\n  on the lines\n  that follow",
        "'name': guard\n\"description\": d",
        "{name: guard, description: d}",
        "description: 'a: b'\nlicense: MIT\nname: guard",
    ],
    ids=["comment", "folded text", "quoted keys", "flow mapping", "other keys"],
)
def test_front_matter_is_read_as_yaml(rig: Rig, front_matter: str) -> None:
    rig.write({"skills/guard/SKILL.md": f"---\n{front_matter}\n---\nText.\n"})
    assert "skills/guard/SKILL.md" in rig.declare('[tool.agent-plugin]\nskills = "skills"').skills


@pytest.mark.parametrize(
    ("front_matter", "what", "advice"),
    [
        (
            "name: guard\ndescription: a: b: [",
            ": the front matter is not valid YAML: line 3: mapping values are not allowed here",
            "correct the line; a value that contains a colon must be in quotes",
        ),
        (
            "name: guard\ndescription: [\n",
            ": the front matter is not valid YAML: line 4: ",
            "correct the line",
        ),
        ("name: guard\nupdated: 2020-99-99", ": the front matter is not valid YAML: ", "correct"),
        ("- name: guard", ": the front matter is not a mapping", "write name: NAME"),
        ("name: 12\ndescription: d", ": name must be a string, got 12", 'name: "..."'),
        ("name: guard\ndescription: yes", ": description must be a string, got True", "in quotes"),
        ("name: guard\ndescription:", " has no description", "begin the file with four lines: ---"),
    ],
    ids=["colons", "bracket", "date", "list", "number", "boolean", "empty"],
)
def test_front_matter_that_agents_would_not_read(
    rig: Rig, front_matter: str, what: str, advice: str
) -> None:
    """The error names the file, the line or key, and what to do."""
    rig.write({"skills/guard/SKILL.md": f"---\n{front_matter}\n---\nText.\n"})
    with pytest.raises(ConfigError) as caught:
        rig.declare('[tool.agent-plugin]\nskills = "skills"')
    (problem,) = caught.value.problems
    assert problem.where == "tool.agent-plugin.skills"
    assert problem.what.startswith(f'"skills/guard/SKILL.md"{what}')
    assert advice in problem.advice


def test_front_matter_without_an_end(rig: Rig) -> None:
    rig.write({"skills/guard/SKILL.md": "---\nname: guard\ndescription: d\n"})
    with pytest.raises(ConfigError, match="the front matter does not end"):
        rig.declare('[tool.agent-plugin]\nskills = "skills"')


def test_everything_that_travels(rig: Rig) -> None:
    """Files have a fixed path in the bundle, wherever they are in the project."""
    rig.write({"agent/skills/x/SKILL.md": "---\nname: x\ndescription: d\n---\n"})
    rig.write({"agent/skills/README.md": "about", "agent/skills/.hidden": ""})
    toml = EVERYTHING.replace('"skills"', '"./agent/skills"') + 'hosts = ["codex"]\n'
    declaration = rig.declare(toml)
    assert declaration.moved == {
        "commands/acme-check.md": "commands/acme-check.md",
        "rules/RULES.md": "RULES.md",
        "skills/x/SKILL.md": "agent/skills/x/SKILL.md",
    }
    assert declaration.skills == ("skills/x/SKILL.md",)
    assert declaration.rules == "rules/RULES.md"
    assert declaration.files == ("data/rules.json",)
    assert declaration.mcp[-1] == Server(
        name="remote", url="https://acme.dev/mcp", hosts=("codex",)
    )


def test_two_files_for_one_place(rig: Rig) -> None:
    """Two files of the project must not get the same path in the bundle."""
    rig.write({"agent/greet/SKILL.md": "---\nname: greet\ndescription: d\n---\n"})
    with pytest.raises(ConfigError, match="would have the same path in the bundle"):
        rig.declare('[tool.agent-plugin]\nskills = "agent"\ninclude = ["./skills"]')


@pytest.mark.parametrize(
    "token", ["sk-abcdefghijklmnop0", "ghp_0123456789abcdefXYZ", "AKIAABCDEFGHIJKLMNOP"]
)
def test_token_is_warned_of(token: str) -> None:
    server = Server(name="acme", command="x", env={"KEY": token, "OTHER": "${env:OTHER}"})
    remote = Server(name="far", url="https://a", headers={"Authorization": f"Bearer {token}"})
    keys = [key for key, _ in secrets([server, remote])]
    assert keys == ["mcp.acme.env.KEY", "mcp.far.headers.Authorization"]
