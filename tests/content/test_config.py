"""What an author is told about wrong servers, skills, commands, rules and native entries."""

from __future__ import annotations

import pytest

from hatch_agentplugin.config import ConfigError
from hatch_agentplugin.config.content import secrets
from hatch_agentplugin.declaration import Server
from tests.content.rig import EVERYTHING, Rig

SERVER = "[tool.agent-plugin.mcp.acme]\n"

#: What the case is about: (toml, key below tool.agent-plugin, what, part of the advice).
CASES: dict[str, tuple[str, str, str, str]] = {
    "neither": (SERVER, "mcp.acme", "neither command nor url", 'command = "acme-mcp"'),
    "both": (
        SERVER + 'command = "x"\nurl = "https://a.dev"',
        "mcp.acme",
        "both command and url",
        "or url",
    ),
    "args-of-a-remote-one": (
        SERVER + 'url = "https://a.dev"\nargs = ["x"]',
        "mcp.acme.args",
        "is for a local program",
        "remove it",
    ),
    "headers-of-a-local-one": (
        SERVER + 'command = "x"\nheaders = {}',
        "mcp.acme.headers",
        "is for a remote server",
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
        '"a b" is not a server\'s name',
        "letters, digits",
    ),
    "no-address": (
        SERVER + 'url = "a.dev/mcp"',
        "mcp.acme.url",
        '"a.dev/mcp" is not an address',
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
        'unknown host "claud-code"',
        'did you mean "claude-code"?',
    ),
    "server-that-is-a-string": (
        '[tool.agent-plugin]\nmcp = { acme = "x" }',
        "mcp.acme",
        "a string where a table is expected",
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
        '"commands/acme-check.md" is not in the folder of a skill',
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
        "a table where a string is expected",
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
        "OpenCode has no entries that could be placed as they are",
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
            'the skill in "skills/x" calls itself "y"',
        ),
        ({"skills/X_1/SKILL.md": ""}, '"X_1" is not a skill\'s name'),
        ({"skills/x/readme.txt": ""}, '"skills/x" has no SKILL.md'),
    ],
)
def test_skill_that_agents_would_not_load(rig: Rig, files: dict[str, str], what: str) -> None:
    rig.write(files)
    with pytest.raises(ConfigError) as caught:
        rig.declare('[tool.agent-plugin]\nskills = "skills"')
    assert caught.value.problems[0].what == what


def test_everything_that_travels(rig: Rig) -> None:
    """Files have their place in the bundle, wherever the project keeps them."""
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
    """What is included must not lie where a moved folder goes."""
    rig.write({"agent/greet/SKILL.md": "---\nname: greet\ndescription: d\n---\n"})
    with pytest.raises(ConfigError, match="has that place in the bundle"):
        rig.declare('[tool.agent-plugin]\nskills = "agent"\ninclude = ["./skills"]')


@pytest.mark.parametrize(
    "token", ["sk-abcdefghijklmnop0", "ghp_0123456789abcdefXYZ", "AKIAABCDEFGHIJKLMNOP"]
)
def test_token_is_warned_of(token: str) -> None:
    server = Server(name="acme", command="x", env={"KEY": token, "OTHER": "${env:OTHER}"})
    remote = Server(name="far", url="https://a", headers={"Authorization": f"Bearer {token}"})
    keys = [key for key, _ in secrets([server, remote])]
    assert keys == ["mcp.acme.env.KEY", "mcp.far.headers.Authorization"]
