"""What servers, skills, commands and rules become on each host."""

from __future__ import annotations

from typing import Any

import pytest

from hatch_agentplugin.adapter import Content, Dir, File, Host, Mcp
from hatch_agentplugin.hosts.check import check_host
from hatch_agentplugin.plan import Cell, Item, Key, OwnFile, Placement, Plan
from hatch_agentplugin.words import is_content
from tests.compiler.hosts import entries_host
from tests.content.rig import EVERYTHING, HOSTS, Rig

PROGRAM = {"$program": "acme-mcp"}
DATA = {"$text": "${PLUGIN_DATA}/x"}
LOCAL = """
[tool.agent-plugin.mcp.acme]
command = "acme-mcp"
args = ["--to", "${PLUGIN_DATA}/x"]
env = { A = "1" }
"""
REMOTE = '[tool.agent-plugin.mcp.acme]\nurl = "https://acme.dev/mcp"\n'
ARGS = ["--to", DATA]

#: Host -> path and value of a local server.
STDIO: dict[str, tuple[str, Any]] = {
    "claude-code": (
        "mcpServers.acme",
        {"type": "stdio", "command": PROGRAM, "args": ARGS, "env": {"A": "1"}},
    ),
    "cursor": ("mcpServers.acme", {"command": PROGRAM, "args": ARGS, "env": {"A": "1"}}),
    "codex": ("mcp_servers.acme", {"command": PROGRAM, "args": ARGS, "env": {"A": "1"}}),
    "copilot-cli": (
        "mcpServers.acme",
        {"type": "local", "command": PROGRAM, "args": ARGS, "env": {"A": "1"}, "tools": ["*"]},
    ),
    "opencode": (
        "mcp.acme",
        {"type": "local", "command": [PROGRAM, *ARGS], "environment": {"A": "1"}, "enabled": True},
    ),
    "zed": (
        "context_servers.acme",
        {"source": "custom", "command": PROGRAM, "args": ARGS, "env": {"A": "1"}},
    ),
    "amp": ("amp.mcpServers.acme", {"command": PROGRAM, "args": ARGS, "env": {"A": "1"}}),
    "openclaw": ("mcp.servers.acme", {"command": PROGRAM, "args": ARGS, "env": {"A": "1"}}),
    "goose": (
        "extensions.acme",
        {
            "name": "acme",
            "type": "stdio",
            "cmd": PROGRAM,
            "args": ARGS,
            "envs": {"A": "1"},
            "enabled": True,
            "timeout": 300,
        },
    ),
    "mistral-vibe": (
        "mcp_servers",
        {
            "name": "acme",
            "transport": "stdio",
            "command": PROGRAM,
            "args": ARGS,
            "env": {"A": "1"},
        },
    ),
}
#: Host -> value of a remote server.
HTTP: dict[str, Any] = {
    "claude-code": {"type": "http", "url": "https://acme.dev/mcp"},
    "gemini-cli": {"httpUrl": "https://acme.dev/mcp"},
    "devin": {"serverUrl": "https://acme.dev/mcp"},
    "goose": {
        "name": "acme", "type": "streamable_http", "uri": "https://acme.dev/mcp", "enabled": True,
    },
    "opencode": {"type": "remote", "url": "https://acme.dev/mcp", "enabled": True},
    "openclaw": {"url": "https://acme.dev/mcp", "transport": "streamable-http"},
}  # fmt: skip


def server_of(plan: Plan, host: str) -> Item | Key:
    (one,) = plan.hosts[host].scopes["user"]
    assert isinstance(one, (Item, Key))
    return one


def cell(plan: Plan, host: str, event: str) -> Cell:
    (found,) = [cell for cell in plan.report if (cell.host, cell.event) == (host, event)]
    return found


@pytest.mark.parametrize("host", STDIO)
def test_local_server_in_the_words_of_a_host(rig: Rig, host: str) -> None:
    placed = server_of(rig.compile(LOCAL).plan, host)
    assert (".".join(placed.at), placed.value) == STDIO[host]
    assert placed.event == "mcp:acme"


@pytest.mark.parametrize("host", HTTP)
def test_remote_server_in_the_words_of_a_host(rig: Rig, host: str) -> None:
    assert server_of(rig.compile(REMOTE).plan, host).value == HTTP[host]


def test_script_of_the_plugin_as_server(rig: Rig) -> None:
    """A path of the project travels, and is named below the bundle."""
    toml = '[tool.agent-plugin.mcp.acme]\ncommand = "./scripts/server.sh"'
    assert rig.declare(toml).files == ("scripts/server.sh",)
    value = server_of(rig.compile(toml).plan, "cursor").value
    assert value["command"] == {"$text": "${PLUGIN_ROOT}/scripts/server.sh"}


@pytest.mark.parametrize(
    ("host", "written"),
    [
        ("claude-code", "Bearer ${TOKEN}"),
        ("cursor", "Bearer ${env:TOKEN}"),
        ("opencode", "Bearer {env:TOKEN}"),
    ],
)
def test_variable_of_the_user(rig: Rig, host: str, written: str) -> None:
    """Secrets stay out of files: each host names the variable in its own way."""
    toml = REMOTE + 'headers = { Authorization = "Bearer ${env:TOKEN}" }'
    assert server_of(rig.compile(toml).plan, host).value["headers"] == {"Authorization": written}


@pytest.mark.parametrize(
    ("host", "toml", "reason"),
    [
        ("kimi", REMOTE + 'headers = { A = "${env:T}" }', "can't name a variable of the user's"),
        ("mux", LOCAL, "has no place for env"),
        ("cursor", LOCAL + 'cwd = "${PLUGIN_DATA}"', "has no place for cwd"),
        ("zed", REMOTE, "no way to write remote servers by streamable-http is known"),
        ("codex", REMOTE + 'transport = "sse"', "no way to write remote servers by sse is known"),
        ("replit", LOCAL, "no place for servers is known"),
        ("codex", LOCAL + 'hosts = ["cursor"]', "declared for other hosts only"),
    ],
)
def test_server_a_host_cannot_have(rig: Rig, host: str, toml: str, reason: str) -> None:
    """It is left out there and the report says why; nothing is written that would not work."""
    plan = rig.compile(toml).plan
    assert cell(plan, host, "mcp:acme") == Cell(host, "mcp:acme", "", "skipped", reason)
    assert host not in plan.hosts


def test_report_of_content(rig: Rig) -> None:
    plan = rig.compile(EVERYTHING, ["claude-code", "warp", "tabnine"]).plan
    assert cell(plan, "claude-code", "mcp:acme") == Cell(
        "claude-code", "mcp:acme", "mcpServers", "native"
    )
    assert cell(plan, "warp", "skills").reason == "project scope only"
    assert cell(plan, "warp", "commands").reason == "no place for commands is known"
    assert cell(plan, "tabnine", "rules").state == "skipped"
    assert "tabnine" not in plan.hosts
    assert Plan.from_bytes(plan.to_bytes()) == plan


def test_host_without_hooks_is_told_nothing_of_hooks(rig: Rig) -> None:
    """Content needs no approval on a hooks screen."""
    plan = rig.compile(LOCAL, ["codex", "warp"]).plan
    assert plan.hosts["codex"].after == {}
    assert set(plan.hosts["warp"].scopes) == {"user", "project"}


def test_files_and_blocks(rig: Rig) -> None:
    """Skills and commands are files, each skill a unit; rules a block, or a file in a folder."""
    bundle = rig.compile(EVERYTHING, ["claude-code", "kiro", "vscode-copilot"])
    user = bundle.plan.hosts["claude-code"].scopes["user"]
    files = {one.files[0].path: one for one in user if isinstance(one, OwnFile)}
    assert files["skills/greet/scripts/run.sh"].unit == "skills/greet"
    assert files["commands/acme-check.md"].artifact == "commands/acme-check.md"
    (block,) = [one for one in user if isinstance(one, Key) and one.format == "text"]
    assert (block.at, block.value) == (("acme", "rules"), {"$file": "rules/RULES.md"})
    assert "steering/acme.md" in paths(bundle.plan.hosts["kiro"].scopes["user"])
    project = bundle.plan.hosts["vscode-copilot"].scopes["project"]
    assert "prompts/acme-check.prompt.md" in paths(project)


def paths(placements: tuple[Placement, ...]) -> list[str]:
    return [one.files[0].path for one in placements]


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_has_its_facts(host: str) -> None:
    """A host of the adapters is right, and one that takes nothing at all is so on purpose."""
    assert check_host(HOSTS[host]) == []
    nothing = HOSTS[host].content in (Content(), Content(evidence=HOSTS[host].content.evidence))
    assert nothing == (host in ("codebuddy", "copilot-cloud-agent", "jetbrains-copilot", "tabnine"))


def test_shared_files_get_the_same_entry(rig: Rig) -> None:
    """Hosts that share a document share the key in it, so its value has to be one."""
    plan = rig.compile(LOCAL + '[tool.agent-plugin.mcp.far]\nurl = "https://a.dev"').plan
    seen: dict[tuple[Any, ...], tuple[str, Any]] = {}
    for host, one in plan.hosts.items():
        for scope, placements in one.scopes.items():
            for placed in placements:
                assert isinstance(placed, (Item, Key))
                place = (scope, placed.files[0].dir.default, placed.files[0].path, placed.at)
                other = seen.setdefault(place, (host, placed.value))
                assert other[1] == placed.value, (host, other[0])
    assert any(is_content("mcp:acme") for _ in seen)


@pytest.mark.parametrize(
    ("content", "mistake"),
    [
        (Content(skills={"user": File(Dir("~/.x"), "{plugin}/skills")}), 'unknown "{plugin}"'),
        (Content(rules={"all": File(Dir("~/.x"), "r")}), 'unknown "all"'),  # type: ignore[dict-item]
        (Content(command_suffix="md"), "is not a file extension"),
        (
            Content(mcp=Mcp(files={"user": ()}, at=("a", "$name"), stdio={"command": "$program"})),
            "content.mcp.files.user: must not be empty",
        ),
        (Content(mcp=Mcp(files={}, at=("a",), stdio="$line")), "needs $name, except with as_list"),
        (Content(mcp=Mcp(files={}, at=("$name",), stdio={"command": "$prog"})), 'unknown "$prog"'),
        (Content(mcp=Mcp(files={}, at=("$name",), http={"a": "$name"})), "needs $url"),
    ],
)
def test_mistakes_of_an_adapter(content: Content, mistake: str) -> None:
    host: Host = entries_host(content=content)
    assert any(mistake in text for text in check_host(host)), check_host(host)
